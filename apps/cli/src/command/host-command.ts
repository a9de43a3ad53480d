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
  const child = spawn(program, args, { stdio: ["ignore", process.stderr, process.stderr] });
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (failure !== undefined) throw new Refused("host_failed", `${command.join(" ")}: ${failure}`);
}
