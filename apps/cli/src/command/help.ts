import type { Command } from "commander";
import { withExample } from "./example.ts";
import { WrongUse } from "./refused.ts";

/** `help` among the commands of a group: prints the help of the command that some words name, however far below. */
export function addHelp(group: Command, example: string): void {
  const help = group
    .command("help")
    .description("print the help of a command")
    .argument("[command...]", "the words that call it")
    .action((words: readonly string[]) => printHelp(group, words));
  withExample(help, example);
}

/** @throws WrongUse */
async function printHelp(command: Command, [word, ...rest]: readonly string[]): Promise<void> {
  if (word === undefined) return command.outputHelp();
  const found = command.commands.find((each) => each.name() === word);
  if (found !== undefined) return printHelp(found, rest);
  if (command.commands.length === 0) throw new WrongUse(`${command.name()} has no commands, and so no ${word}`);
  // Calling what is not there says so, with the nearest right word.
  await command.parseAsync([word], { from: "user" });
}
