import { largestFitting } from "@notesoup/text";

/** How much of its parts a list or a search delivers. */
export interface ListingSize {
  /** Rows, from the first. */
  readonly rows: number;
  /** How many are named of what could not be read. */
  readonly named: number;
}

/**
 * The largest size that fits. What could not be read goes first, for nobody would look for it; but
 * one row has its place before it.
 *
 * @returns `undefined` where not even the first row fits, or, where there is none, the empty result
 */
export function largestListing(most: ListingSize, fits: (size: ListingSize) => boolean): ListingSize | undefined {
  const least = Math.min(1, most.rows);
  const named = largestFitting(most.named, (count) => fits({ rows: least, named: count }));
  if (!fits({ rows: least, named })) return undefined;
  return { rows: largestFitting(most.rows, (count) => fits({ rows: count, named })), named };
}
