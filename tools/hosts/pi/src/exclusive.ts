import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** How a process that waits for a lock behaves. */
export interface ExclusiveOptions {
  /** How long to wait for another process that is alive. */
  readonly waitMs: number;
}

/** What exclusive work can tell of itself. */
export interface Holder {
  /**
   * Counts another process as an owner: a child that works on when this process is killed. The
   * lock is not dead before it is.
   */
  readonly share: (pid: number) => Promise<void>;
}

interface Owner {
  readonly pid: number;
  /** When the process began, as the system counts it: a number of a process is used again. `null` where the system does not tell. */
  readonly started: string | null;
}

const LOOK_AGAIN_MS = 100;

/**
 * Runs `work` while no other process does. The lock is the folder `lock`, which holds a file for
 * each owner; a lock whose owners are dead is taken over.
 *
 * @throws Error that names the owners and the folder, where the lock is not free in time
 */
export async function exclusively<T>(
  lock: string,
  { waitMs }: ExclusiveOptions,
  work: (holder: Holder) => Promise<T>,
): Promise<T> {
  await acquire(lock, performance.now() + waitMs, waitMs);
  try {
    return await work({ share: (pid) => writeOwner(lock, pid) });
  } finally {
    await discard(lock);
  }
}

/** Not removed in place: a lock that is empty already could be taken, and its new owner be removed with it. */
async function discard(lock: string): Promise<void> {
  const discarded = `${lock}-${randomUUID()}`;
  await rename(lock, discarded);
  await rm(discarded, { recursive: true });
}

async function acquire(lock: string, deadline: number, waitMs: number): Promise<void> {
  if (await create(lock)) return;
  const owners = await ownersOf(lock);
  if (await areDead(owners)) await removeDead(lock);
  else if (performance.now() < deadline) await delay(LOOK_AGAIN_MS);
  else throw new Error(busyMessage(lock, owners, waitMs));
  return acquire(lock, deadline, waitMs);
}

function busyMessage(lock: string, owners: readonly Owner[], waitMs: number): string {
  const who = owners.length === 0 ? "an unknown process" : `process ${owners.map(({ pid }) => pid).join(", ")}`;
  return `${lock} is held by ${who} for longer than ${waitMs} ms. If nothing is at work there, remove the folder.`;
}

/** The folder comes into being with its owner in it, by a rename: nobody ever sees a lock without one. */
async function create(lock: string): Promise<boolean> {
  const draft = `${lock}-${randomUUID()}`;
  await mkdir(draft, { recursive: true });
  await writeOwner(draft, process.pid);
  try {
    await rename(draft, lock);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true });
    if (hasCode(error, "ENOTEMPTY", "EEXIST")) return false;
    throw error;
  }
}

async function writeOwner(folder: string, pid: number): Promise<void> {
  const owner: Owner = { pid, started: await startOf(pid) };
  await writeFile(join(folder, `${pid}.json`), JSON.stringify(owner));
}

/**
 * Removes a lock whose owners are dead. Two processes may see the same dead owner, and the slower
 * one must not remove what the faster one has put in its place: whoever removes holds a second
 * folder meanwhile and looks once more.
 */
async function removeDead(lock: string): Promise<void> {
  const guard = `${lock}-takeover`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    await delay(LOOK_AGAIN_MS);
    return;
  }
  try {
    if (await areDead(await ownersOf(lock))) await discard(lock);
  } finally {
    await rmdir(guard);
  }
}

/** None where the lock is gone, or where a file in it is no owner (yet): such a lock is not known to be dead. */
async function ownersOf(lock: string): Promise<Owner[]> {
  try {
    const files = await readdir(lock);
    const texts = await Promise.all(files.map((file) => readFile(join(lock, file), "utf8")));
    return texts.map((text) => JSON.parse(text) as Owner);
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

async function areDead(owners: readonly Owner[]): Promise<boolean> {
  const alive = await Promise.all(owners.map(isAlive));
  return owners.length > 0 && !alive.includes(true);
}

async function isAlive({ pid, started }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    if (!hasCode(error, "EPERM")) throw error;
  }
  return started === null || started === (await startOf(pid));
}

/** Field 22 of Linux's `/proc/PID/stat`. The second field is a name that may hold blanks and brackets. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
