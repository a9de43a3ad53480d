import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder, makeFolders, removeFolders } from "./folders.ts";
import { isSystemError } from "./system-error.ts";

/** How a file is replaced. */
export interface ReplaceOptions {
  /** The file that is replaced: its mode and owner are kept. Absent for a new file, which only its owner may read. */
  readonly old?: Stats | undefined;
  /** Whether the bytes must be on the disk before the promise resolves. */
  readonly flush: boolean;
  /** Whether the file keeps its time of change. */
  readonly keepTime?: boolean;
}

const NEW_FILE_MODE = 0o600;

/** What the name of a temporary file begins with. It does not end in `.md`, so that it is never taken for a note. */
const TEMPORARY_PREFIX = ".notesoup-";

/**
 * Replaces a file by writing a temporary one beside it and renaming that: whoever reads sees the
 * old bytes or the new ones, and a crash at any point leaves either. Folders on the way are made.
 * After a failure nothing is left behind, neither file nor folder.
 *
 * @throws whatever the file system does, uncoded
 */
export async function replaceFile(
  path: string,
  text: string,
  { old, flush, keepTime = false }: ReplaceOptions,
): Promise<void> {
  if (old !== undefined) await requireWritable(path);
  const folder = dirname(path);
  const made = [...(await makeFolders(folder))];
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomUUID()}.tmp`);
  try {
    await writeTemporary(temporary, text, old, flush).catch(async (error: unknown) => {
      if (!isSystemError(error, "ENOENT")) throw error;
      // Another write that failed has taken away, with what it had made, the folder that both use.
      made.push(...(await makeFolders(folder)));
      await writeTemporary(temporary, text, old, flush);
    });
    if (keepTime && old !== undefined) await utimes(temporary, old.atime, old.mtime);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    await removeFolders(made);
    throw error;
  }
  if (!flush) return;
  await flushFolder(folder);
  for (const madeFolder of made) await flushFolder(dirname(madeFolder));
}

/** Renaming needs no permission of the file itself; one that its owner has protected stays as it is. */
async function requireWritable(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.close();
}

async function writeTemporary(temporary: string, text: string, old: Stats | undefined, flush: boolean): Promise<void> {
  const mode = old === undefined ? NEW_FILE_MODE : old.mode & 0o7777;
  const handle = await open(temporary, "wx", mode);
  try {
    // The mode of `open` passes the process's umask.
    if (old !== undefined) await handle.chmod((await isOwnerKept(handle, old)) ? mode : mode & ~GROUP_BITS);
    await handle.writeFile(text, "utf8");
    if (flush) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What a group that could not be kept must not hand on to another one. */
const GROUP_BITS = 0o070;

/**
 * Gives the file its old owner and group. Only root can give a file away: for anybody else it
 * becomes theirs, as with any editor; a group of theirs they can keep.
 *
 * @returns whether the group is the old one
 */
async function isOwnerKept(handle: FileHandle, old: Stats): Promise<boolean> {
  const now = await handle.stat();
  if (now.uid === old.uid && now.gid === old.gid) return true;
  for (const uid of process.geteuid?.() === 0 ? [old.uid, now.uid] : [now.uid]) {
    try {
      await handle.chown(uid, old.gid);
      return true;
    } catch (error) {
      // Not of this user's groups, root in name only, or a file system without owners.
      if (!isSystemError(error, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) throw error;
    }
  }
  return now.gid === old.gid;
}
