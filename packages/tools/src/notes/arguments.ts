import { requireWholeOrNone } from "../arguments.ts";
import { Refused } from "../refused.ts";

/** No list of notes has more notes than this, however many are asked for. */
const LIMIT_MAX = 1000;

/**
 * Checks how many notes are asked for.
 *
 * @throws Refused `invalid_range`
 */
export function requireLimit(limit: unknown): asserts limit is number | undefined {
  requireWholeOrNone("limit", limit, { least: 1, most: LIMIT_MAX });
}

/**
 * Checks a parameter that is a yes or no, for a host that does not check arguments: text such as
 * `"false"` would be a yes.
 *
 * @throws Refused `invalid_text`
 */
export function requireBoolean(name: string, value: boolean | undefined): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new Refused("invalid_text", `${name} is a value of type ${typeof value}; give true or false, or leave it out`);
}
