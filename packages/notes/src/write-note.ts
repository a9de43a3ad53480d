import { NoteError } from "./error.ts";
import { shownValue, wrong } from "./given.ts";
import type { NotesIdentity } from "./identity.ts";
import { splitNote } from "./frontmatter.ts";
import type { LocatedNote } from "./locked-notes.ts";
import { isOrigin, metaOf, type NoteMeta, type NoteOrigin } from "./metadata.ts";
import {
  changeNoteText,
  type MetaChanges,
  metaOfFile,
  type NoteFile,
  readNoteFile,
  requireContentFits,
  untold,
} from "./note-file.ts";
import { replaceFile } from "./replace-file.ts";
import { shownAddress } from "./system-error.ts";

/** Choices of a write. */
export interface WriteOptions {
  /** Who the content comes from. A new note's is `self`; an existing note keeps its own unless this is given. */
  readonly origin?: NoteOrigin | undefined;
}

/** What a write came to. */
export type WriteOutcome = "created" | "overwritten" | "uncrumpled";

/** A note that was written. */
export interface WrittenNote {
  /** The canonical address: NFC, with `.md`. */
  readonly address: string;
  readonly meta: NoteMeta;
  readonly outcome: WriteOutcome;
}

/** Checks an origin that was given. */
export function checkOrigin(origin: NoteOrigin | undefined, address: string): void {
  if (origin === undefined || isOrigin(origin)) return;
  const message = `origin is ${shownValue(origin)} for ${shownAddress(address)}; it must be self, user or external`;
  throw new NoteError("invalid_text", message, { address });
}

/**
 * Checks content, before the disk is looked at.
 *
 * @throws NoteError `invalid_text`, `too_large`
 */
export function checkContent(content: string, address: string): void {
  if (typeof content !== "string") throw wrong("the content", content, "give text", address);
  requireContentFits(content, address);
  if (content.isWellFormed()) return;
  const message = `the content for ${shownAddress(address)} holds a lone surrogate, which no file can hold; write the character whole`;
  throw new NoteError("invalid_text", message, { address });
}

/** Writes a note whole. To be run under the file's locks. */
export async function writeNote(
  { note: { address, namespace }, path }: LocatedNote,
  content: string,
  origin: NoteOrigin | undefined,
  { projectKey }: NotesIdentity,
): Promise<WrittenNote> {
  const now = new Date();
  const old = readNoteFile(path, address);
  const changes =
    old === undefined
      ? creation(now, origin, namespace.scope === "session" ? projectKey : undefined)
      : {
          ...untold(old),
          ...(origin === undefined ? {} : { origin }),
          updatedAt: now.toISOString(),
          crumpledAt: undefined,
        };
  const text = changeNoteText(old?.text ?? splitNote(""), changes, content, address);
  await replaceFile(path, text, { old: old?.stats, flush: true });
  const meta = metaOf(splitNote(text).frontmatter?.mapping, { birthtime: now, mtime: now });
  return { address, meta, outcome: outcomeOf(old) };
}

function creation(now: Date, origin: NoteOrigin | undefined, project: string | undefined): MetaChanges {
  const time = now.toISOString();
  return { origin: origin ?? "self", createdAt: time, updatedAt: time, ...(project === undefined ? {} : { project }) };
}

function outcomeOf(old: NoteFile | undefined): WriteOutcome {
  if (old === undefined) return "created";
  return metaOfFile(old).crumpledAt === undefined ? "overwritten" : "uncrumpled";
}
