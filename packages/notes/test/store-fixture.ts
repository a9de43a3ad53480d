import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { createNotesStore, NoteError, type NotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";

/** A store on a home that does not exist yet, and ways to look at its files. */
export interface StoreFixture {
  readonly home: string;
  readonly store: NotesStore;
  /** Puts a file where a person would have put it, by its path in the home. */
  given(path: string, content: string | Uint8Array): string;
  /** A file's text, by its path in the home. */
  text(path: string): string;
}

/** The folder of the project's notebook in the home of a fixture. */
export const PROJECT = "project/app-0a1b2c3d";

/** The folder of the session's notebook in the home of a fixture. */
export const SESSION = "pi/session/session-1";

/** Makes a fixture of the running test's own. */
export async function storeFixture(): Promise<StoreFixture> {
  const home = join(await temporaryFolder(), "notes");
  return {
    home,
    store: createNotesStore(identityIn(home)),
    given(path, content) {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    text: (path) => readFileSync(join(home, path), "utf8"),
  };
}

/** The refusal with which a promise rejects. */
export async function refusal(promise: Promise<unknown>): Promise<NoteError> {
  const error: unknown = await promise.then(
    () => new Error("did not refuse"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NoteError)) throw error;
  return error;
}
