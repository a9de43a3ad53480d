import { Places } from "./places.ts";
import { type Slices, STEPS_A_LOOK } from "./slices.ts";

/**
 * Every place where `pattern` begins in `text`, overlapping ones included, in UTF-16 units. Linear
 * in both, whatever they hold (Knuth, Morris and Pratt), where `indexOf` is not: for a long
 * pattern its time is the product of both. Done in slices.
 *
 * @returns nothing for an empty pattern
 */
export async function occurrences(text: string, pattern: string, slices: Slices): Promise<Uint32Array> {
  if (pattern === "") return new Uint32Array(0);
  return pattern.length <= SHORT_UNITS
    ? occurrencesOfShort(text, pattern, slices)
    : occurrencesOfLong(text, pattern, slices);
}

/** Up to so many UTF-16 units `indexOf`, at so many times the text's length at the worst, is the faster one. */
const SHORT_UNITS = 64;

async function occurrencesOfShort(text: string, pattern: string, slices: Slices): Promise<Uint32Array> {
  const found = new Places();
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
    found.add(at);
    if (found.count % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  return found.all();
}

async function occurrencesOfLong(text: string, pattern: string, slices: Slices): Promise<Uint32Array> {
  if (pattern.length > text.length) return new Uint32Array(0);
  const borders = await bordersOf(pattern, slices);
  const found = new Places();
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) {
      found.add(index - pattern.length + 1);
      matched = borders[matched - 1] ?? 0;
    }
    if (index % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  return found.all();
}

/** Of ascending places, those that are left to right without overlap, each `length` units long; found in slices. */
export async function withoutOverlap(starts: Uint32Array, length: number, slices: Slices): Promise<Uint32Array> {
  const kept = new Places();
  let steps = 0;
  let free = 0;
  for (const start of starts) {
    if (start >= free) {
      kept.add(start);
      free = start + length;
    }
    if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  return kept.all();
}

/** For each prefix of the pattern, how long its longest border is: where to go on after a mismatch. */
async function bordersOf(pattern: string, slices: Slices): Promise<Uint32Array> {
  const borders = new Uint32Array(pattern.length);
  for (let index = 1, length = 0; index < pattern.length; index++) {
    while (length > 0 && pattern.charCodeAt(length) !== pattern.charCodeAt(index)) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === pattern.charCodeAt(index)) length++;
    borders[index] = length;
    if (index % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  return borders;
}
