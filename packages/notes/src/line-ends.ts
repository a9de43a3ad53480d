import { Places } from "./places.ts";
import { type Slices, STEPS_A_LOOK } from "./slices.ts";

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

/** Makes a text's line ends uniform, in slices. */
export async function uniformLines(original: string, slices: Slices): Promise<UniformLines> {
  if (!original.includes("\r\n")) return { text: original, toOriginal: (position) => position, lineEndAt: () => "\n" };
  // Where, in the uniform text, an LF was a CRLF: everything behind it is one unit further on.
  const found = new Places();
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    found.add(at - found.count);
    if (found.count % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  const shifted = found.all();
  const toOriginal = (position: number): number => position + countBelow(shifted, position);
  return {
    text: await toLf(original, slices),
    toOriginal,
    lineEndAt: (position) => (original[toOriginal(position)] === "\r" ? "\r\n" : "\n"),
  };
}

/** The text with every CRLF as LF, made in slices. */
export function toLf(text: string, slices: Slices): Promise<string> {
  return piecewise(text, "\r\n", "\n", slices);
}

/** The text with all its line ends written in one way, made in slices. */
export function withLineEnd(text: string, lineEnd: LineEnd, slices: Slices): Promise<string> {
  return piecewise(text, /\r?\n/u, lineEnd, slices);
}

/** So long a text has its line ends rewritten in about a millisecond. */
const PIECE_UNITS = 32 * 1024;

/** Writes other line ends in a text, piece by piece. */
async function piecewise(text: string, lineEnd: string | RegExp, other: LineEnd, slices: Slices): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    // Never between the two halves of a line end.
    const end = from + PIECE_UNITS + (text.startsWith("\r\n", from + PIECE_UNITS - 1) ? 1 : 0);
    // What `replaceAll` gives is a tree with a node for each match, which the garbage collector walks again and again.
    pieces.push(text.slice(from, end).split(lineEnd).join(other));
    from = end;
    if (slices.isOver) await slices.next();
  }
  return pieces.join("");
}

/** How many numbers of an ascending list are below `bound`. */
function countBelow(ascending: Uint32Array, bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
