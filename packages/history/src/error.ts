/**
 * Every code with which history refuses.
 *
 * - `seq_not_found`: no event of the active branch has this seq; where it is a result's own slot, the
 *   message names the seq of its call
 * - `session_not_found`: no session has this name; `ambiguous_session`: several begin with it
 * - `session_unreadable`: the session's file cannot be read, or is of a format that is not known
 */
export type HistoryErrorCode = "seq_not_found" | "session_not_found" | "ambiguous_session" | "session_unreadable";

/** An expected failure of history. The message is one sentence on one line that says what would work. */
export class HistoryError extends Error {
  /** What went wrong: stable, for programs. */
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HistoryError";
    this.code = code;
  }
}
