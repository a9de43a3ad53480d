import { quote } from "@notesoup/text";
import type { NoteAddress } from "./address.ts";
import { NoteError } from "./error.ts";
import type { NotesIdentity } from "./identity.ts";
import { splitNote } from "./frontmatter.ts";
import { isOrigin, type KnownKey, metaOf, type NoteMeta, type NoteOrigin } from "./metadata.ts";
import { changeNoteText, type MetaChanges, type NoteFile, readNoteFile } from "./note-file.ts";
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

/**
 * Checks what is to be written, before the disk is looked at.
 *
 * @throws NoteError `invalid_text`, for an origin that is none too
 */
export function checkWrite({ address }: NoteAddress, content: string, origin: NoteOrigin | undefined): void {
  if (typeof content !== "string" || !content.isWellFormed()) {
    const why =
      typeof content === "string"
        ? "holds a lone surrogate, which no file can hold; write the character whole"
        : `is a value of type ${typeof content}; give text`;
    throw new NoteError("invalid_text", `the content for ${shownAddress(address)} ${why}`, { address });
  }
  if (origin !== undefined && !isOrigin(origin))
    throw new NoteError(
      "invalid_text",
      `origin is ${quote(String(origin))} for ${shownAddress(address)}; it must be self, user or external`,
      { address },
    );
}

/** Writes the note at a physical path whole. To be run under the file's lock. */
export async function writeNote(
  path: string,
  { address, namespace }: NoteAddress,
  content: string,
  origin: NoteOrigin | undefined,
  { projectKey }: NotesIdentity,
): Promise<WrittenNote> {
  const now = new Date();
  const old = await readNoteFile(path, address);
  const changes =
    old === undefined
      ? creation(now, origin, namespace.scope === "session" ? projectKey : undefined)
      : overwriting(old, now, origin);
  const text = changeNoteText(old?.text ?? splitNote(""), changes, content, address);
  await replaceFile(path, text, { old: old?.stats, flush: true });
  const meta = metaOf(splitNote(text).frontmatter?.mapping, { birthtime: now, mtime: now });
  return { address, meta, outcome: outcomeOf(old) };
}

function creation(now: Date, origin: NoteOrigin | undefined, project: string | undefined): MetaChanges {
  const time = now.toISOString();
  return { origin: origin ?? "self", createdAt: time, updatedAt: time, ...(project === undefined ? {} : { project }) };
}

/**
 * What the old note has no lines for is written down now, before its file's times are lost. A line
 * that is there stays as it is, also where it cannot be read.
 */
function overwriting(old: NoteFile, now: Date, origin: NoteOrigin | undefined): MetaChanges {
  const meta = metaOfFile(old);
  const has = (key: KnownKey): boolean =>
    old.text.frontmatter?.mapping.entries.some((entry) => entry.key === key) ?? false;
  return {
    ...(origin !== undefined || !has("origin") ? { origin: origin ?? meta.origin } : {}),
    ...(has("createdAt") ? {} : { createdAt: meta.createdAt }),
    updatedAt: now.toISOString(),
    crumpledAt: undefined,
  };
}

function outcomeOf(old: NoteFile | undefined): WriteOutcome {
  if (old === undefined) return "created";
  return metaOfFile(old).crumpledAt === undefined ? "overwritten" : "uncrumpled";
}

function metaOfFile({ text, stats }: NoteFile): NoteMeta {
  return metaOf(text.frontmatter?.mapping, stats);
}
