export { DEFAULT_SETTINGS, parseSettings, SETTINGS_KEY } from "./settings.ts";
export type { Settings, SettingsWarning } from "./settings.ts";
