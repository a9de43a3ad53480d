import { spawn } from "node:child_process";
import { uninterrupted } from "./interrupt.ts";
import { onPath } from "./on-path.ts";
import { say, sayJson } from "./output.ts";
import { Refused } from "./refused.ts";

/** The flags of `notesoup setup pi`. */
export interface SetupFlags {
  readonly yes?: boolean;
  readonly remove?: boolean;
  readonly from: string;
  readonly json?: boolean;
}

/**
 * Installs the extension with Pi's own command, or removes it: no file of Pi is touched from here.
 *
 * @throws Refused `host_not_found`, `host_failed`
 */
export async function setupPi({ yes = false, remove = false, from, json = false }: SetupFlags): Promise<void> {
  const pi = await onPath("pi", process.env["PATH"]);
  if (pi === undefined)
    throw new Refused(
      "host_not_found",
      "there is no pi on the PATH; install it with npm install -g @earendil-works/pi-coding-agent",
    );
  const args = [remove ? "remove" : "install", from];
  if (yes) await uninterrupted(() => runHost(pi, args));
  if (json) sayJson({ host: "pi", command: [pi, ...args], done: yes });
  else say(yes ? doneText(remove) : planText([pi, ...args], remove));
}

function planText(command: readonly string[], remove: boolean): string {
  return [
    `would run: ${command.map(quoted).join(" ")}`,
    "Nothing was changed. Run the same again with --yes to do it.",
    ...(remove ? [] : ["With --remove --yes it is taken back; notes and sessions stay."]),
  ].join("\n");
}

function doneText(remove: boolean): string {
  return remove
    ? "Pi has no tools of notesoup any more. The notes stay."
    : "Pi has the tools of notesoup from its next session on. Tell your agent to remember something.";
}

/** An argument as a shell takes it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/u.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Runs the host's command. What it prints is shown on standard error, so that standard output is ours.
 *
 * @throws Refused `host_failed`
 */
async function runHost(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ["ignore", process.stderr, process.stderr] });
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });
  if (failure !== undefined) throw new Refused("host_failed", `${command} ${args.join(" ")}: ${failure}`);
}
