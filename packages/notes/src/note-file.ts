import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { utf8Bytes } from "@notesoup/text";
import { NoteError } from "./error.ts";
import { BLOCK_MAX_BYTES, joinNote, type NoteText, splitNote } from "./frontmatter.ts";
import { changeMapping, type Mapping, type MappingChanges } from "./mapping.ts";
import { KNOWN_KEYS, type KnownKey, scalarOf } from "./metadata.ts";
import { isSystemError, shownAddress } from "./system-error.ts";

/** Bytes of a note's file, frontmatter and body together, at the most: 1 MiB. */
const NOTE_MAX_BYTES = 1_048_576;

/** A note as it lies on disk. */
export interface NoteFile {
  readonly text: NoteText;
  readonly stats: Stats;
}

/**
 * Reads and takes apart the file of a note.
 *
 * @returns `undefined` where there is no such file
 * @throws NoteError `too_large`, `not_utf8`, `io` (not a regular file); a failure of the file
 * system as it comes
 */
export async function readNoteFile(path: string, address: string): Promise<NoteFile | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile())
      throw new NoteError(
        "io",
        `cannot read ${shownAddress(address)}: it is not a regular file; choose another address`,
        { address },
      );
    if (stats.size > NOTE_MAX_BYTES) throw tooLarge(address, stats.size);
    return { text: splitNote(decode(await readFile(path), address)), stats };
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** `ignoreBOM` keeps a byte order mark in the text, so that it can be written back. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, address: string): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    const message = `${shownAddress(address)} is not valid UTF-8 and was left as it is; convert the file, or choose another address`;
    throw new NoteError("not_utf8", message, { address, cause: error });
  }
}

function tooLarge(address: string, bytes: number): NoteError {
  const message = `${shownAddress(address)} has ${bytes} bytes with its frontmatter, and a note holds at most ${NOTE_MAX_BYTES}; split it into several notes`;
  return new NoteError("too_large", message, { address });
}

/** What a change of metadata sets, by key; `undefined` removes the line. A key that is not named keeps its line. */
export type MetaChanges = Partial<Readonly<Record<KnownKey, string | number | undefined>>>;

const NO_MAPPING: Mapping = { entries: [], insertAt: 0, indent: "", flow: false };

/**
 * The text of a note's file after a change. Only the lines of the changed metadata differ in the
 * block; the body is taken as it is given.
 *
 * @throws NoteError `too_large`, where the note would not fit or its block would be too long to be
 * taken for one when it is read again
 */
export function changeNoteText(note: NoteText, changes: MetaChanges, body: string, address: string): string {
  const { frontmatter } = note;
  const scalars: MappingChanges = new Map(
    KNOWN_KEYS.filter((key) => key in changes).map((key) => [key, scalarOrGone(changes[key])]),
  );
  const lineEnd = frontmatter?.open.slice("---".length) ?? "\n";
  const block = changeMapping(frontmatter?.block ?? "", frontmatter?.mapping ?? NO_MAPPING, scalars, lineEnd);
  if (utf8Bytes(block) > BLOCK_MAX_BYTES) {
    const message = `the frontmatter of ${shownAddress(address)} would pass ${BLOCK_MAX_BYTES} bytes and no longer be read as such; move some of it into the body`;
    throw new NoteError("too_large", message, { address });
  }
  const text = joinNote(note, block, body);
  const bytes = utf8Bytes(text);
  if (bytes > NOTE_MAX_BYTES) throw tooLarge(address, bytes);
  return text;
}

function scalarOrGone(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : scalarOf(value);
}
