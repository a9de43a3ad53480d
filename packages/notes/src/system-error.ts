import { oneLine, quote } from "@notesoup/text";
import { NoteError } from "./error.ts";

const WAYS_ON: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied; make the notes home readable and writable for this user"],
  ["EPERM", "the operation is not permitted; make the notes home readable and writable for this user"],
  ["EROFS", "the file system is read-only; choose a notes home that can be written"],
  ["ENOSPC", "no space is left on the device; free some and try again"],
  ["EDQUOT", "the disk quota is used up; free some space and try again"],
  ["EMFILE", "too many files are open; try again"],
  ["ENFILE", "too many files are open on this system; try again"],
  [
    "ENOTDIR",
    "a file stands where a folder is needed; choose another address, or another notes home if it is that file",
  ],
  ["EISDIR", "there is a folder of this name; choose another address"],
  ["ENOENT", "the folder cannot be made there; choose another notes home"],
  ["ENAMETOOLONG", "the path is too long for this file system; choose a shorter address"],
  ["ELOOP", "its links lead in a circle; repair them"],
]);

/** Whether `error` came from the system, with a code such as `ENOENT` or `UNKNOWN`; of these codes, where any are given. */
export function isSystemError(
  error: unknown,
  ...codes: readonly string[]
): error is NodeJS.ErrnoException & { readonly code: string } {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return codes.length === 0 ? /^[A-Z][A-Z0-9]*$/u.test(error.code) : codes.includes(error.code);
}

/** An address as a message shows it: as it can be typed, on one line, cut where it is very long. */
export function shownAddress(address: string): string {
  if (address.length > 200) return quote(address);
  const shown = oneLine(address);
  return shown.length <= 200 ? shown : quote(address);
}

/**
 * What a failure of the file system becomes: `io`, with the system's code and the note's address.
 * The system's own message is left out, for it shows paths of the machine; it is the `cause`.
 */
function ioError(
  doing: "read" | "write",
  address: string,
  error: NodeJS.ErrnoException & { readonly code: string },
): NoteError {
  const { code } = error;
  const wayOn = WAYS_ON.get(code) ?? "the file system failed; look at the notes home and try again";
  return new NoteError("io", `cannot ${doing} ${shownAddress(address)}: ${wayOn} (${code})`, { address, cause: error });
}

/** A failure as the store's callers get it: one of the file system coded with the note's address, any other as it is. */
export function coded(doing: "read" | "write", address: string, failure: unknown): unknown {
  return isSystemError(failure) ? ioError(doing, address, failure) : failure;
}
