import { formatTokens, remainingTokens } from "@notesoup/budget";
import { hasNode, NO_NODE } from "./helper-link.ts";
import type { CommandOutput, Host, On } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { passOn } from "./pass-on.ts";
import { tellPerson } from "./tell-person.ts";
import { measure } from "./usage.ts";

/** The skill with which a person asks how things stand, as the host names it. */
const STATUS = "notesoup:status";

/** Says what keeps the plugin from working as it was asked to, where anything does. */
export async function tellProblems($: Host, settings: PluginSettings): Promise<void> {
  for (const problem of await problemsOf($, settings)) tellPerson($, problem);
}

/** Says how things stand where a person asks. */
export function answerStatus(on: On, settings: PluginSettings): void {
  // The skill is there for the name alone: the answer is the plugin's, and costs no tokens.
  on("command.run", { command: STATUS }, ($) => statusOutput($, settings)).catch(passOn);
}

async function statusOutput($: Host, settings: PluginSettings): Promise<CommandOutput> {
  return { text: await statusText($, settings), isTextDisplayOnly: true };
}

async function statusText($: Host, settings: PluginSettings): Promise<string> {
  const usage = await measure($);
  const remaining = remainingTokens(usage);
  const left = remaining === null ? "tokens left: unknown" : `${formatTokens(remaining)} tokens left`;
  const end = settings.autoReset ? "emptied, and the next one begins with the notes" : "summed up by Claude Code";
  return [`window ${usage.windowId}; ${left}; at its end it is ${end}`, ...(await problemsOf($, settings))].join("\n");
}

async function problemsOf($: Host, settings: PluginSettings): Promise<readonly string[]> {
  return [...settings.warnings, ...((await hasNode($)) ? [] : [NO_NODE])];
}
