import { type Static, Type } from "typebox";
import { exactly } from "./schema.ts";

/**
 * Every code with which an operation refuses, in alphabetical order. The codes are part of the
 * protocol: agents and scripts act on them.
 *
 * - `invalid_address`: the address is not well-formed; `unknown_scope`: its leading `@…` names nothing
 * - `invalid_cwd`: the call's `cwd` is not an existing directory
 * - `invalid_identity`: the host's session, project, agent or model cannot name a directory
 * - `invalid_range`: a number of the call is out of its range
 * - `invalid_text`: the text holds a lone surrogate, which no file can hold
 * - `io`: the file system failed; the message has its code
 * - `not_found`: there is no such note
 * - `not_utf8`: the file is not valid UTF-8 and is left as it is
 * - `outside_home`: a link leads out of the notes home
 * - `output_too_large`: the result cannot be made to fit the output budget
 * - `read_only`: this address can be read only, or its frontmatter has no line that can be changed by itself
 * - `too_large`: the note is, or would become, larger than a note may be
 */
export const REFUSAL_CODES = [
  "invalid_address",
  "invalid_cwd",
  "invalid_identity",
  "invalid_range",
  "invalid_text",
  "io",
  "not_found",
  "not_utf8",
  "outside_home",
  "output_too_large",
  "read_only",
  "too_large",
  "unknown_scope",
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
