import { NoteError } from "@notesoup/notes";
import { type Command, CommanderError } from "commander";
import { complain, sayJson } from "./output.ts";
import { Refused, WrongUse } from "./refused.ts";

/** The exit codes: done, refused, wrong use. */
const EXIT = { done: 0, refused: 1, wrongUse: 2 } as const;

/** Help and version are what was asked for; `commander.help` is the help for a command that lacks its subcommand. */
const DONE_CODES: readonly string[] = ["commander.helpDisplayed", "commander.version"];

/** Runs the command. What is refused is one line on standard error, and the exit code says so. */
export async function run(program: Command, args: readonly string[]): Promise<void> {
  let isJson = false;
  program.hook("preAction", (_program, command) => {
    isJson = command.opts<{ readonly json?: boolean }>().json === true;
  });
  try {
    if (args.length === 0) await (await import("./welcome.ts")).welcome();
    else await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = told(error, isJson);
  }
}

/** Tells of an error that was expected, and gives the exit code for it. */
function told(error: unknown, isJson: boolean): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return DONE_CODES.includes(error.code) ? EXIT.done : EXIT.wrongUse;
  if (error instanceof WrongUse) {
    complain("invalid_arguments", error.message);
    return EXIT.wrongUse;
  }
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  complain(refusal.code, refusal.error);
  if (isJson) sayJson(refusal);
  return EXIT.refused;
}

function refusalOf(error: unknown): { readonly error: string; readonly code: string } | undefined {
  if (error instanceof Refused || error instanceof NoteError) return { error: error.message, code: error.code };
  // What the system refused: a folder for temporary files that is not there, say.
  if (error instanceof Error && "syscall" in error) return { error: error.message, code: "io" };
  return undefined;
}
