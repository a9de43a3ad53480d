const HIGH_SURROGATE_START = 0xd800;
const HIGH_SURROGATE_END = 0xdbff;
const LOW_SURROGATE_START = 0xdc00;
const LOW_SURROGATE_END = 0xdfff;

/** UTF-16 units of the code point at `index`: 2 for a surrogate pair, else 1 (a lone surrogate counts as one code point). */
function unitsAt(text: string, index: number): 1 | 2 {
  const unit = text.charCodeAt(index);
  if (unit < HIGH_SURROGATE_START || unit > HIGH_SURROGATE_END || index + 1 >= text.length) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= LOW_SURROGATE_START && next <= LOW_SURROGATE_END ? 2 : 1;
}

/**
 * Counts the Unicode code points of `text`. A lone surrogate counts as one, as it does when a
 * string is iterated.
 *
 * @example
 * ```ts
 * countCodePoints("a😀"); // 2, where "a😀".length is 3
 * ```
 */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += unitsAt(text, index)) count++;
  return count;
}

/**
 * The UTF-16 index at which the code point number `count` after `fromUnits` begins: the bridge
 * from a position in code points to `slice`. Past the end it is `text.length`.
 *
 * @param count code points to step over; zero or less steps over none
 * @param fromUnits where to start, in UTF-16 units, on a code point's boundary
 */
export function unitIndexAfter(text: string, count: number, fromUnits = 0): number {
  let index = fromUnits;
  for (let stepped = 0; stepped < count && index < text.length; stepped++) index += unitsAt(text, index);
  return index;
}
