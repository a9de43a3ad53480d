import { statSync } from "node:fs";
import { NoteError } from "./error.ts";
import { type LocatedNote, whileNoOtherProcess } from "./locked-notes.ts";
import { type NoteMeta, tellsAge } from "./metadata.ts";
import type { Scope } from "./namespace.ts";
import { changeNoteText, metaOfFile, type NoteFile, readNoteFile } from "./note-file.ts";
import { countingWait } from "./process-lock.ts";
import { replaceFile } from "./replace-file.ts";
import { isSystemError } from "./system-error.ts";

/** A note that was read. */
export interface ReadNote {
  /** The canonical address: NFC, with `.md`. */
  readonly address: string;
  readonly meta: NoteMeta;
  /** The body, without the serialized frontmatter and without a byte order mark of the file. */
  readonly body: string;
  readonly resolvedScope: Scope;
}

/**
 * Reads a note and counts the access, where it is counted. To be run under the file's lock.
 *
 * @param countsAccess `false` where nobody's reading is counted
 */
export async function readNote(located: LocatedNote, countsAccess: boolean): Promise<ReadNote | undefined> {
  const { note, path } = located;
  const file = readNoteFile(path, note.address);
  if (file === undefined) return undefined;
  // A person's own file is left alone, and so is a notebook that was addressed by its name.
  const isCounted = countsAccess && note.namespace.access !== "named" && file.text.frontmatter !== undefined;
  const now = isCounted ? await countAccess(located, file) : { file, meta: metaOfFile(file) };
  return { address: note.address, meta: now.meta, body: now.file.text.body, resolvedScope: note.namespace.scope };
}

interface Reading {
  readonly file: NoteFile;
  readonly meta: NoteMeta;
}

/**
 * Counts an access in the note's file, while no other process changes it. Where the count cannot
 * be written, or another process holds the note, the reading has succeeded all the same.
 */
async function countAccess(located: LocatedNote, read: NoteFile): Promise<Reading> {
  try {
    return await whileNoOtherProcess([located], countingWait(), async () => {
      const file = isUnchanged(located.path, read) ? read : readNoteFile(located.path, located.note.address);
      return file?.text.frontmatter === undefined
        ? { file: file ?? read, meta: metaOfFile(file ?? read) }
        : await counted(located, file);
    });
  } catch (error) {
    if (error instanceof NoteError || isSystemError(error)) return { file: read, meta: metaOfFile(read) };
    throw error;
  }
}

/** Whether the file is still the one that was read before the lock was had. */
function isUnchanged(path: string, { stats }: NoteFile): boolean {
  const { ino, size, mtimeMs } = statSync(path);
  return ino === stats.ino && size === stats.size && mtimeMs === stats.mtimeMs;
}

async function counted({ path, note }: LocatedNote, file: NoteFile): Promise<Reading> {
  const { text, stats } = file;
  const meta = metaOfFile(file);
  const lastAccessed = new Date().toISOString();
  const accessCount = Math.min(meta.accessCount + 1, Number.MAX_SAFE_INTEGER);
  const changed = changeNoteText(text, { lastAccessed, accessCount }, text.body, note.address);
  // Without lines of its own the note's age is the file's, which reading must not change.
  const keepTime = text.frontmatter === undefined || !tellsAge(text.frontmatter.mapping);
  await replaceFile(path, changed, { old: stats, flush: false, keepTime });
  return { file, meta: { ...meta, lastAccessed, accessCount } };
}
