import { resolve } from "node:path";
import { isDeviceName } from "./device-name.ts";
import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";
import { SLUG_MAX_CHARS, slugify } from "./slug.ts";

/** Whose notes a store keeps, and where. */
export interface NotesIdentity {
  /** The root directory of all notes. Made absolute once, when the store is created. */
  readonly home: string;
  /** Names the session's notebook: one directory component, `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`. */
  readonly sessionId: string;
  /** Names the project's notebook: a directory component as `sessionId`; see `projectKey(cwd)`. */
  readonly projectKey: string;
  /** The agent's canonical slug; see `slugify(value)`. */
  readonly agent: string;
  /** The model's canonical slug; see `slugify(value)`. */
  readonly model: string;
}

/** No system takes a longer path. */
const PATH_MAX_UNITS = 32_767;
const SAFE_COMPONENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u;
const COMPONENT_RULE =
  "one to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or a digit, not ending in a dot, no Windows device name";
const SLUG_RULE = "a canonical lower-case slug, as slugify() makes it";

/** Whether a session id or a project key can name a directory on every platform. */
export function isSafeComponent(value: string): boolean {
  return value.length <= 128 && SAFE_COMPONENT.test(value) && !value.endsWith(".") && !isDeviceName(value);
}

/** Whether a name is the slug of itself. */
export function isSlug(value: string): boolean {
  if (value === "" || value.length > SLUG_MAX_CHARS) return false;
  try {
    return slugify(value) === value;
  } catch {
    // Nothing of the name could stand in a slug.
    return false;
  }
}

/**
 * A checked copy of an identity: later changes of the object that was given do not reach it.
 *
 * @throws NoteError `invalid_identity`, naming the field
 */
export function snapshotIdentity(identity: NotesIdentity): NotesIdentity {
  if (typeof identity !== "object" || (identity as unknown) === null)
    throw new NoteError("invalid_identity", `the identity is ${shownValue(identity)}; it must be an object`);
  const { home, sessionId, projectKey, agent, model } = identity;
  if (!isPath(home)) throw invalid("home", home, "the path of a directory");
  requireField("sessionId", sessionId, isSafeComponent, COMPONENT_RULE);
  requireField("projectKey", projectKey, isSafeComponent, COMPONENT_RULE);
  requireField("agent", agent, isSlug, SLUG_RULE);
  requireField("model", model, isSlug, SLUG_RULE);
  return Object.freeze({ home: resolve(home), sessionId, projectKey, agent, model });
}

/** Whether a value is text that can be a path. */
export function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= PATH_MAX_UNITS && !value.includes("\0");
}

function requireField(field: string, value: unknown, isGood: (value: string) => boolean, rule: string): void {
  if (typeof value !== "string" || !isGood(value)) throw invalid(field, value, rule);
}

function invalid(field: string, value: unknown, rule: string): NoteError {
  return new NoteError("invalid_identity", `identity.${field} is ${shownValue(value)}; it must be ${rule}`);
}
