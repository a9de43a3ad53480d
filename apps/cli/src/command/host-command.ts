import { spawn } from "node:child_process";
import { Refused } from "./refused.ts";

/** A command as a person can type it. */
export function typed(command: readonly string[]): string {
  return command.map(quoted).join(" ");
}

/** An argument as a shell takes it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/u.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Runs a host's own command. What it prints is shown on standard error, so that standard output is ours.
 *
 * @throws Refused `host_failed`
 */
export async function runHost(command: readonly string[]): Promise<void> {
  const [program = "", ...args] = command;
  // In a group of its own, for Ctrl-C on a terminal is for its whole group: what has begun is finished.
  const child = spawn(program, args, { stdio: ["ignore", process.stderr, process.stderr], detached: true });
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (failure !== undefined) throw new Refused("host_failed", `${command.join(" ")}: ${failure}`);
}
