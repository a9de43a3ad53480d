import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  open,
  openSync,
  rename,
  rmSync,
  type Stats,
  utimesSync,
  writeFile,
} from "node:fs";
import { dirname, join } from "node:path";
import { awaited } from "./awaited-call.ts";
import { flush as flushFile, flushFolder, makeFolders, removeFolders } from "./folders.ts";
import { isSystemError } from "./system-error.ts";

/** How a file is replaced. */
export interface ReplaceOptions {
  /** The file that is replaced, or moved here: its mode and owner are kept. Absent for a new file, which only its owner may read. */
  readonly old?: Stats | undefined;
  /** Whether the bytes must be on the disk before the promise resolves. */
  readonly flush: boolean;
  /** Whether the file keeps its time of change. */
  readonly keepTime?: boolean;
}

const NEW_FILE_MODE = 0o600;

/** What a group that could not be kept must not hand on to another one. */
const GROUP_BITS = 0o070;

/** What the name of a temporary file begins with. It does not end in `.md`, so that it is never taken for a note. */
export const TEMPORARY_PREFIX = ".notesoup-";

/**
 * Replaces a file by writing a temporary one beside it and renaming that: whoever reads sees the
 * old bytes or the new ones, and a crash at any point leaves either. Folders on the way are made.
 * After a failure nothing is left behind, neither file nor folder.
 *
 * What changes the disk is waited for; to look at it takes microseconds, and would take longer
 * behind the flushes of other notes in the queue that asynchronous calls share.
 *
 * @returns the folders that were made
 * @throws whatever the file system does, uncoded
 */
export async function replaceFile(
  path: string,
  text: string,
  { old, flush, keepTime = false }: ReplaceOptions,
): Promise<readonly string[]> {
  if (old !== undefined) requireWritable(path);
  const folder = dirname(path);
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomUUID()}.tmp`);
  const { descriptor, made } = await createIn(folder, temporary, old);
  try {
    try {
      if (old !== undefined) keepOwnerAndMode(descriptor, old);
      await awaited((done) => writeFile(descriptor, text, "utf8", (error) => done(error)));
      if (flush) await flushFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (keepTime && old !== undefined) utimesSync(temporary, old.atime, old.mtime);
    await awaited((done) => rename(temporary, path, (error) => done(error)));
  } catch (error) {
    rmSync(temporary, { force: true });
    removeFolders(made);
    throw error;
  }
  if (flush) {
    await flushFolder(folder);
    for (const madeFolder of made) await flushFolder(dirname(madeFolder));
  }
  return made;
}

/** Renaming needs no permission of the file itself; one that its owner has protected stays as it is. */
function requireWritable(path: string): void {
  try {
    closeSync(openSync(path, "r+"));
  } catch (error) {
    // A note is moved to where nothing is.
    if (!isSystemError(error, "ENOENT")) throw error;
  }
}

/** Creates the temporary file, and the folder for it where it is missing, or was taken away by another write that failed. */
async function createIn(
  folder: string,
  temporary: string,
  old: Stats | undefined,
): Promise<{ readonly descriptor: number; readonly made: readonly string[] }> {
  const mode = old === undefined ? NEW_FILE_MODE : old.mode & 0o7777;
  const create = (): Promise<number> => awaited((done) => open(temporary, "wx", mode, done));
  try {
    return { descriptor: await create(), made: [] };
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
  const made = makeFolders(folder);
  try {
    return { descriptor: await create(), made };
  } catch (error) {
    removeFolders(made);
    throw error;
  }
}

/** Gives the file its old owner, group and mode, as far as this user may. */
function keepOwnerAndMode(descriptor: number, old: Stats): void {
  const now = fstatSync(descriptor);
  const isOwnersSame = now.uid === old.uid && now.gid === old.gid;
  const mode = isOwnersSame || keepOwner(descriptor, now, old) ? old.mode & 0o7777 : old.mode & 0o7777 & ~GROUP_BITS;
  // The mode of `open` passed the process's umask, and a change of owner takes some bits away.
  if (!isOwnersSame || (now.mode & 0o7777) !== mode) fchmodSync(descriptor, mode);
}

/**
 * Only root can give a file away: for anybody else it becomes theirs, as with any editor; a group
 * of theirs they can keep.
 *
 * @returns whether the group is the old one
 */
function keepOwner(descriptor: number, now: Stats, old: Stats): boolean {
  for (const uid of process.geteuid?.() === 0 ? [old.uid, now.uid] : [now.uid]) {
    try {
      fchownSync(descriptor, uid, old.gid);
      return true;
    } catch (error) {
      // Not of this user's groups, root in name only, or a file system without owners.
      if (!isSystemError(error, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) throw error;
    }
  }
  return now.gid === old.gid;
}
