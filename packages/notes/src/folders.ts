import { mkdir, open, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isSystemError } from "./system-error.ts";

/**
 * Makes a folder and those above it that are missing. If one cannot be made, those that were made
 * for it are removed again.
 *
 * @returns the folders that were made, outermost first
 */
export async function makeFolders(folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    await make(folder, made);
  } catch (error) {
    await removeFolders(made);
    throw error;
  }
  return made;
}

async function make(folder: string, made: string[]): Promise<void> {
  try {
    await makeOne(folder, made);
  } catch (error) {
    if (!isSystemError(error, "ENOENT") || dirname(folder) === folder) throw error;
    await make(dirname(folder), made);
    // Once: some file systems (`/proc`) say that a folder is not there whose parent is.
    await makeOne(folder, made);
  }
}

async function makeOne(folder: string, made: string[]): Promise<void> {
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
}

/** Removes folders that were made in vain, innermost first. One in which somebody has put something meanwhile stays. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of made.toReversed()) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

/** Makes the entries of a folder durable. Windows cannot open a folder, and some file systems cannot flush one. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // What the folder holds is written and in its place all the same.
  }
}
