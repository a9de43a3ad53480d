import { closeSync, fsync, mkdirSync, openSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { awaited } from "./awaited-call.ts";
import { isSystemError } from "./system-error.ts";

/**
 * Makes a folder and those above it that are missing. If one cannot be made, those that were made
 * for it are removed again.
 *
 * @returns the folders that were made, outermost first
 */
export function makeFolders(folder: string): readonly string[] {
  const made: string[] = [];
  try {
    make(folder, made);
  } catch (error) {
    removeFolders(made);
    throw error;
  }
  return made;
}

function make(folder: string, made: string[]): void {
  try {
    makeOne(folder, made);
  } catch (error) {
    if (!isSystemError(error, "ENOENT") || dirname(folder) === folder) throw error;
    make(dirname(folder), made);
    // Once: some file systems (`/proc`) say that a folder is not there whose parent is.
    makeOne(folder, made);
  }
}

function makeOne(folder: string, made: string[]): void {
  try {
    mkdirSync(folder);
    made.push(folder);
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
}

/** Removes folders that were made in vain, innermost first. One in which somebody has put something meanwhile stays. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of made.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** Waits until what was written through a descriptor is on the disk. */
export function flush(descriptor: number): Promise<void> {
  return awaited((done) => fsync(descriptor, (error) => done(error)));
}

/** The flush of a folder that has not begun yet, by folder: whoever comes before it begins is served by it. */
const nextFlushes = new Map<string, Promise<void>>();
const runningFlushes = new Map<string, Promise<void>>();

/**
 * Makes the entries of a folder durable. Notes that are replaced at once in one folder share a flush
 * that begins after the last of them.
 */
export function flushFolder(folder: string): Promise<void> {
  const running = runningFlushes.get(folder);
  if (running === undefined) return beginFlush(folder);
  const next = nextFlushes.get(folder) ?? running.then(() => beginFlush(folder));
  nextFlushes.set(folder, next);
  return next;
}

function beginFlush(folder: string): Promise<void> {
  nextFlushes.delete(folder);
  const flushing = flushNow(folder).finally(() => runningFlushes.delete(folder));
  runningFlushes.set(folder, flushing);
  return flushing;
}

/** Windows cannot open a folder, and some file systems cannot flush one. */
async function flushNow(folder: string): Promise<void> {
  try {
    const descriptor = openSync(folder, "r");
    try {
      await flush(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // What the folder holds is written and in its place all the same.
  }
}
