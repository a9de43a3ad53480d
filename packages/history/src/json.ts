/** A JSON object as a host may have left it: any field may be missing or of another kind. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value where it is an object, and neither a list nor null. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value where it is a list; else no elements. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value where it is text. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A moment in milliseconds since 1970: of a number, or of an ISO 8601 text with a zone. `null` for anything else. */
export function asTime(value: unknown): number | null {
  if (typeof value === "number") return Math.abs(value) <= MAX_TIME ? value : null;
  if (typeof value !== "string" || !ISO_TIME.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** What a `Date` can hold (ECMA-262, Time Values). */
const MAX_TIME = 8.64e15;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u;

/**
 * The JSON of a value that was read from JSON.
 *
 * @returns `undefined` for `undefined`, and for what is nested too deep to be written
 */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
