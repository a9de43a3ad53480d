import { formatPatch, structuredPatch } from "diff";
import { beginningOf } from "./shown-text.ts";

/** Texts that differ in more lines than these are not compared line by line: the time grows with the square. */
const MAX_EDITS = 1_000;

/** How two texts differ. */
export interface TextDiff {
  readonly added: number;
  readonly removed: number;
  /** In unified form, with the names of both sides; cut where it is long. */
  readonly text: string;
  readonly cut: boolean;
}

/** Compares two texts line by line. Nothing where they differ in too many lines. */
export function diffTexts(
  names: { readonly before: string; readonly after: string },
  before: string,
  after: string,
  maxBytes: number,
): TextDiff | undefined {
  const patch = structuredPatch(names.before, names.after, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return undefined;
  let [added, removed] = [0, 0];
  for (const line of patch.hunks.flatMap(({ lines }) => lines)) {
    if (line.startsWith("+")) added++;
    else if (line.startsWith("-")) removed++;
  }
  const whole = patch.hunks.length === 0 ? "" : formatPatch(patch).replace(/^(?:Index: .*\n)?=+\n/u, "");
  const text = beginningOf(whole, maxBytes);
  return { added, removed, text, cut: text.length < whole.length };
}
