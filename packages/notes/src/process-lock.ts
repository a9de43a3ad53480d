import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlink,
  unlink,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { awaited } from "./awaited-call.ts";
import { NoteError } from "./error.ts";
import { flushFolder, makeFolders, removeFolders } from "./folders.ts";
import { isInside } from "./physical-path.ts";
import { shortHash } from "./slug.ts";
import { isSystemError, shownAddress } from "./system-error.ts";

/** How time passes for a lock: its own in tests, so that none waits. */
export interface LockClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** How a lock is waited for. */
export interface LockWait {
  /** Until when to wait for another process that holds it, by the clock. */
  readonly deadline: number;
  readonly clock: LockClock;
}

const systemClock: LockClock = { now: () => performance.now(), sleep: (milliseconds) => sleep(milliseconds) };

/**
 * A mutation waits 5 seconds from now; then it refuses. To be asked when it is asked for: what it
 * waits for those before it, and for several locks, is within the same 5 seconds.
 */
export function mutationWait(): LockWait {
  return { deadline: systemClock.now() + 5000, clock: systemClock };
}

/** Counting an access waits 50 milliseconds; then the count is given up, not the reading. */
export function countingWait(): LockWait {
  return { deadline: systemClock.now() + 50, clock: systemClock };
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Who holds a lock. */
interface Owner {
  /** Of this one holding, so that a later one of the same process is another. */
  readonly id: string;
  /** Stands for the machine's name. */
  readonly host: string;
  readonly pid: number;
  /** When the process began, as the system tells it: process ids are used again. `0` where it does not tell. */
  readonly started: string;
}

/** An owner as a lock says it: short, so that a file system keeps it in the link itself. The link's own time tells since when. */
function textOf({ id, host, pid, started }: Owner): string {
  return [id, host, pid, started].join(".");
}

/** @returns `undefined` for what no owner says of itself */
function ownerIn(text: string): Owner | undefined {
  const fields = /^(?<id>[0-9a-f]{16})\.(?<host>[0-9a-f]{8})\.(?<pid>[1-9]\d*)\.(?<started>\w{1,32})$/u.exec(
    text,
  )?.groups;
  if (fields === undefined) return undefined;
  const { id = "", host = "", pid, started = "" } = fields;
  return { id, host, pid: Number(pid), started };
}

/** The folder of the locks inside the notes home. */
export const LOCKS_FOLDER = ".locks";

/**
 * The lock of a note's file between processes.
 *
 * @param root physical path of the notes home
 * @param path physical path of the note
 */
export function lockPath(root: string, path: string): string {
  return join(root, LOCKS_FOLDER, createHash("sha256").update(relative(root, path), "utf8").digest("hex").slice(0, 32));
}

/**
 * Runs `work` while no other process that asks does. One whose owner has died is taken over, by
 * one; one that is held on another host is never, for nobody here can tell whether its owner lives.
 *
 * @throws NoteError `locked` where the lock does not come free in time; `outside_home`, `io` where its
 * folder is none in the notes home
 */
export async function withProcessLock<Result>(
  lock: string,
  wait: LockWait,
  address: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const made: string[] = [];
  try {
    const owner = newOwner();
    if (!(await acquire(lock, owner, wait, address, made))) {
      const message = `${shownAddress(address)} is being changed by another process for too long; try again, or, if none is at work on these notes, remove ${LOCKS_FOLDER}/${basename(lock)} in the notes home`;
      throw new NoteError("locked", message, { address });
    }
    try {
      return await work();
    } finally {
      // A person may have removed the lock by hand, and another process may have it now.
      if (read(lock)?.id === owner.id) await awaited((done) => unlink(lock, (error) => done(error)));
    }
  } catch (error) {
    // Where nothing was changed, nothing is left.
    removeFolders(made);
    throw error;
  }
}

/**
 * @param made takes the folders that had to be made
 * @returns whether the lock was got in time
 */
async function acquire(
  lock: string,
  owner: Owner,
  { deadline, clock }: LockWait,
  address: string,
  made: string[],
): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    requireFolder(dirname(lock), address);
    if (await createInFolder(lock, owner, made)) return true;
    const holder = read(lock);
    if (holder !== undefined && isDead(holder) && (await takeOver(lock, holder, owner))) return true;
    if (clock.now() >= deadline) return false;
    await clock.sleep(pause);
  }
}

/**
 * Takes a dead owner's lock. The right to do so is a lock of its own, named after the holding that
 * ended; whoever has it looks once more, and puts it in the place of the dead one by renaming it.
 * Who saw the dead owner too, but comes later, finds another owner when it looks once more.
 */
async function takeOver(lock: string, dead: Owner, owner: Owner): Promise<boolean> {
  const claim = `${lock}.${dead.id}`;
  if (!(await create(claim, owner))) {
    const claimant = read(claim);
    // It died in the middle of taking over: its claim is taken over in turn.
    if (claimant === undefined || !isDead(claimant) || !(await takeOver(claim, claimant, owner))) return false;
  }
  if (read(lock)?.id === dead.id) {
    renameSync(claim, lock);
    return true;
  }
  rmSync(claim, { force: true });
  return false;
}

/**
 * The locks' folder lies in the home: where something else is in its place, no lock is made there, or
 * wherever it leads.
 *
 * @throws NoteError `outside_home`, `io`
 */
function requireFolder(folder: string, address: string): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined || entry.isDirectory()) return;
  const refuse = (code: "io" | "outside_home", what: string): NoteError => {
    const message = `cannot write ${shownAddress(address)}: ${LOCKS_FOLDER} in the notes home is ${what}`;
    return new NoteError(code, message, { address });
  };
  if (!entry.isSymbolicLink()) throw refuse("io", "not a folder; remove it (ENOTDIR)");
  const target = targetOf(folder);
  if (target === undefined) throw refuse("io", "a link that leads nowhere; remove the link (ENOENT)");
  if (!isInside(dirname(folder), target)) throw refuse("outside_home", "a link that leads out of it; remove the link");
  if (!statSync(target).isDirectory()) throw refuse("io", "a link to what is not a folder; remove the link (ENOTDIR)");
}

/** Where a link leads, all others on the way followed; `undefined` where nothing is. */
function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

/**
 * Creates a lock, and its folder where there is none yet, or no longer: who fails takes away what it made.
 *
 * @returns `false` also where the folder is gone again: to be tried again, while there is time
 */
async function createInFolder(lock: string, owner: Owner, made: string[]): Promise<boolean> {
  try {
    return await create(lock, owner);
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
  }
  const folders = makeFolders(dirname(lock));
  made.push(...folders.filter((folder) => !made.includes(folder)));
  // Above the locks' own folder it is the home that was made: nothing in it is lasting before its parent is.
  for (const folder of folders.slice(0, -1)) await flushFolder(dirname(folder));
  try {
    return await create(lock, owner);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return false;
    throw error;
  }
}

/**
 * Creates a lock with its owner in it, in one step: the owner is the target of a symbolic link,
 * which is there whole or not at all. Where links cannot be made it is a file.
 *
 * @returns whether it was created; `false` where it exists
 */
async function create(lock: string, owner: Owner): Promise<boolean> {
  const text = textOf(owner);
  try {
    await awaited((done) => symlink(text, lock, (error) => done(error)));
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
  }
  return createFile(lock, text);
}

function createFile(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { encoding: "utf8", flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
}

/** @returns `undefined` where there is no lock any more, or it does not say (yet) whose it is */
function read(lock: string): Owner | undefined {
  try {
    return ownerIn(readlinkSync(lock));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    if (!isSystemError(error, "EINVAL", "UNKNOWN")) throw error;
  }
  try {
    return ownerIn(beginningOf(lock));
  } catch (error) {
    // A folder in a lock's place says nothing either, and neither does a pipe.
    if (isSystemError(error, "ENOENT", "EISDIR", "EAGAIN", "ENXIO")) return undefined;
    throw error;
  }
}

/** No owner says more of itself than this. */
const LOCK_MAX_BYTES = 128;

/** What a lock that is a file holds. A pipe in its place is not waited for, and what is long not read. */
function beginningOf(lock: string): string {
  const descriptor = openSync(lock, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(LOCK_MAX_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

const HOST = shortHash(hostname());
let startOfThisProcess: string | undefined;

function newOwner(): Owner {
  startOfThisProcess ??= startOf(process.pid);
  return { id: randomBytes(8).toString("hex"), host: HOST, pid: process.pid, started: startOfThisProcess };
}

function isDead({ host, pid, started }: Owner): boolean {
  return host === HOST && hasEnded(pid, started);
}

/**
 * Whether a process of this machine has ended.
 *
 * @param started when it began, as `startOf` told it: process ids are used again
 */
export function hasEnded(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isSystemError(error, "ESRCH");
  }
  return started !== "0" && started !== startOf(pid);
}

/** The locks in the notes home whose owners have died on this machine, by their names in the locks' folder. */
export function deadLocks(root: string): readonly string[] {
  const folder = join(root, LOCKS_FOLDER);
  return namesIn(folder).filter((name) => {
    const owner = read(join(folder, name));
    return owner !== undefined && isDead(owner);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/**
 * When a process began, as the system tells it; `0` where it does not.
 *
 * Fields 3 and 22 of Linux's `/proc/<pid>/stat`. The second field is a name that may hold blanks and
 * brackets. A process that has ended and that nobody has asked about yet counts as dead.
 */
export function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]$/u.test(fields[0] ?? "") ? "ended" : (fields[19] ?? "0");
  } catch {
    return "0";
  }
}
