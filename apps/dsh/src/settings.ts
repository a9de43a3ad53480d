import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { slugify } from "@notesoup/notes";
import { parseSettings, type Settings } from "@notesoup/settings";

/** The configuration of a row, ready for use. */
export interface DshSettings extends Omit<Settings, "widget"> {
  /** The root of all notes, absolute. */
  readonly home: string;
  /** Tokens that are kept free of the model's window; by its size if absent. */
  readonly reserveTokens: number | undefined;
}

/** What a row was given, and what of it could not be used. */
export interface GivenSettings {
  readonly settings: DshSettings;
  /** One line each, for a person. */
  readonly warnings: readonly string[];
}

/** Reads a row's configuration. What cannot be used is ignored with a warning; the host checks nothing of it. */
export function settingsOf(config: unknown, env: NodeJS.ProcessEnv = process.env): GivenSettings {
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config);
  const { home, reserveTokens, ...others } = (isObject ? config : {}) as Readonly<Record<string, unknown>>;
  const parsed = parseSettings(isObject ? others : config);
  const warnings = parsed.warnings.map(({ key, message }) => `the setting ${key} was ignored: ${message}`);
  const own = { home: homeOf(home, env), reserveTokens: tokensOf(reserveTokens), agent: agentOf(parsed.values.agent) };
  if (home !== undefined && own.home === undefined)
    warnings.push("the setting home was ignored: expected an absolute path");
  if (reserveTokens !== undefined && own.reserveTokens === undefined)
    warnings.push("the setting reserveTokens was ignored: expected a whole number of tokens, 0 or more");
  if (parsed.values.agent !== undefined && own.agent === undefined)
    warnings.push(
      `the setting agent was ignored: ${JSON.stringify(parsed.values.agent)} has no letter of a-z and no digit to make a name of`,
    );
  const { enabled, reminderMarginTokens, lastWordMarginTokens, autoReset } = parsed.values;
  return {
    settings: {
      enabled,
      reminderMarginTokens,
      lastWordMarginTokens,
      autoReset,
      ...own,
      home: own.home ?? defaultHome(env),
    },
    warnings,
  };
}

/** `$NOTESOUP_HOME`, else `~/.agents/notes`: one home for every host. */
function defaultHome(env: NodeJS.ProcessEnv): string {
  const set = env["NOTESOUP_HOME"];
  return set === undefined || set === "" ? join(homedir(), ".agents", "notes") : resolve(set);
}

function homeOf(home: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (typeof home !== "string") return undefined;
  const path = home.startsWith("~/") ? join(env["HOME"] ?? homedir(), home.slice(2)) : home;
  return isAbsolute(path) ? path : undefined;
}

function tokensOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function agentOf(agent: string | undefined): string | undefined {
  try {
    return agent === undefined ? undefined : slugify(agent);
  } catch {
    return undefined;
  }
}

/**
 * What keeps a home from being written, or `undefined`. Where it is not there yet, the folder counts
 * in which it will be made: nothing is made here.
 */
export function whyNotWritable(home: string): string | undefined {
  try {
    if (!statSync(home).isDirectory()) return "it is no folder";
    accessSync(home, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(home) !== home) return whyNotWritable(dirname(home));
    return code === "ENOTDIR" ? "a part of its path is no folder" : (code ?? String(error));
  }
}
