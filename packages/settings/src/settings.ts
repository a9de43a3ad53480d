/** The settings of notesoup, each with its value or its default. */
export interface Settings {
  /** The name under which the agent keeps notes about itself (`@self/`). The host's own name where it is not set. */
  readonly agent: string | undefined;
}

/** A setting that was given and could not be used; its default stands instead. */
export interface SettingsWarning {
  /** The key, dotted from the root: `notesoup.agent`. */
  readonly key: string;
  /** One line for a person: what was expected and what was found. */
  readonly message: string;
}

/** The key under which a host's own settings hold ours. */
export const SETTINGS_KEY = "notesoup";

/**
 * Reads the settings out of what a host keeps under {@link SETTINGS_KEY}. Never throws: a bad value
 * is ignored with one warning that names its key, and an unknown key is named too, for it is
 * probably misspelt.
 */
export function parseSettings(raw: unknown): {
  readonly values: Settings;
  readonly warnings: readonly SettingsWarning[];
} {
  const warnings: SettingsWarning[] = [];
  if (raw === undefined || raw === null) return { values: { agent: undefined }, warnings };
  if (typeof raw !== "object" || Array.isArray(raw)) {
    return {
      values: { agent: undefined },
      warnings: [{ key: SETTINGS_KEY, message: `expected an object, found ${kindOf(raw)}` }],
    };
  }
  let agent: string | undefined;
  for (const [name, value] of Object.entries(raw)) {
    const key = `${SETTINGS_KEY}.${name}`;
    if (name !== "agent") warnings.push({ key, message: "is not a setting; known: agent" });
    else if (typeof value === "string" && value.trim() !== "") agent = value;
    else warnings.push({ key, message: `expected a name, found ${kindOf(value)}` });
  }
  return { values: { agent }, warnings };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string" && value.trim() === "") return "an empty text";
  return `a value of type ${typeof value}`;
}
