/**
 * Every place where `pattern` begins in `text`, overlapping ones included, in UTF-16 units. Linear
 * in both, whatever they hold (Knuth, Morris and Pratt), where `indexOf` is not: for a long
 * pattern its time is the product of both.
 *
 * @returns nothing for an empty pattern
 */
export function occurrences(text: string, pattern: string): number[] {
  if (pattern === "") return [];
  return pattern.length <= SHORT_UNITS ? occurrencesOfShort(text, pattern) : occurrencesOfLong(text, pattern);
}

/** Up to so many UTF-16 units `indexOf`, at so many times the text's length at the worst, is the faster one. */
const SHORT_UNITS = 64;

function occurrencesOfShort(text: string, pattern: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) found.push(at);
  return found;
}

function occurrencesOfLong(text: string, pattern: string): number[] {
  const borders = bordersOf(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) {
      found.push(index - pattern.length + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

/** Of ascending places, those that are left to right without overlap, each `length` units long. */
export function withoutOverlap(starts: readonly number[], length: number): number[] {
  const kept: number[] = [];
  let free = 0;
  for (const start of starts) {
    if (start < free) continue;
    kept.push(start);
    free = start + length;
  }
  return kept;
}

/** For each prefix of the pattern, how long its longest border is: where to go on after a mismatch. */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  for (let index = 1, length = 0; index < pattern.length; index++) {
    while (length > 0 && pattern.charCodeAt(length) !== pattern.charCodeAt(index)) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === pattern.charCodeAt(index)) length++;
    borders[index] = length;
  }
  return borders;
}
