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
  if (typeof value !== "string" || !ISO_TIME.test(value) || !isDay(value.slice(0, DAY_UNITS))) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** Whether there is such a day: a parser takes the 30th of February for one of March. */
function isDay(date: string): boolean {
  if (Number(date.slice(-2)) <= SHORTEST_MONTH_DAYS) return true;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const DAY_UNITS = "2026-11-30".length;
const SHORTEST_MONTH_DAYS = 28;
/** What a `Date` can hold (ECMA-262, Time Values). */
const MAX_TIME = 8.64e15;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u;

/**
 * The JSON of a value, which a live host may not have read from JSON.
 *
 * @returns `undefined` for `undefined`, and for what cannot be written: nested too deep, in a circle, or
 * of a kind that JSON does not have
 */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
