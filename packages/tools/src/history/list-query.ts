import type { HistoryQuery, Role } from "@notesoup/history";
import { HISTORY_ROLES, type HistoryListArguments, OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { quote } from "@notesoup/text";
import { queriesOf, requireWholeOrNone } from "../arguments.ts";
import { Refused } from "../refused.ts";
import { timeRange } from "./time-range.ts";

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 200;
const MAX_CHARS_DEFAULT = 400;
/** All that is searched for together, in UTF-16 units: more is no query, but a text that was pasted. */
const QUERY_MAX_UNITS = 10_000;

/**
 * What a call asks of the history, checked.
 *
 * @throws Refused `invalid_range`, `invalid_time`, `invalid_text` (a value of another type, an
 * unknown word)
 */
export function listQuery(args: HistoryListArguments): HistoryQuery {
  const { limit, max_chars_per_item: maxChars, before_seq: beforeSeq, after_seq: afterSeq } = args;
  requireWholeOrNone("limit", limit, { least: 1, most: LIMIT_MAX });
  requireWholeOrNone("max_chars_per_item", maxChars, { least: 1 });
  requireWholeOrNone("before_seq", beforeSeq);
  requireWholeOrNone("after_seq", afterSeq);
  if (beforeSeq !== undefined && afterSeq !== undefined && beforeSeq <= afterSeq)
    throw new Refused(
      "invalid_range",
      `before_seq ${beforeSeq} is not above after_seq ${afterSeq}, so that nothing lies between them; swap them`,
    );
  return {
    queries: searched(args.query),
    roles: rolesOf(args.roles),
    afterSeq,
    beforeSeq,
    ...timeRange(args),
    from: endOf(args.from),
    limit: limit ?? LIMIT_DEFAULT,
    // A code point takes a byte at least: what is past the budget would not fit whatever it is.
    maxChars: Math.min(maxChars ?? MAX_CHARS_DEFAULT, OUTPUT_BUDGET_BYTES),
  };
}

/** Empty texts are no query. */
function searched(query: unknown): string[] {
  const queries = queriesOf(query).filter((text) => text !== "");
  const units = queries.reduce((sum, { length }) => sum + length, 0);
  if (units <= QUERY_MAX_UNITS) return queries;
  throw new Refused(
    "invalid_range",
    `query has ${units} UTF-16 units in all; it may have ${QUERY_MAX_UNITS}: give a part that tells it from others`,
  );
}

/** An empty list is no filter. */
function rolesOf(roles: unknown = []): readonly Role[] | undefined {
  if (!Array.isArray(roles)) throw unknownWord("roles is", roles, "give a list of", HISTORY_ROLES);
  const unknown: unknown = roles.find((role) => !HISTORY_ROLES.includes(role as Role));
  if (unknown !== undefined) throw unknownWord("roles holds", unknown, "a role is one of", HISTORY_ROLES);
  return roles.length === 0 ? undefined : (roles as Role[]);
}

function endOf(from: unknown = "newest"): HistoryQuery["from"] {
  if (from === "newest" || from === "oldest") return from;
  throw unknownWord("from is", from, "give one of", ["newest", "oldest"]);
}

function unknownWord(which: string, value: unknown, advice: string, words: readonly string[]): Refused {
  const given = typeof value === "string" ? quote(value, 80) : `a value of type ${typeof value}`;
  return new Refused("invalid_text", `${which} ${given}; ${advice} ${words.join(", ")}, or leave it out`);
}
