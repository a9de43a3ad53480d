import { quote } from "@notesoup/text";
import { Refused } from "./refused.ts";

/** What was given in place of a number, on one line. */
function given(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? quote(value) : `a value of type ${typeof value}`;
}

/** What a whole number may be; unbounded where absent. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/**
 * Checks a parameter that counts something or names a position.
 *
 * @throws Refused `invalid_range`
 */
export function requireWhole(name: string, value: unknown, { least, most }: Bounds = {}): asserts value is number {
  const isWhole = typeof value === "number" && Number.isSafeInteger(value);
  if (isWhole && value >= (least ?? value) && value <= (most ?? value)) return;
  const upTo = most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`;
  const bounds = least === undefined ? "" : upTo;
  throw new Refused("invalid_range", `${name} is ${given(value)}; it must be a whole number${bounds}`);
}

/**
 * Checks such a parameter where it is given.
 *
 * @throws Refused `invalid_range`
 */
export function requireWholeOrNone(
  name: string,
  value: unknown,
  bounds: Bounds = {},
): asserts value is number | undefined {
  if (value !== undefined) requireWhole(name, value, bounds);
}

/**
 * The texts to search for, as a call gives them: one, or a list. Empty ones are for the search to ignore.
 *
 * @throws Refused `invalid_text`
 */
export function queriesOf(query: unknown = []): string[] {
  const queries: unknown[] = Array.isArray(query) ? [...query] : [query];
  if (queries.every((text) => typeof text === "string")) return queries;
  throw new Refused("invalid_text", "query is neither text nor a list of texts; give one of them, or leave it out");
}
