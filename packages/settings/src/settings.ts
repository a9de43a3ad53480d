/** The settings of notesoup, each with its value or its default. */
export interface Settings {
  /** The name under which the agent keeps notes about itself (`@self/`). The host's own name where it is not set. */
  readonly agent: string | undefined;
  /** Whether the window is counted down at all: reminders, last word and reset. */
  readonly enabled: boolean;
  /** Where the agent is reminded of the end of its window, in tokens left above the reserve; 0 for never. */
  readonly reminderMarginTokens: number;
  /** Where it is told so for the last time, in tokens left above the reserve; 0 for never. */
  readonly lastWordMarginTokens: number;
  /** Whether a window with nothing left above the reserve is emptied by itself. */
  readonly autoReset: boolean;
  /** Whether the host shows on its screen how much is left. */
  readonly widget: boolean;
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

/** What holds where a person has set nothing. */
export const DEFAULT_SETTINGS: Settings = {
  agent: undefined,
  enabled: true,
  reminderMarginTokens: 24_576,
  lastWordMarginTokens: 12_288,
  autoReset: true,
  widget: false,
};

/** What a value has to be, in words and as a check. */
interface Kind<Value> {
  readonly expected: string;
  readonly accepts: (value: unknown) => value is Value;
}

const name: Kind<string> = {
  expected: "a name",
  accepts: (value): value is string => typeof value === "string" && value.trim() !== "",
};

const flag: Kind<boolean> = {
  expected: "true or false",
  accepts: (value): value is boolean => typeof value === "boolean",
};

const tokens: Kind<number> = {
  expected: "a whole number of tokens, 0 or more",
  accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
};

const KINDS: { readonly [Key in keyof Settings]: Kind<NonNullable<Settings[Key]>> } = {
  agent: name,
  enabled: flag,
  reminderMarginTokens: tokens,
  lastWordMarginTokens: tokens,
  autoReset: flag,
  widget: flag,
};

/**
 * Reads the settings out of what a host keeps under {@link SETTINGS_KEY}. Never throws: a bad value
 * is ignored with one warning that names its key, and an unknown key is named too, for it is
 * probably misspelt.
 */
export function parseSettings(raw: unknown): {
  readonly values: Settings;
  readonly warnings: readonly SettingsWarning[];
} {
  if (raw === undefined || raw === null) return { values: DEFAULT_SETTINGS, warnings: [] };
  if (typeof raw !== "object" || Array.isArray(raw)) {
    return {
      values: DEFAULT_SETTINGS,
      warnings: [{ key: SETTINGS_KEY, message: `expected an object, found ${kindOf(raw)}` }],
    };
  }
  const warnings: SettingsWarning[] = [];
  const given: Partial<Record<keyof Settings, unknown>> = {};
  for (const [key, value] of Object.entries(raw)) {
    const problem = problemOf(key, value);
    if (problem === undefined) given[key as keyof Settings] = value;
    else warnings.push({ key: `${SETTINGS_KEY}.${key}`, message: problem });
  }
  // Each value has passed the check of its own key.
  return { values: { ...DEFAULT_SETTINGS, ...(given as Partial<Settings>) }, warnings };
}

function problemOf(key: string, value: unknown): string | undefined {
  if (!isKey(key)) return `is not a setting; known: ${Object.keys(KINDS).join(", ")}`;
  const { expected, accepts } = KINDS[key];
  return accepts(value) ? undefined : `expected ${expected}, found ${kindOf(value)}`;
}

function isKey(key: string): key is keyof Settings {
  return Object.hasOwn(KINDS, key);
}

function kindOf(value: unknown): string {
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string" && value.trim() === "") return "an empty text";
  return `a value of type ${typeof value}`;
}
