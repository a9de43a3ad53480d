import { NoteError } from "@notesoup/notes";
import { coded } from "@notesoup/notes/maintenance";
import { type Answer, answering } from "@notesoup/tools";

/** Whether `error` came from the system with one of these codes, or with any where none are given. */
export function isSystemError(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return codes.length === 0 ? /^E[A-Z0-9]+$/u.test(error.code) : codes.includes(error.code);
}

/** A failure as a dream's callers get it: one of the file system is `io`, any other as it is. */
export function expected(error: unknown): unknown {
  return error instanceof NoteError ? error : coded("write", "the notes home", error);
}

/** Runs an operation of a dream; an expected failure becomes its answer. */
export function dreaming<Success>(operation: () => Promise<Answer<Success>>): Promise<Answer<Success>> {
  return answering(async () => {
    try {
      return await operation();
    } catch (error) {
      throw expected(error);
    }
  });
}
