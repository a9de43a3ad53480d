import type { NoteMatch, NoteSearchRow } from "@notesoup/notes";
import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { countCodePoints, largestFitting, unitIndexAfter } from "@notesoup/text";
import { largestListing, type ListingSize } from "../listing-size.ts";
import { firstHits, furtherHits, type Hit } from "./match-turns.ts";

/**
 * The answer with the most of a search that can be delivered. First as many notes as fit with one
 * match each, then as many further matches as fit; but where the very first match of the search
 * does not fit even alone, its line is cut, and it is the answer.
 *
 * @param rows the notes that may be delivered
 * @param answerOf the answer that delivers a size of it with some matches, `undefined` where it does not fit
 * @returns `undefined` where not even the first note fits, or, where there is none, the empty result
 */
export function largestSearch<Answer>(
  rows: readonly NoteSearchRow[],
  named: number,
  answerOf: (size: ListingSize, hits: readonly Hit[]) => Answer | undefined,
): Answer | undefined {
  const firsts = firstHits(rows);
  const firstsOf = (notes: number): Hit[] => firsts.filter(({ note }) => note < notes);
  const size = largestListing(
    { rows: rows.length, named },
    (candidate) => answerOf(candidate, firstsOf(candidate.rows)) !== undefined,
  );

  const first = rows[0]?.matches[0];
  const alone = (hits: readonly Hit[]): Answer | undefined => answerOf({ rows: 1, named: size?.named ?? 0 }, hits);
  if (first !== undefined && alone([{ note: 0, match: first }]) === undefined) return cutToFit(first, alone);

  if (size === undefined) return undefined;
  const given = firstsOf(size.rows);
  const further = furtherHits(rows.slice(0, size.rows));
  const hitsWith = (count: number): Hit[] => [...given, ...further.slice(0, count)];
  return answerOf(
    size,
    hitsWith(largestFitting(further.length, (count) => answerOf(size, hitsWith(count)) !== undefined)),
  );
}

/** The first match by itself, cut to the longest prefix that fits; the note without it where none does. */
function cutToFit<Answer>(match: NoteMatch, alone: (hits: readonly Hit[]) => Answer | undefined): Answer | undefined {
  const { text } = match;
  const cut = (chars: number): Hit[] => [
    { note: 0, match: { ...match, text: `${text.slice(0, unitIndexAfter(text, chars))} [truncated]` } },
  ];
  // A code point takes a byte at least: a line far past the budget is never measured whole.
  const most = Math.min(countCodePoints(text), OUTPUT_BUDGET_BYTES);
  const chars = largestFitting(most, (candidate) => alone(cut(candidate)) !== undefined);
  return alone(chars === 0 ? [] : cut(chars));
}
