import type { Command } from "commander";
import type { IdentityFlags } from "./identity.ts";

/** The flags that every command of notes has. */
export interface NotesFlags extends IdentityFlags {
  readonly json?: boolean;
}

/** Gives a command these flags. */
export function withNotesFlags(command: Command): Command {
  return command
    .option("--json", "print the result as JSON, on one line")
    .option("--cwd <folder>", "whose project @project/ is; the current folder if absent")
    .option("--home <folder>", "where the notes lie; $NOTESOUP_HOME or ~/.agents/notes if absent")
    .option("--session <id>", "whose notes those without an @ are")
    .option("--agent <name>", "whose notes @self/ are, such as pi")
    .option("--model <name>", "whose notes @model/ are");
}
