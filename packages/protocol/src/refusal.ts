import { type Static, Type } from "typebox";
import { exactly } from "./schema.ts";

/**
 * Every code with which an operation refuses, in alphabetical order. The codes are part of the
 * protocol: agents and scripts act on them.
 *
 * - `already_exists`: a live note is where one should be moved
 * - `ambiguous_match`: the old text of an edit is in the body more than once; the message names the lines
 * - `ambiguous_session`: several sessions begin with the selector; the message names them
 * - `audit_unavailable`: what a dream does cannot be recorded: no git, or a repository in the notes home that is
 *   not the audit's or not in order
 * - `changed_since`: somebody has changed the note since the dream read it
 * - `dream_aborted`: the dream is over, stopped by a limit or a rule; nothing of it was kept
 * - `dream_locked`: another dream holds the notes home
 * - `empty_edit`: the old text of an edit is empty
 * - `gate_closed`: it is not yet time for a dream, or the store is not healthy; the message says how far it is
 * - `invalid_address`: the address is not well-formed; `unknown_scope`: its leading `@…` names nothing
 * - `invalid_cwd`: the call's `cwd` is not an existing directory
 * - `invalid_glob`: the glob is not of the dialect
 * - `invalid_identity`: the host's session, project, agent or model cannot name a directory
 * - `invalid_range`: a number of the call is out of its range, or the two ends of a range leave nothing between them
 * - `invalid_text`: a text holds a lone surrogate, which no file can hold, or an argument is of another type
 * - `invalid_time`: a time is neither ISO 8601 nor a date
 * - `io`: the file system failed; the message has its code
 * - `locked`: another process holds the note for too long
 * - `no_match`: the old text of an edit is not in the body
 * - `not_found`: there is no such note
 * - `not_utf8`: the file is not valid UTF-8 and is left as it is
 * - `nothing_to_do`: an update was given neither an edit nor an option
 * - `out_of_scope`: in a dream, the note is none that may be changed
 * - `outside_home`: a link leads out of the notes home
 * - `output_too_large`: the result cannot be made to fit the output budget
 * - `page_too_large`: not one row of a page of the history fits the output budget
 * - `read_only`: this address can be read only, or its frontmatter has no line that can be changed by itself
 * - `seq_not_found`: no event of the active branch has this seq; for a result's own slot the message names its call's
 * - `session_not_found`: no session has this name
 * - `session_unreadable`: the record of the session cannot be read
 * - `too_large`: the note is, or would become, larger than a note may be; or a search is for more text than
 *   a note may hold
 * - `wildcard_bounds`: bounds by seq, which are of one session, in a call for several
 */
export const REFUSAL_CODES = [
  "already_exists",
  "ambiguous_match",
  "ambiguous_session",
  "audit_unavailable",
  "changed_since",
  "dream_aborted",
  "dream_locked",
  "empty_edit",
  "gate_closed",
  "invalid_address",
  "invalid_cwd",
  "invalid_glob",
  "invalid_identity",
  "invalid_range",
  "invalid_text",
  "invalid_time",
  "io",
  "locked",
  "no_match",
  "not_found",
  "not_utf8",
  "nothing_to_do",
  "out_of_scope",
  "outside_home",
  "output_too_large",
  "page_too_large",
  "read_only",
  "seq_not_found",
  "session_not_found",
  "session_unreadable",
  "too_large",
  "unknown_scope",
  "wildcard_bounds",
] as const;

/** A code with which an operation refuses: see {@link REFUSAL_CODES}. */
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A refusal on the wire. `error` is one sentence that says what was wrong and what to do. */
export const RefusalSchema = exactly({
  error: Type.String(),
  code: Type.String({ description: "stable name of the refusal" }),
});

/** A refusal on the wire: see {@link RefusalSchema}. */
export type Refusal = Static<typeof RefusalSchema>;
