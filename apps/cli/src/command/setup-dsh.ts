import { stat } from "node:fs/promises";
import { runHost, typed } from "./host-command.ts";
import { uninterrupted } from "./interrupt.ts";
import { onPath } from "./on-path.ts";
import { say, sayJson } from "./output.ts";
import { Refused, WrongUse } from "./refused.ts";

/** The flags of `notesoup setup dsh`. */
export interface DshSetupFlags {
  readonly yes?: boolean;
  readonly remove?: boolean;
  readonly from: string;
  readonly profile: string;
  readonly json?: boolean;
}

/** The name of the bundle, by which it is removed. */
const BUNDLE = "@notesoup/dsh";

/**
 * Adds the bundle to a profile with dsh's own command, or removes it: no file of dsh is touched from here.
 *
 * @throws Refused `host_not_found`, `host_failed`; WrongUse for the folder of a package
 */
export async function setupDsh(flags: DshSetupFlags): Promise<void> {
  const { yes = false, remove = false, json = false, from, profile } = flags;
  const dsh = await program("dsh", "npm install -g @deepseek-ai/dsh");
  await program("pnpm", "npm install -g pnpm; dsh installs its plugins with it");
  const what = remove ? ["remove", BUNDLE] : ["add", await packageIn(from)];
  const command = [dsh, "plugin", "--profile", profile, ...what];
  if (yes) await uninterrupted(() => runHost(command));
  if (json) sayJson({ host: "dsh", command, done: yes });
  else say(yes ? doneText(profile, remove) : planText(command, remove));
}

async function program(name: string, remedy: string): Promise<string> {
  const found = await onPath(name, process.env["PATH"]);
  if (found === undefined)
    throw new Refused("host_not_found", `there is no ${name} on the PATH; install it with ${remedy}`);
  return found;
}

/** What pnpm is given. It would link a folder, whose package then finds none of the packages of the host. */
async function packageIn(from: string): Promise<string> {
  const isFolder = await stat(from).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder)
    throw new WrongUse(
      `${from} is a folder, which dsh would link; run npm pack in it, and name the .tgz that it makes`,
    );
  return from.replace(/^npm:/u, "");
}

function planText(command: readonly string[], remove: boolean): string {
  return [
    `would run: ${typed(command)}`,
    "Nothing was changed. Run the same again with --yes to do it.",
    ...(remove ? [] : ["With --remove --yes it is taken back; notes and sessions stay."]),
  ].join("\n");
}

function doneText(profile: string, remove: boolean): string {
  return remove
    ? `The profile ${profile} of dsh has no rows of notesoup any more. The notes stay.`
    : `The profile ${profile} of dsh has the rows of notesoup from its next start on. Tell your agent to remember something.`;
}
