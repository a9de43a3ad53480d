import type { NoteMatch } from "./query.ts";

/** Finds the lines of a body in which one of some literal texts occurs. */
export type Matcher = (body: string) => readonly NoteMatch[];

/**
 * Makes the search for texts: each is literal, several are alternatives, empty ones are ignored.
 * Case is folded code point by code point (Unicode's simple folding), so that a position is one of
 * the body as it is. A body takes time linear in its length, whatever the texts are and however
 * many.
 *
 * @returns `undefined` where nothing is left to search for
 */
export function matcherOf(queries: readonly string[]): Matcher | undefined {
  const literals = queries.filter((query) => query !== "");
  if (literals.length === 0) return undefined;
  // What holds a line end is in no line.
  const inLines = literals.filter((literal) => !literal.includes("\n")).map(codePointsOf);
  if (inLines.length === 0) return () => [];
  const automaton = automatonOf(inLines);
  const mayMatch = mayMatchOf(inLines);
  return (body) => (mayMatch(body) ? matchesIn(body, automaton) : []);
}

function matchesIn(body: string, automaton: Automaton): NoteMatch[] {
  const matches: NoteMatch[] = [];
  let start = 0;
  let chars = 0;
  for (let line = 1; ; line++) {
    const newline = body.indexOf("\n", start);
    const lineEnd = newline === -1 ? body.length : newline;
    const end = newline > start && body[newline - 1] === "\r" ? newline - 1 : lineEnd;
    const { first, length } = earliestIn(body, start, end, automaton);
    if (first !== undefined) matches.push({ line, text: body.slice(start, end), offsetChars: chars + first });
    if (newline === -1) return matches;
    chars += length + (lineEnd - end) + 1;
    start = newline + 1;
  }
}

/** Of a line, in code points: where the earliest hit begins, and how long the line is. */
function earliestIn(
  body: string,
  start: number,
  end: number,
  { fold, next, hitLength }: Automaton,
): { readonly first: number | undefined; readonly length: number } {
  let first: number | undefined;
  let length = 0;
  let state = 0;
  for (let index = start; index < end; index++) {
    const codePoint = body.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    length++;
    state = next(state, fold(codePoint));
    const hit = hitLength[state] ?? 0;
    if (hit > 0 && (first === undefined || length - hit < first)) first = length - hit;
  }
  return { first, length };
}

/**
 * A quick look, in which an expression finds most bodies that hold nothing several times as fast as
 * the automaton. It only knows how a few texts begin: an expression of many or long ones takes the
 * product of their length and the body's, and cannot be made at all past some size.
 */
function mayMatchOf(literals: readonly (readonly number[])[]): (body: string) => boolean {
  if (literals.length > 16) return () => true;
  const beginnings = literals.map((literal) => escaped(String.fromCodePoint(...literal.slice(0, 32))));
  const expression = new RegExp(beginnings.join("|"), "iu");
  return (body) => expression.test(body);
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** Searches for several texts at once (Aho and Corasick). A state is what of a text has just been read; 0 is nothing. */
interface Automaton {
  /** A number for a letter of the texts, in any case; `NO_LETTER` for every other. */
  readonly fold: (codePoint: number) => number;
  readonly next: (state: number, letter: number) => number;
  /** How long the longest text is that ends in a state, in code points; 0 where none does. */
  readonly hitLength: Uint32Array;
}

const NO_LETTER = 0;

/** A state behind 0: the state before it, and the letter that leads to it. */
interface TreeNode {
  readonly state: number;
  readonly parent: number;
  readonly letter: number;
  readonly depth: number;
}

function automatonOf(literals: readonly (readonly number[])[]): Automaton {
  const { fold, letters } = foldingOf(literals);
  const size = 1 + literals.reduce((sum, literal) => sum + literal.length, 0);
  const hitLength = new Uint32Array(size);
  /** From 0 by a letter; nearly every step of a search. */
  const firsts = new Uint32Array(letters);
  /** From any other state, times `letters` plus the letter. */
  const edges = new Map<number, number>();
  const nodes: TreeNode[] = [];
  for (const literal of literals) {
    let parent = 0;
    for (const [index, codePoint] of literal.entries()) {
      const letter = fold(codePoint);
      const known = parent === 0 ? firsts[letter] : edges.get(parent * letters + letter);
      const state = known === undefined || known === 0 ? nodes.length + 1 : known;
      if (state > nodes.length) {
        nodes.push({ state, parent, letter, depth: index + 1 });
        if (parent === 0) firsts[letter] = state;
        else edges.set(parent * letters + letter, state);
      }
      parent = state;
    }
    hitLength[parent] = literal.length;
  }

  /** The state of the longest other beginning of a text with which this one ends. */
  const fallback = new Uint32Array(size);
  const next = (from: number, letter: number): number => {
    if (letter === NO_LETTER) return 0;
    for (let state = from; state !== 0; state = fallback[state] ?? 0) {
      const to = edges.get(state * letters + letter);
      if (to !== undefined) return to;
    }
    return firsts[letter] ?? 0;
  };
  // A fallback is nearer to 0 than its state, and is known before it is asked for.
  for (const { state, parent, letter } of nodes.toSorted((a, b) => a.depth - b.depth)) {
    const to = parent === 0 ? 0 : next(fallback[parent] ?? 0, letter);
    fallback[state] = to;
    if (hitLength[state] === 0) hitLength[state] = hitLength[to] ?? 0;
  }
  return { fold, next, hitLength };
}

const HAS_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;

/**
 * Numbers the letters of some texts, one number for all cases of a letter. Which those are is what an
 * expression with the flags `iu` says (ECMA-262, Canonicalize): it is asked once for each letter
 * that comes along.
 */
function foldingOf(literals: readonly (readonly number[])[]): {
  readonly fold: (codePoint: number) => number;
  /** One more than the greatest number. */
  readonly letters: number;
} {
  /** The number of each code point, plus one; 0 or nothing where it was not asked for yet. */
  const numbers = new Uint32Array(0x1_0000);
  const numbersBeyond = new Map<number, number>();
  const known = (codePoint: number): number =>
    (codePoint < numbers.length ? numbers[codePoint] : numbersBeyond.get(codePoint)) ?? 0;
  const learn = (codePoint: number, number: number): void => {
    if (codePoint < numbers.length) numbers[codePoint] = number + 1;
    else numbersBeyond.set(codePoint, number + 1);
  };
  /** One case of each numbered letter that has several. */
  let cased = "";
  const numberOf = (character: string): number => {
    const found = HAS_CASE.test(character) ? new RegExp(character, "iu").exec(cased) : null;
    return found === null ? NO_LETTER : known(found[0].codePointAt(0) ?? 0) - 1;
  };
  let letters = 1;
  for (const codePoint of literals.flat()) {
    if (known(codePoint) !== 0) continue;
    const character = String.fromCodePoint(codePoint);
    const number = numberOf(character);
    if (number === NO_LETTER && HAS_CASE.test(character)) cased += character;
    learn(codePoint, number === NO_LETTER ? letters++ : number);
  }
  const fold = (codePoint: number): number => {
    const number = known(codePoint);
    if (number !== 0) return number - 1;
    const asked = numberOf(String.fromCodePoint(codePoint));
    learn(codePoint, asked);
    return asked;
  };
  return { fold, letters };
}
