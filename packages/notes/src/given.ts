import { quote } from "@notesoup/text";
import { NoteError } from "./error.ts";
import { shownAddress } from "./system-error.ts";

/** What is longer is not quoted: to look at the beginning of a text that was put together joins all of its pieces. */
const QUOTED_MAX_UNITS = 100_000;

/** How many elements a list that is given may have: more would take too long to be looked at in one go. */
const LIST_MAX = 100_000;

/** A value that was given, as a message shows it. */
export function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "string") return `a value of type ${typeof value}`;
  return value.length > QUOTED_MAX_UNITS ? `a text of ${value.length} characters` : quote(value);
}

/**
 * Checks options, for a caller whose types nobody checked.
 *
 * @throws NoteError `invalid_text`
 */
export function requireObject(name: string, value: unknown, address?: string): void {
  if (typeof value !== "object" || value === null) throw wrong(name, value, "give an object, or leave it out", address);
}

/**
 * Checks a yes or no: text such as `"false"` would be a yes.
 *
 * @throws NoteError `invalid_text`
 */
export function requireBoolean(name: string, value: unknown, address?: string): void {
  if (value === undefined || typeof value === "boolean") return;
  throw wrong(name, value, "give true or false, or leave it out", address);
}

/**
 * Checks that a list is one and can be looked at in one go.
 *
 * @throws NoteError `invalid_text`, `too_large`
 */
export function requireList(name: string, value: unknown, elements: string, address?: string): void {
  if (!Array.isArray(value)) throw wrong(name, value, `give a list of ${elements}`, address);
  if (value.length <= LIST_MAX) return;
  const message = `${named(name, address)} has ${value.length} elements, and one call takes at most ${LIST_MAX}; use several calls`;
  throw new NoteError("too_large", message, detailsOf(address));
}

/** The refusal of a value of the wrong type. */
export function wrong(name: string, value: unknown, wayOn: string, address?: string): NoteError {
  return new NoteError("invalid_text", `${named(name, address)} is ${shownValue(value)}; ${wayOn}`, detailsOf(address));
}

function named(name: string, address: string | undefined): string {
  return address === undefined ? name : `${name} for ${shownAddress(address)}`;
}

function detailsOf(address: string | undefined): { readonly address?: string } {
  return address === undefined ? {} : { address };
}
