import { createHash, randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { hasEnded, startOf, TEMPORARY_PREFIX } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { Refused } from "@notesoup/tools";
import { isSystemError } from "./system-error.ts";

/** Who dreams, as the lock says it. */
export interface Holder {
  readonly run: string;
  readonly host: string;
  readonly pid: number;
  /** When the process began, as its system tells it: process ids are used again. */
  readonly started: string;
  /** ISO 8601. */
  readonly time: string;
}

/** A lock as it was found. */
export interface FoundLock {
  /** Absent where the file says no holder. */
  readonly holder?: Holder;
  /** `unreadable`: no dream wrote it as it is. `pending`: empty, and perhaps about to be written. */
  readonly life: "alive" | "dead" | "foreign" | "unreadable" | "pending";
  /** Stands for this very content. */
  readonly mark: string;
}

/** A file that is empty for longer is not about to be written. */
const PENDING_MS = 60_000;

/** The holder that this process is in a run. */
export function thisHolder(run: string, now: number): Holder {
  const time = new Date(now).toISOString();
  return { run, host: hostname(), pid: process.pid, started: startOf(process.pid), time };
}

/** Looks at a lock; `undefined` where there is none. */
export function findLock(path: string, now: number): FoundLock | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const mark = createHash("sha256").update(text, "utf8").digest("hex").slice(0, 16);
    const holder = holderIn(text);
    if (holder !== undefined) return { holder, life: lifeOf(holder), mark };
    const isPending = text === "" && now - statSync(path).mtimeMs < PENDING_MS;
    return { life: isPending ? "pending" : "unreadable", mark };
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    // A folder in its place is nobody's, and nothing that could be taken over.
    if (isSystemError(error, "EISDIR")) return { life: "foreign", mark: "" };
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { run, host, pid, started, time } = value as Record<string, unknown>;
  const isWhole =
    typeof run === "string" &&
    typeof host === "string" &&
    typeof started === "string" &&
    typeof time === "string" &&
    Number.isSafeInteger(pid) &&
    Number(pid) > 0;
  return isWhole ? { run, host, pid: Number(pid), started, time } : undefined;
}

function lifeOf({ host, pid, started }: Holder): "alive" | "dead" | "foreign" {
  if (host !== hostname()) return "foreign";
  return hasEnded(pid, started) ? "dead" : "alive";
}

/**
 * Takes the lock. One whose holder has died on this machine, or that no dream wrote, is taken over by
 * one of those who try.
 *
 * @throws Refused `dream_locked`
 */
export function acquireLock(path: string, holder: Holder, now: number): void {
  if (create(path, holder)) return;
  const found = findLock(path, now);
  if (found !== undefined && isFree(found) && takeOver(path, found, holder, now)) return;
  // It was released, or taken over, between two looks: whoever tries again finds out which.
  throw lockedBy(findLock(path, now) ?? found);
}

function isFree({ life }: FoundLock): boolean {
  return life === "dead" || life === "unreadable";
}

/**
 * Takes a lock that nobody holds any more. The right to do so is a lock of its own, named after the
 * content that was found; whoever has it looks once more, and puts it in the lock's place by renaming
 * it. Who saw that content too but comes later finds another one.
 */
function takeOver(path: string, found: FoundLock, holder: Holder, now: number): boolean {
  const claim = `${path}.${found.mark}`;
  if (!create(claim, holder)) {
    const other = findLock(claim, now);
    if (other === undefined || !isFree(other) || !takeOver(claim, other, holder, now)) return false;
  }
  if (findLock(path, now)?.mark === found.mark) {
    renameSync(claim, path);
    return true;
  }
  rmSync(claim, { force: true });
  return false;
}

/** Creates a lock with its holder in it, in one step; `false` where it exists. */
function create(path: string, holder: Holder): boolean {
  const text = JSON.stringify(holder);
  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}${randomUUID()}.tmp`);
  writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    if (!isSystemError(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return createWithoutLink(path, text);
}

/** Where a file cannot have two names it is empty for a moment. */
function createWithoutLink(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  }
}

/** Whether a run holds the lock. */
export function isHeldBy(path: string, run: string, now: number): boolean {
  return findLock(path, now)?.holder?.run === run;
}

/** Releases the lock, if the run holds it. */
export function releaseLock(path: string, run: string, now: number): void {
  if (isHeldBy(path, run, now)) rmSync(path, { force: true });
}

/** The refusal of a home in which somebody dreams. */
function lockedBy(found: FoundLock | undefined): Refused {
  const holder = found?.holder;
  if (found === undefined || found.life === "pending")
    return new Refused("dream_locked", "another dream is just beginning; try again when it has ended");
  if (holder === undefined)
    return new Refused(
      "dream_locked",
      "what stands at .dream.lock in the notes home says no holder; if nobody dreams, remove it",
    );
  const who = `a dream holds the notes since ${oneLine(holder.time)}: process ${holder.pid} on ${oneLine(holder.host)}`;
  const wayOn =
    found.life === "foreign"
      ? "whether it lives cannot be told from here; if it does not, remove .dream.lock in the notes home"
      : "try again when it has ended";
  return new Refused("dream_locked", `${who}; ${wayOn}`);
}
