import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { parseSettings, SETTINGS_KEY, type Settings, type SettingsWarning } from "@notesoup/settings";

/**
 * notesoup's settings as they are now: those of Pi, global and of a trusted project merged. Not to
 * be called while the extension loads.
 */
export function currentSettings(pi: ExtensionAPI): {
  readonly values: Settings;
  readonly warnings: readonly SettingsWarning[];
} {
  const settings: object = pi.getSettings();
  return parseSettings(Object.entries(settings).find(([key]) => key === SETTINGS_KEY)?.[1]);
}

/** Says once a session what is wrong with the settings: on the screen, or on standard error where there is none. */
export function warnOfSettings(pi: ExtensionAPI, ctx: ExtensionContext): void {
  for (const { key, message } of currentSettings(pi).warnings) {
    const line = `notesoup: the setting ${key} was ignored: ${message}`;
    if (ctx.hasUI) ctx.ui.notify(line, "warning");
    else console.error(line);
  }
}
