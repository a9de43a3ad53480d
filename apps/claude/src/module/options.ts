import { parseSettings, SETTINGS_KEY } from "@notesoup/settings";

/** What a person has set for the plugin. */
export interface PluginSettings {
  /** The folder of the notes; `null` where it is not set. */
  readonly notesHome: string | null;
  readonly agent: string | null;
  readonly reminderMarginTokens: number;
  readonly lastWordMarginTokens: number;
  /** Whether a compaction begins a window with a boot, in place of a summary. */
  readonly autoReset: boolean;
  /** One line each, for a person: what was given and could not be used. */
  readonly warnings: readonly string[];
}

/** Reads the options that the host hands over. A field that was left empty is not set. */
export function pluginSettings(options: Readonly<Record<string, unknown>>): PluginSettings {
  const given = Object.entries(options).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const { notesHome, ...others } = Object.fromEntries(given);
  const { values, warnings } = parseSettings(others);
  const isHome = typeof notesHome === "string";
  const homeWarning = isHome || notesHome === undefined ? [] : ["the setting notesHome was ignored: expected a path"];
  return {
    notesHome: isHome ? notesHome : null,
    agent: values.agent ?? null,
    reminderMarginTokens: values.reminderMarginTokens,
    lastWordMarginTokens: values.lastWordMarginTokens,
    autoReset: values.autoReset,
    warnings: [
      ...homeWarning,
      ...warnings.map(
        ({ key, message }) => `the setting ${key.slice(SETTINGS_KEY.length + 1)} was ignored: ${message}`,
      ),
    ],
  };
}
