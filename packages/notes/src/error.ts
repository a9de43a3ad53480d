/**
 * Every code with which the store refuses.
 *
 * - `invalid_identity`: a field of the identity cannot name a directory; or nothing of a name, or of a
 *   folder, can be made one
 * - `invalid_address`: an address is not well-formed; `unknown_scope`: its leading `@…` names nothing
 * - `invalid_glob`: a glob is not of the dialect
 * - `invalid_text`: an address or a text holds a lone surrogate; or what was given is not of the type that
 *   it must have
 * - `read_only`: notes at this address can be read only, or the note's frontmatter has no line that can be
 *   changed by itself
 * - `not_found`: there is no such note
 * - `already_exists`: a live note is where one should be moved
 * - `no_match`, `ambiguous_match`, `empty_edit`: an edit's old text is not in the body, is there more
 *   than once, or is empty
 * - `nothing_to_do`: an update was given neither an edit nor an option
 * - `locked`: another process holds the note for too long
 * - `too_large`: the note is, or would become, larger than a note may be; or a search is for more text than
 *   a note may hold; or a list has more than 100,000 edits or texts
 * - `not_utf8`: the file is not valid UTF-8; it is left as it is
 * - `outside_home`: a link leads out of the notes home
 * - `io`: the file system failed; the message has its code
 */
export type NoteErrorCode =
  | "invalid_identity"
  | "invalid_address"
  | "unknown_scope"
  | "invalid_glob"
  | "invalid_text"
  | "read_only"
  | "not_found"
  | "already_exists"
  | "no_match"
  | "ambiguous_match"
  | "empty_edit"
  | "nothing_to_do"
  | "locked"
  | "too_large"
  | "not_utf8"
  | "outside_home"
  | "io";

/** What an error tells beside its code and message. */
export interface NoteErrorDetails {
  readonly address?: string;
  readonly editIndex?: number;
  readonly lineNumbers?: readonly number[];
  readonly cause?: unknown;
}

/**
 * An expected failure of the store. The message is one sentence on one line: it names the address,
 * says what was wrong and what would work, and never shows a path of the notes home.
 */
export class NoteError extends Error {
  /** What went wrong: stable, for programs. */
  readonly code: NoteErrorCode;
  /** The address that it is about, where there is one. */
  readonly address: string | undefined;
  /** Which edit of an update failed, counted from 0. */
  readonly editIndex: number | undefined;
  /** The lines on which an ambiguous edit matches, counted from 1, of the body as the edits before it left it. */
  readonly lineNumbers: readonly number[] | undefined;

  constructor(code: NoteErrorCode, message: string, options: NoteErrorDetails = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "NoteError";
    this.code = code;
    this.address = options.address;
    this.editIndex = options.editIndex;
    this.lineNumbers = options.lineNumbers;
  }
}
