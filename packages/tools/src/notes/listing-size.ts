import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { largestFitting } from "@notesoup/text";
import { Refused } from "./refused.ts";

/** How much of its parts a list or a search delivers. */
export interface ListingSize {
  /** Notes, from the first. */
  readonly notes: number;
  /** Namespaces and notes that are named as unavailable. */
  readonly named: number;
}

/** A note takes at least this in the JSON of a result: `{"address":"a.md","matches":[]},`. */
const NOTE_MIN_BYTES = 32;

/** How many notes a result can have: those asked for, as far as there are so many and the budget could hold them. */
export function mostNotes(found: number, limit: number | undefined): number {
  return Math.min(found, limit ?? found, Math.floor(OUTPUT_BUDGET_BYTES / NOTE_MIN_BYTES));
}

/**
 * The largest size that fits. What could not be read goes first, for nobody would look for it; but
 * one note has its place before it.
 *
 * @returns `undefined` where not even the first note fits, or, where there is none, the empty result
 */
export function largestListing(most: ListingSize, fits: (size: ListingSize) => boolean): ListingSize | undefined {
  const least = Math.min(1, most.notes);
  const named = largestFitting(most.named, (count) => fits({ notes: least, named: count }));
  if (!fits({ notes: least, named })) return undefined;
  return { notes: largestFitting(most.notes, (count) => fits({ notes: count, named })), named };
}

/** The refusal of a list or a search of which nothing can be delivered. */
export function listingTooLarge(): Refused {
  return new Refused(
    "output_too_large",
    "nothing of the result fits the output budget beside what the host adds to it; narrow with glob, or make the host add less",
  );
}
