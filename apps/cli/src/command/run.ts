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
    process.exitCode = await told(error, isJson);
  }
}

/** Tells of an error that was expected, and gives the exit code for it. */
async function told(error: unknown, isJson: boolean): Promise<number> {
  // Commander has said it already.
  if (error instanceof CommanderError) return DONE_CODES.includes(error.code) ? EXIT.done : EXIT.wrongUse;
  if (error instanceof WrongUse) {
    complain("invalid_arguments", error.message);
    return EXIT.wrongUse;
  }
  const refusal = await refusalOf(error);
  if (refusal === undefined) throw error;
  complain(refusal.code, refusal.error);
  if (isJson) sayJson(refusal);
  return EXIT.refused;
}

async function refusalOf(error: unknown): Promise<{ readonly error: string; readonly code: string } | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Refused) return { error: error.message, code: error.code };
  // What the system refused: a folder for temporary files that is not there, say.
  if ("syscall" in error) return { error: error.syscall === "uv_cwd" ? NO_FOLDER : error.message, code: "io" };
  const { REFUSAL_CODES } = await import("@notesoup/protocol");
  // What the libraries refuse, they do with a code of the protocol.
  const code = REFUSAL_CODES.find((each) => "code" in error && each === error.code);
  return code === undefined ? undefined : { error: error.message, code };
}

const NO_FOLDER = "the current folder does not exist any more; change to another one";
