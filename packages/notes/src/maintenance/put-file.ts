import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { withFileLocks } from "../file-lock.ts";
import { flushFolder, makeFolders, removeFolders } from "../folders.ts";
import { lockPath, mutationWait, withProcessLock } from "../process-lock.ts";
import { TEMPORARY_PREFIX } from "../replace-file.ts";
import { coded } from "../system-error.ts";

/**
 * Runs `work` on a file of the home while no store, in this process or another one, changes it.
 *
 * @param root physical notes home
 * @param path physical path of the file
 * @param name what the file is called in a message
 * @throws NoteError `locked`, `io`, and what `work` throws
 */
export async function withLockedFile<Result>(
  root: string,
  path: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const wait = mutationWait();
  try {
    return await withFileLocks([path], () => withProcessLock(lockPath(root, path), wait, name, work));
  } catch (error) {
    throw coded("write", name, error);
  }
}

/** What a file is to be. */
export interface FileContent {
  readonly bytes: Buffer | string;
  /** Permission bits. */
  readonly mode: number;
  /** Time of the last change, milliseconds since 1970; now where it is absent. */
  readonly mtimeMs?: number | undefined;
}

/**
 * Makes or replaces a file whole: a crash leaves the old file or the new one, on the disk. The owner
 * of a file that is replaced is kept where this user may.
 *
 * @throws a failure of the file system as it comes; nothing is left behind then
 */
export async function putFile(path: string, { bytes, mode, mtimeMs }: FileContent): Promise<void> {
  const folder = dirname(path);
  const made = makeFolders(folder);
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomUUID()}.tmp`);
  try {
    const descriptor = openSync(temporary, "wx", 0o600);
    try {
      const old = statSync(path, { throwIfNoEntry: false });
      if (old !== undefined && process.geteuid?.() === 0) fchownSync(descriptor, old.uid, old.gid);
      writeFileSync(descriptor, bytes);
      fchmodSync(descriptor, mode);
      if (mtimeMs !== undefined) futimesSync(descriptor, mtimeMs / 1000, mtimeMs / 1000);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    removeFolders(made);
    throw error;
  }
  await flushFolder(folder);
}
