import { runHost, typed } from "./host-command.ts";
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
  const command = [pi, remove ? "remove" : "install", from];
  if (yes) await uninterrupted(() => runHost(command));
  if (json) sayJson({ host: "pi", command, done: yes });
  else say(yes ? doneText(remove) : planText(command, remove));
}

function planText(command: readonly string[], remove: boolean): string {
  return [
    `would run: ${typed(command)}`,
    "Nothing was changed. Run the same again with --yes to do it.",
    ...(remove ? [] : ["With --remove --yes it is taken back; notes and sessions stay."]),
  ].join("\n");
}

function doneText(remove: boolean): string {
  return remove
    ? "Pi has no tools of notesoup any more. The notes stay."
    : "Pi has the tools of notesoup from its next session on. Tell your agent to remember something.";
}
