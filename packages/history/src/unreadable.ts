import { HistoryError } from "./error.ts";

/** A failure of the file system as one of history; the message never shows where the file lies. Any other stays what it is. */
export function unreadable(error: unknown): unknown {
  if (error instanceof HistoryError || !(error instanceof Error) || !("code" in error)) return error;
  const message = `the session's file cannot be read: ${String(error.code)}; see that it is there and may be read`;
  return new HistoryError("session_unreadable", message, { cause: error });
}

/** A file has not at a place what was read there before. */
export function changedMeanwhile(): HistoryError {
  return new HistoryError("session_unreadable", "the session's file was changed while it was read; try again");
}
