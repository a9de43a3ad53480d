import { statSync } from "node:fs";
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
 * Runs `work` while no other work on one of the same physical files runs in this process. A file
 * is known by device and inode, so that links and spellings of one file meet; one that does not
 * exist yet by its path. Several are locked in one order everywhere, and two names of one file once.
 *
 * @param paths physical paths: see `locate`
 */
export async function withFileLocks<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const keys = fileKeys(paths);
    const releases: (() => void)[] = [];
    try {
      for (const key of keys) releases.push(await acquire(key));
      // Replacing a file gives it a new inode: whoever waited for the old one asks again.
      if (fileKeys(paths).join("\n") === keys.join("\n")) return await work();
    } finally {
      for (const release of releases) release();
    }
  }
}

function fileKeys(paths: readonly string[]): string[] {
  return [...new Set(paths.map(fileKey))].toSorted();
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

/** What a file is known by: the same for every name of it. */
export function fileKey(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `inode:${dev}:${ino}`;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return `path:${path}`;
    throw error;
  }
}
