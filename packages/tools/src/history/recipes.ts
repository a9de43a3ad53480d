import type { FoldedRow, HistoryQuery } from "@notesoup/history";
import type { HistoryExpand, HistoryNeighborhood, HistoryPage } from "@notesoup/protocol";

// Each recipe is complete for `{ ...call, ...recipe }`: what it does not replace of the call is meant
// to stay (Results, "A recipe"). Bounds are exclusive.

/** The session field of a result, a row or a recipe: it stands where the call named a session, or several. */
export function sessionField(name: string | undefined): { readonly session?: string } {
  return name === undefined ? {} : { session: name };
}

/** A further page, which counts from the same end. */
export function pageRecipe(
  name: string | undefined,
  from: HistoryQuery["from"],
  afterSeq: number,
  beforeSeq: number,
): HistoryPage {
  return { ...sessionField(name), from, after_seq: afterSeq, before_seq: beforeSeq };
}

/** Exactly the events that were folded: between its bounds a fold has no event of another role that the call takes. */
export function expandRecipe(name: string | undefined, { fromSeq, toSeq }: FoldedRow): HistoryExpand {
  return {
    ...sessionField(name),
    after_seq: fromSeq - 1,
    before_seq: toSeq + 1,
    roles: ["tool", "context"],
    from: "oldest",
  };
}

/** How far a neighborhood's bounds are from its hit: what lies between fits a page of the default limit. */
const NEIGHBORHOOD_SEQS = 10;

/** What stands around a hit, whatever it says and whoever it is from. */
export function neighborhoodRecipe(name: string | undefined, seq: number): HistoryNeighborhood {
  return {
    ...sessionField(name),
    after_seq: Math.max(-1, seq - NEIGHBORHOOD_SEQS),
    before_seq: seq + NEIGHBORHOOD_SEQS,
    query: [],
    roles: [],
  };
}
