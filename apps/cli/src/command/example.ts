import type { Command } from "commander";
import { styled } from "./output.ts";

const examples = new WeakMap<Command, string>();

/** Gives a command the example that its help ends with: a line for a shell, which runs as it stands. */
export function withExample(command: Command, example: string): Command {
  examples.set(command, example);
  return command.addHelpText("after", ({ error }) => {
    const title = styled("bold", "Example:", error ? process.stderr : process.stdout);
    return `\n${title}\n  ${example}`;
  });
}

/** The example of a command. */
export function exampleOf(command: Command): string | undefined {
  return examples.get(command);
}
