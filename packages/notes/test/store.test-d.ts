import { describe, expectTypeOf, it } from "vitest";
import type {
  createNotesStore,
  NoteEdit,
  NoteMeta,
  NoteMatch,
  NoteQueryStatus,
  NoteRow,
  NoteSearchRow,
  NotesIdentity,
  NotesQuery,
  NotesStore,
  projectKey,
  ReadNote,
  Scope,
  slugify,
  UpdatedNote,
  UpdateOptions,
  WriteOptions,
  WrittenNote,
} from "../src/index.ts";

describe("the types of the library", () => {
  it("need five fields of an identity, and know no folder to work in", () => {
    expectTypeOf<keyof NotesIdentity>().toEqualTypeOf<"home" | "sessionId" | "projectKey" | "agent" | "model">();
    expectTypeOf<Required<NotesIdentity>>().toEqualTypeOf<NotesIdentity>();
    expectTypeOf<NotesIdentity[keyof NotesIdentity]>().toEqualTypeOf<string>();
  });

  it("open a store and make names without a promise", () => {
    expectTypeOf<typeof createNotesStore>().returns.toEqualTypeOf<NotesStore>();
    expectTypeOf<typeof projectKey>().toEqualTypeOf<(cwd: string) => string>();
    expectTypeOf<typeof slugify>().toEqualTypeOf<(value: string) => string>();
  });

  it("answer every call with a promise; a read alone may find nothing", () => {
    expectTypeOf<NotesStore["write"]>().returns.toEqualTypeOf<Promise<WrittenNote>>();
    expectTypeOf<NotesStore["read"]>().returns.toEqualTypeOf<Promise<ReadNote | undefined>>();
    expectTypeOf<NotesStore["update"]>().returns.toEqualTypeOf<Promise<UpdatedNote>>();
    expectTypeOf<NotesStore["rename"]>().returns.resolves.toExtend<{
      readonly meta: NoteMeta;
      readonly replacedCrumpledTarget: boolean;
    }>();
    expectTypeOf<NotesStore["list"]>().returns.toEqualTypeOf<Promise<NoteRow[]>>();
    expectTypeOf<NotesStore["search"]>().returns.toEqualTypeOf<Promise<NoteSearchRow[]>>();
  });

  it("take edits, options and queries by these names, none of which must be given", () => {
    expectTypeOf<NoteEdit>().toEqualTypeOf<{ readonly oldText: string; readonly newText: string }>();
    expectTypeOf<keyof WriteOptions>().toEqualTypeOf<"origin">();
    expectTypeOf<keyof UpdateOptions>().toEqualTypeOf<"origin" | "crumpled" | "replaceAll" | "renameTo">();
    expectTypeOf<keyof NotesQuery>().toEqualTypeOf<"glob" | "crumpled" | "onStatus">();
    expectTypeOf<object>().toExtend<WriteOptions & UpdateOptions & NotesQuery>();
  });

  it("call rows, metadata and statuses by these names", () => {
    expectTypeOf<Scope>().toEqualTypeOf<"session" | "project" | "human" | "agent" | "model">();
    expectTypeOf<keyof NoteRow>().toEqualTypeOf<"address" | "scope" | "path" | "meta" | "body" | "bytes">();
    expectTypeOf<keyof NoteSearchRow>().toEqualTypeOf<"address" | "scope" | "path" | "meta" | "matches">();
    expectTypeOf<keyof NoteMatch>().toEqualTypeOf<"line" | "text" | "offsetChars">();
    expectTypeOf<keyof NoteMeta>().toEqualTypeOf<
      "origin" | "createdAt" | "updatedAt" | "lastAccessed" | "accessCount" | "crumpledAt" | "project" | "extra"
    >();
    expectTypeOf<keyof NoteQueryStatus>().toEqualTypeOf<"namespacesUnavailable" | "notesUnavailable">();
  });
});
