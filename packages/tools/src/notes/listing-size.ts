import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { Refused } from "../refused.ts";

/** A note takes at least this in the JSON of a result: `{"address":"a.md","matches":[]},`. */
const NOTE_MIN_BYTES = 32;

/** How many notes a result can have: those asked for, as far as there are so many and the budget could hold them. */
export function mostNotes(found: number, limit: number | undefined): number {
  return Math.min(found, limit ?? found, Math.floor(OUTPUT_BUDGET_BYTES / NOTE_MIN_BYTES));
}

/** The refusal of a list or a search of which nothing can be delivered. */
export function listingTooLarge(): Refused {
  return new Refused(
    "output_too_large",
    "nothing of the result fits the output budget beside what the host adds to it; narrow with glob, or make the host add less",
  );
}
