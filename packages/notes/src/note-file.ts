import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { utf8Bytes } from "@notesoup/text";
import { NoteError } from "./error.ts";
import { BLOCK_MAX_BYTES, joinNote, type NoteText, splitNote } from "./frontmatter.ts";
import { changedBlocks, type MappingChanges, saysInstead } from "./change-mapping.ts";
import type { Mapping } from "./mapping.ts";
import { KNOWN_KEYS, type KnownKey, metaOf, type NoteMeta } from "./metadata.ts";
import { isSystemError, shownAddress } from "./system-error.ts";

/** Bytes of a note's file, frontmatter and body together, at the most: 1 MiB. */
const NOTE_MAX_BYTES = 1_048_576;

/** A note as it lies on disk. */
export interface NoteFile {
  readonly text: NoteText;
  readonly stats: Stats;
}

/**
 * Reads and takes apart the file of a note, in one go: a note is small, and to wait for each of the
 * four calls would take longer than they do.
 *
 * @param isWanted looks at the whole text first: one that is not wanted is not taken apart, and
 * nothing is left of it at once, where thousands are looked at
 * @returns `undefined` where there is no such file, or it is not wanted
 * @throws NoteError `too_large`, `not_utf8`, `io` (not a regular file); a failure of the file
 * system as it comes
 */
export function readNoteFile(
  path: string,
  address: string,
  isWanted?: (text: string) => boolean,
): NoteFile | undefined {
  let descriptor: number;
  try {
    // Without waiting for the other end, if it is a pipe.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notRegular(address);
    if (stats.size > NOTE_MAX_BYTES) throw tooLarge(address, stats.size);
    const text = decode(readAll(descriptor), address);
    return isWanted?.(text) === false ? undefined : { text: splitNote(text), stats };
  } finally {
    closeSync(descriptor);
  }
}

/** One byte more than a note may have, so that it shows when a file has grown since it was looked at. */
const buffer = Buffer.allocUnsafeSlow(NOTE_MAX_BYTES + 1);

/** All bytes of a file, in a buffer that the next reading uses again. */
function readAll(descriptor: number): Buffer {
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = readSync(descriptor, buffer, length, buffer.length - length, null);
  }
  return buffer.subarray(0, length);
}

function notRegular(address: string): NoteError {
  const message = `${shownAddress(address)} is not a regular file and cannot hold a note; choose another address`;
  return new NoteError("io", message, { address });
}

/** Refuses content that no note can hold, before anything is looked at. */
export function requireContentFits(content: string, address: string): void {
  // No text has fewer bytes than UTF-16 units, and how many units it has is known without looking through it.
  if (content.length > NOTE_MAX_BYTES) throw tooLarge(address, content.length, "at least ");
  const bytes = utf8Bytes(content);
  if (bytes > NOTE_MAX_BYTES) throw tooLarge(address, bytes);
}

/** The metadata of a note as it lies on disk. */
export function metaOfFile({ text, stats }: NoteFile): NoteMeta {
  return metaOf(text.frontmatter?.mapping, stats);
}

/** The text of the bytes, a byte order mark included, so that it can be written back. */
function decode(bytes: Buffer, address: string): string {
  if (bytes.length > NOTE_MAX_BYTES) throw tooLarge(address, bytes.length);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const message = `${shownAddress(address)} is not valid UTF-8 and was left as it is; convert the file, or choose another address`;
  throw new NoteError("not_utf8", message, { address });
}

function tooLarge(address: string, bytes: number, atLeast: "at least " | "" = ""): NoteError {
  const message = `${shownAddress(address)} has ${atLeast}${bytes} bytes, and a note with its frontmatter holds at most ${NOTE_MAX_BYTES}; split it into several notes`;
  return new NoteError("too_large", message, { address });
}

/** What a change of metadata sets, by key; `undefined` removes the line. A key that is not named keeps its line. */
export type MetaChanges = Partial<Readonly<Record<KnownKey, string | number | undefined>>>;

/**
 * What a note has no lines for, and what is lost once its file is replaced: where it comes from and
 * its age. A line that is there stays as it is, also where it cannot be read.
 */
export function untold(file: NoteFile): MetaChanges {
  const { origin, createdAt, updatedAt } = metaOfFile(file);
  const told = new Set(file.text.frontmatter?.mapping.entries.map(({ key }) => key));
  return Object.fromEntries(Object.entries({ origin, createdAt, updatedAt }).filter(([key]) => !told.has(key)));
}

const NO_MAPPING: Mapping = { entries: [], insertAt: [0], indent: "", flow: false };

/**
 * The text of a note's file after a change. Only the lines of the changed metadata differ in the
 * block; the body is taken as it is given. The text is read again before it is given: it says what
 * was asked for, and everything else as before.
 *
 * @throws NoteError `too_large`, where the note would not fit or its block would be too long to be
 * taken for one when it is read again; `read_only`, where the block is of a form in which no line can
 * be changed by itself
 */
export function changeNoteText(note: NoteText, changes: MetaChanges, body: string, address: string): string {
  const { block, mapping, open } = note.frontmatter ?? { block: "", mapping: NO_MAPPING, open: "---\n" };
  const asked: MappingChanges = new Map(KNOWN_KEYS.filter((key) => key in changes).map((key) => [key, changes[key]]));
  const candidates = changedBlocks(block, mapping, asked, open.slice("---".length));
  const changed = candidates.find((candidate) => utf8Bytes(candidate) <= BLOCK_MAX_BYTES);
  if (changed === undefined) {
    const message = `the frontmatter of ${shownAddress(address)} would pass ${BLOCK_MAX_BYTES} bytes and no longer be read as such; move some of it into the body`;
    throw new NoteError("too_large", message, { address });
  }
  const bytes = utf8Bytes(joinNote(note, changed, body));
  if (bytes > NOTE_MAX_BYTES) throw tooLarge(address, bytes);
  for (const candidate of candidates) {
    const text = joinNote(note, candidate, body);
    const again = splitNote(text);
    if (
      again.frontmatter !== undefined &&
      again.body === body &&
      saysInstead(mapping, again.frontmatter.mapping, asked)
    )
      return text;
  }
  const message = `the frontmatter of ${shownAddress(address)} is of a form in which no line can be changed by itself; make it plain \`key: value\` lines`;
  throw new NoteError("read_only", message, { address });
}
