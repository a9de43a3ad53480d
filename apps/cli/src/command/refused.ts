/**
 * Every code with which the command itself refuses, beside those of the operations.
 *
 * - `changed`: somebody else changed the note meanwhile
 * - `editor_failed`: the editor could not be started, or ended with an error; `no_editor`: none is named
 * - `empty_input`: nothing came on standard input
 * - `host_not_found`: the host is not on the PATH; `host_failed`: its own command failed
 * - `invalid_cwd`: the folder whose project is meant is none
 * - `not_utf8`: what was handed in is no UTF-8; `too_large`: it is more than a note can hold
 */
export type CommandCode =
  | "changed"
  | "editor_failed"
  | "no_editor"
  | "empty_input"
  | "host_not_found"
  | "host_failed"
  | "invalid_cwd"
  | "not_utf8"
  | "too_large";

/** An expected failure of the command itself. */
export class Refused extends Error {
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}

/** The command was called in a way that it does not have. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
