import { Refusal } from "@notesoup/ide-registry";

/**
 * A failure of the file system as a caller gets it: with its code, and without its message, which shows paths of the
 * machine. Anything else as it is.
 */
export function codedFailure(failure: unknown, isWrite: boolean): unknown {
  if (failure instanceof Refusal || !(failure instanceof Error) || !("code" in failure)) return failure;
  const code = String(failure.code);
  if (!/^E[A-Z0-9]+$/u.test(code)) return failure;
  return isWrite
    ? new Refusal(
        "write_failed",
        `the file system failed (${code})`,
        "look at the file and its folder, then edit again",
        { cause: failure },
      )
    : new Refusal("unreadable", `the file system failed (${code})`, "make the file or folder readable", {
        cause: failure,
      });
}
