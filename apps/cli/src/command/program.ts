import { Command } from "commander";
import { addCompletion } from "./completion.ts";
import { withExample } from "./example.ts";
import { addHelp } from "./help.ts";
import { addHistory } from "./history/group.ts";
import { addNotes } from "./notes/group.ts";
import { complain, styled } from "./output.ts";
import { addSetup } from "./setup.ts";
import { addStatus } from "./status.ts";
import { version } from "./version.ts";

const EXIT_CODES = "Exit codes: 0 done, 1 refused, 2 wrong use, 130 stopped by Ctrl-C.";

/** The command with all that it can do. What a command works with is loaded when it runs, so that help is quick. */
export function createProgram(): Command {
  const program = new Command("notesoup")
    .description("See and correct what coding agents remember, and look up what they did.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    // Before there are commands: they inherit it.
    .exitOverride()
    .configureHelp({ styleTitle: (title) => styled("bold", title, process.stdout) });
  withExample(program, "notesoup status").addHelpText("after", `\n${EXIT_CODES}`);
  addNotes(program);
  addHistory(program);
  addStatus(program);
  addSetup(program);
  addCompletion(program);
  addHelp(program, "notesoup help notes list");
  addAdvice(program, program.name());
  return program;
}

/** What to do about words that are near to nothing: each command adds it to what commander says. */
function addAdvice(command: Command, words: string): void {
  for (const each of command.commands) addAdvice(each, `${words} ${each.name()}`);
  command.configureOutput({
    outputError: (text) => complain("invalid_arguments", withoutPrefix(text) + adviceOn(text, command, words)),
  });
}

function adviceOn(text: string, command: Command, words: string): string {
  if (/^error: unknown command '[^']*'\s*$/u.test(text)) return `; ${words} help lists them`;
  const isText = command.registeredArguments.length > 0 && /^error: unknown option '[^']*'\s*$/u.test(text);
  return isText ? "; a text that begins with - goes behind --, at the end of the line" : "";
}

/** Commander's message, with its advice, on one line. */
function withoutPrefix(text: string): string {
  return text
    .replace(/^error: /u, "")
    .trim()
    .replaceAll(/\s*\n\s*/gu, " ");
}
