/**
 * Every code with which the registry, and the tools on top of it, refuse.
 *
 * About references:
 * - `unknown_reference`: the registry never issued it, or has been cleared since
 * - `retired_reference`: the file behind it changed, or it is older than the newest that are kept
 * - `pending_reference`: the edit that it stands for is not saved yet; `rejected_reference`: it was not saved
 * - `foreign_session`, `foreign_worktree`: it belongs to another session, or to another root
 * - `altered_result`: the text is not, unit for unit, the one that was issued
 * - `not_consumable`: a result such as an error, a diff or the receipt of a deletion names nothing to work on
 * - `wrong_kind`: it names something that this operation cannot work on
 * - `incomplete`: the result does not hold all that was asked for, so that it cannot be edited as a whole
 * - `outside_scope`: more was asked for than the reference covers
 *
 * About files and positions:
 * - `stale_source`: the file is not the one that was seen; `source_missing`: it is gone; `source_moved`: its
 *   name leads to another file
 * - `not_found`, `not_utf8`, `binary`, `too_large`, `unreadable`: there is no such file, it has no text, or
 *   too much of it, or it cannot be read
 * - `invalid_range`: a position or a selection that does not exist
 * - `splits_code_point`, `splits_crlf`: a range begins or ends inside a surrogate pair, or between CR and LF
 * - `ill_formed_text`: a text holds a lone surrogate
 * - `text_not_found`, `text_ambiguous`, `exact_text_blocked`: a text to find is not there, is there more than
 *   once, or may not be looked for until an edit by reference has succeeded in the file
 *
 * About edits:
 * - `overlap`: it touches what another edit of the same batch replaces
 * - `conflict_on_disk`: a file changed between the acceptance of edits and their saving
 * - `scope_closed`: the script, or the message, that it belongs to has ended; `cancelled`: the caller gave up
 * - `write_failed`: the file system would not write
 * - `label_in_text`: a text to write holds the label of an issued result
 * - `destination_exists`, `needs_recursive`: the words that would allow it are missing
 * - `changed_since`: the file changed after the edit that should be undone
 *
 * About calls:
 * - `invalid_arguments`: not as the parameters say; `empty_query`: there is nothing to look for; `unmatched`: a marker is
 *   never closed; `syntax_error`: a pattern is not understood; `engine_missing`: what it needs is not installed
 */
export const REFUSAL_CODES = [
  "unknown_reference",
  "retired_reference",
  "pending_reference",
  "rejected_reference",
  "foreign_session",
  "foreign_worktree",
  "altered_result",
  "not_consumable",
  "wrong_kind",
  "incomplete",
  "outside_scope",
  "stale_source",
  "source_missing",
  "source_moved",
  "not_found",
  "not_utf8",
  "binary",
  "too_large",
  "unreadable",
  "invalid_range",
  "splits_code_point",
  "splits_crlf",
  "ill_formed_text",
  "text_not_found",
  "text_ambiguous",
  "exact_text_blocked",
  "overlap",
  "conflict_on_disk",
  "scope_closed",
  "cancelled",
  "write_failed",
  "label_in_text",
  "destination_exists",
  "needs_recursive",
  "changed_since",
  "invalid_arguments",
  "empty_query",
  "unmatched",
  "syntax_error",
  "engine_missing",
] as const;

/** A code with which the registry, or a tool on top of it, refuses. */
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/**
 * An expected failure. It says in one line what was wrong and names one next step; it never falls
 * back to a wider or a similar target, and never shows a path outside of the worktree.
 */
export class Refusal extends Error {
  /** What went wrong: stable, for programs. */
  readonly code: RefusalCode;
  /** The one thing to do next. */
  readonly next: string;
  /** Facts for programs, where there are any. */
  readonly detail: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: RefusalCode,
    what: string,
    next: string,
    options: { detail?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(`${what}; ${next}`, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "Refusal";
    this.code = code;
    this.next = next;
    this.detail = options.detail;
  }
}
