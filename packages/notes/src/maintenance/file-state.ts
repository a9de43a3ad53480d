import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { isSystemError } from "../system-error.ts";
import { noteVersion } from "./note-version.ts";

/** A file as it is in one moment. */
export interface FileState {
  /** See `noteVersion`. */
  readonly version: string;
  /** SHA-256 of all bytes, hexadecimal. */
  readonly digest: string;
  /** Permission bits. */
  readonly mode: number;
  /** Time of the last change, milliseconds since 1970. */
  readonly mtimeMs: number;
  readonly bytes: Buffer;
}

/**
 * The state of the file at a path, links followed.
 *
 * @returns `undefined` where there is none
 * @throws a failure of the file system as it comes
 */
export function fileState(path: string): FileState | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
  try {
    const { mode, mtimeMs } = fstatSync(descriptor);
    const bytes = readFileSync(descriptor);
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { version: noteVersion(bytes), digest, mode: mode & 0o7777, mtimeMs, bytes };
  } finally {
    closeSync(descriptor);
  }
}
