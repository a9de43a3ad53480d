import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { slugify } from "@notesoup/notes";
import { parseSettings, type Settings, SETTINGS_KEY, type SettingsWarning } from "@notesoup/settings";
import { oneLine } from "@notesoup/text";
import { say } from "./say.ts";

/** notesoup's settings, ready for use in Pi. */
export interface PiSettings extends Omit<Settings, "agent"> {
  /** The slug under which the agent keeps its own notes. */
  readonly agent: string;
}

/** Pi has no name for its agent. */
const DEFAULT_AGENT = "pi";

/**
 * The settings as they are now: those of Pi, global and of a trusted project merged. Not to be
 * called while the extension loads.
 */
export function currentSettings(pi: ExtensionAPI): PiSettings & { readonly warnings: readonly SettingsWarning[] } {
  const settings: object = pi.getSettings();
  const { values, warnings } = parseSettings(Object.entries(settings).find(([key]) => key === SETTINGS_KEY)?.[1]);
  const { agent = DEFAULT_AGENT } = values;
  try {
    return { ...values, agent: slugify(agent), warnings };
  } catch {
    const warning = {
      key: `${SETTINGS_KEY}.agent`,
      message: `${JSON.stringify(agent)} has no letter of a-z and no digit to make a name of`,
    };
    return { ...values, agent: DEFAULT_AGENT, warnings: [...warnings, warning] };
  }
}

/** What was said of which session: Pi loads extensions anew within a session, and their modules with them. */
const SAID = Symbol.for("notesoup.pi.settings-said");

/** Says what is wrong with the settings, each thing once a session as long as Pi runs. */
export function warnOfSettings(pi: ExtensionAPI, ctx: ExtensionContext): void {
  const said = saidSoFar();
  for (const { key, message } of currentSettings(pi).warnings) {
    // A key is whatever stands in the file: it must not steer the terminal.
    const line = oneLine(`notesoup: the setting ${key} was ignored: ${message}`);
    const ofSession = JSON.stringify([ctx.sessionManager.getSessionId(), line]);
    if (said.has(ofSession)) continue;
    said.add(ofSession);
    say(ctx, line, "warning");
  }
}

function saidSoFar(): Set<string> {
  const kept = globalThis as { [SAID]?: Set<string> };
  return (kept[SAID] ??= new Set());
}
