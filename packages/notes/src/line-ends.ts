/** A line end as it is written. */
export type LineEnd = "\n" | "\r\n";

/**
 * A text in which a line end is one thing, LF or CRLF alike, so that texts can be compared across
 * the two, with the way back to the original.
 */
export interface UniformLines {
  /** The text with every CRLF as LF. A CR by itself is a character like any other. */
  readonly text: string;
  /** The index in the original of a position in `text`. */
  toOriginal(position: number): number;
  /** How the original writes the line end that is the LF at `position` of `text`. */
  lineEndAt(position: number): LineEnd;
}

/** Makes a text's line ends uniform. */
export function uniformLines(original: string): UniformLines {
  if (!original.includes("\r\n")) return { text: original, toOriginal: (position) => position, lineEndAt: () => "\n" };
  // Where, in the uniform text, an LF was a CRLF: everything behind it is one unit further on.
  const shifted: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
    shifted.push(at - shifted.length);
  const toOriginal = (position: number): number => position + countBelow(shifted, position);
  return {
    text: toLf(original),
    toOriginal,
    lineEndAt: (position) => (original[toOriginal(position)] === "\r" ? "\r\n" : "\n"),
  };
}

/** The text with every CRLF as LF. */
export function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** How many numbers of an ascending list are below `bound`. */
function countBelow(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
