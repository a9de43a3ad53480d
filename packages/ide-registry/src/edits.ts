import { areOverlapping, compareSpans, requireBoundaries, span, type Span } from "./span.ts";
import { Refusal } from "./refusal.ts";

/** A range of a text and what takes its place. */
export interface TextEdit extends Span {
  /** Put in as it is. */
  readonly text: string;
}

/**
 * Applies edits that are all meant for the same `base`, in one go. Insertions at one place follow
 * one another in the order given, and stand before what replaces the units after that place.
 *
 * @returns the new text, and for each edit, in the order given, where its text has come to lie
 * @throws Refusal `overlap`, `invalid_range`, `splits_code_point`, `splits_crlf`
 */
export function applyEdits(
  base: string,
  edits: readonly TextEdit[],
): { readonly text: string; readonly after: readonly Span[] } {
  const order = edits.map((_, index) => index);
  // The sort is stable: insertions at one place keep their order.
  if (edits.some((edit, index) => index > 0 && compareSpans(edits[index - 1] as Span, edit) > 0)) {
    order.sort((one, other) => compareSpans(edits[one] as Span, edits[other] as Span));
  }
  const after = Array.from<Span>({ length: edits.length });
  const pieces: string[] = [];
  let taken = 0;
  let length = 0;
  let last: TextEdit | undefined;
  for (const index of order) {
    const edit = edits[index] as TextEdit;
    requireBoundaries(base, edit);
    if (last !== undefined && areOverlapping(last, edit)) throw overlapRefusal();
    const kept = base.slice(taken, edit.start);
    pieces.push(kept, edit.text);
    length += kept.length;
    after[index] = span(length, length + edit.text.length);
    length += edit.text.length;
    taken = edit.end;
    last = edit;
  }
  pieces.push(base.slice(taken));
  return { text: pieces.join(""), after };
}

/** Two edits of one batch want the same units. */
export function overlapRefusal(name?: string): Refusal {
  return new Refusal(
    "overlap",
    `the edit touches what another one of the same batch replaces${name === undefined ? "" : ` in ${name}`}`,
    "save the batch by reading the file, then edit what was read",
  );
}
