import { stat } from "node:fs/promises";
import { isSystemError } from "./system-error.ts";

/**
 * Queues of work by file, shared by every copy of this library in the process: a host may load two
 * copies, or load one anew.
 */
const LOCKS = Symbol.for("notesoup.locks");

type Locks = Map<string, Promise<void>>;

function sharedLocks(): Locks {
  const holder = globalThis as { [LOCKS]?: Locks };
  return (holder[LOCKS] ??= new Map());
}

/**
 * Runs `work` while no other work on the same physical file runs in this process. A file is known by device and inode, so that links and spellings of one file meet; one
 * that does not exist yet by its path.
 *
 * @param path physical path: see `physicalPath`
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const key = await fileKey(path);
    const release = await acquire(key);
    try {
      // Replacing a file gives it a new inode: whoever waited for the old one asks again.
      if ((await fileKey(path)) === key) return await work();
    } finally {
      release();
    }
  }
}

async function acquire(key: string): Promise<() => void> {
  const locks = sharedLocks();
  const before = locks.get(key);
  let release = (): void => {};
  const mine = new Promise<void>((resolve) => {
    release = (): void => {
      if (locks.get(key) === mine) locks.delete(key);
      resolve();
    };
  });
  locks.set(key, mine);
  await before;
  return release;
}

async function fileKey(path: string): Promise<string> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `inode:${dev}:${ino}`;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return `path:${path}`;
    throw error;
  }
}
