import { unitIndexAfter } from "@notesoup/text";
import { NoteError } from "./error.ts";
import type { NoteMatch } from "./query.ts";
import { type Slices, STEPS_A_LOOK } from "./slices.ts";

/** Finds the lines of a body in which one of some literal texts occurs. */
export interface Matcher {
  /** A quick look at a body, or at a text that holds it: `false` where no line can match. */
  readonly mayMatch: (text: string) => boolean;
  readonly matchesIn: (body: string) => Promise<readonly NoteMatch[]>;
}

/** UTF-16 units of all texts of a search together, at the most: a note holds no more. */
const QUERIES_MAX_UNITS = 1_048_576;

/**
 * Makes the search for texts: each is literal, several are alternatives, empty ones are ignored.
 * Case is folded code point by code point (Unicode's simple folding), so that a position is one of
 * the body as it is. Making it takes time linear in the texts, a body time linear in its length,
 * whatever the texts are and however many; both in slices.
 *
 * @returns `undefined` where nothing is left to search for
 * @throws NoteError `too_large`
 */
export async function matcherOf(queries: readonly string[], slices: Slices): Promise<Matcher | undefined> {
  const literals: string[] = [];
  let units = 0;
  let steps = 0;
  // A copy: the list is the caller's, who may change it meanwhile.
  for (const query of queries.slice()) {
    units += query.length;
    // What holds a line end is in no line.
    if (units <= QUERIES_MAX_UNITS && query !== "" && !query.includes("\n")) literals.push(query);
    if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  if (units > QUERIES_MAX_UNITS) throw tooLarge(units);
  if (units === 0) return undefined;
  if (literals.length === 0) return { mayMatch: () => false, matchesIn: () => Promise.resolve([]) };
  const automaton = await automatonOf(literals, slices);
  return { mayMatch: mayMatchOf(literals), matchesIn: (body) => matchesIn(body, automaton, slices) };
}

function tooLarge(units: number): NoteError {
  const message = `the texts to search for have ${units} characters together, counted in UTF-16, and a search takes at most ${QUERIES_MAX_UNITS}; search for a shorter part of them`;
  return new NoteError("too_large", message);
}

/** How far a body was searched. Positions are counted in code points of the body. */
interface Progress {
  chars: number;
  /** What of a text has just been read. */
  state: number;
  /** Where the earliest hit of the line begins. */
  first: number | undefined;
}

/** One match a line. */
async function matchesIn(body: string, automaton: Automaton, slices: Slices): Promise<NoteMatch[]> {
  const matches: NoteMatch[] = [];
  const progress: Progress = { chars: 0, state: 0, first: undefined };
  let steps = 0;
  for (let line = 1, start = 0; ; line++) {
    const newline = body.indexOf("\n", start);
    const lineEnd = newline === -1 ? body.length : newline;
    const end = newline > start && body[newline - 1] === "\r" ? newline - 1 : lineEnd;
    progress.state = 0;
    progress.first = undefined;
    // At least once: a line is a step too, also an empty one.
    let index = start;
    do {
      const most = Math.min(end, index + STEPS_A_LOOK);
      steps += most - index + 1;
      index = advance(progress, body, index, most, automaton);
      if (steps < STEPS_A_LOOK) continue;
      steps = 0;
      if (slices.isOver) await slices.next();
    } while (index < end);
    if (progress.first !== undefined) matches.push({ line, text: body.slice(start, end), offsetChars: progress.first });
    if (newline === -1) return matches;
    progress.chars += lineEnd - end + 1;
    start = newline + 1;
  }
}

/**
 * Searches on within a line, up to an index or a code point that is on it.
 *
 * @returns the index behind
 */
function advance(
  progress: Progress,
  body: string,
  from: number,
  to: number,
  { fold, next, hitLength }: Automaton,
): number {
  let { chars, state, first } = progress;
  let index = from;
  for (; index < to; index++) {
    const codePoint = body.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    chars++;
    state = next(state, fold(codePoint));
    const hit = hitLength[state] ?? 0;
    if (hit > 0 && (first === undefined || chars - hit < first)) first = chars - hit;
  }
  progress.chars = chars;
  progress.state = state;
  progress.first = first;
  return index;
}

/** Letters of the beginnings, times the length of a body: what a quick look takes no longer for than a slice or two. */
const QUICK_LOOK_STEPS = 16 * 1_048_576;

/**
 * A quick look, in which an expression finds most bodies that hold nothing several times as fast as
 * the automaton. It only knows how a few texts begin, and leaves a body to the automaton that is too
 * long for it: it takes the product of both, and cannot pause.
 */
function mayMatchOf(literals: readonly string[]): (text: string) => boolean {
  if (literals.length > 16) return () => true;
  const beginnings = literals.map((literal) => literal.slice(0, unitIndexAfter(literal, 32)));
  const expression = new RegExp(beginnings.map(escaped).join("|"), "iu");
  const longest = QUICK_LOOK_STEPS / beginnings.join("").length;
  return (text) => text.length > longest || expression.test(text);
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
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

/**
 * Made level by level, all texts at once, a letter of each at a time: what a state falls back to is
 * nearer to 0, and complete before it is asked for.
 */
async function automatonOf(literals: readonly string[], slices: Slices): Promise<Automaton> {
  const { fold, letterOf } = folding();
  // A state for every letter, and 0.
  let size = 1;
  for (const literal of literals) size += literal.length;
  const hitLength = new Uint32Array(size);
  /** The state of the longest other beginning of a text with which this one ends. */
  const fallback = new Uint32Array(size);
  /** From 0 by a letter; nearly every step of a search. */
  const firsts: number[] = [0];
  const edges = edgesOf(size);
  const next = (from: number, letter: number): number => {
    if (letter === NO_LETTER) return 0;
    for (let state = from; state !== 0; state = fallback[state] ?? 0) {
      const to = edges.get(state, letter);
      if (to !== 0) return to;
    }
    return firsts[letter] ?? 0;
  };

  let states = 1;
  let steps = 0;
  /** Of the texts that have letters left: where in it the next one is, and the state of those before. */
  const pending = new Uint32Array(literals.length).map((_zero, index) => index);
  const at = new Uint32Array(literals.length);
  const reached = new Uint32Array(literals.length);
  for (let depth = 1, count = literals.length; count > 0; depth++) {
    let left = 0;
    for (let each = 0; each < count; each++) {
      const index = pending[each] ?? 0;
      const literal = literals[index] ?? "";
      const codePoint = literal.codePointAt(at[index] ?? 0) ?? 0;
      const letter = letterOf(codePoint);
      const parent = reached[index] ?? 0;
      let state = (parent === 0 ? firsts[letter] : edges.get(parent, letter)) ?? 0;
      if (state === 0) {
        state = states++;
        const back = parent === 0 ? 0 : next(fallback[parent] ?? 0, letter);
        fallback[state] = back;
        hitLength[state] = hitLength[back] ?? 0;
        if (parent === 0) firsts[letter] = state;
        else edges.set(parent, letter, state);
      }
      reached[index] = state;
      at[index] = (at[index] ?? 0) + (codePoint > 0xffff ? 2 : 1);
      if ((at[index] ?? 0) < literal.length) pending[left++] = index;
      else hitLength[state] = depth;
      if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
    }
    count = left;
  }
  return { fold, next, hitLength };
}

/** Where the letters lead from a state other than 0; to 0 where one leads nowhere. */
interface Edges {
  readonly get: (state: number, letter: number) => number;
  readonly set: (state: number, letter: number, to: number) => void;
}

/** From most states one letter leads on: it needs no `Map`, of which a million entries would be slow and grow in leaps. */
function edgesOf(size: number): Edges {
  const onlyLetter = new Uint32Array(size);
  const onlyTo = new Uint32Array(size);
  const others = new Map<number, Map<number, number>>();
  return {
    get: (state, letter) =>
      onlyLetter[state] === letter ? (onlyTo[state] ?? 0) : (others.get(state)?.get(letter) ?? 0),
    set: (state, letter, to) => {
      if (onlyLetter[state] === NO_LETTER) {
        onlyLetter[state] = letter;
        onlyTo[state] = to;
        return;
      }
      const more = others.get(state);
      if (more === undefined) others.set(state, new Map([[letter, to]]));
      else more.set(letter, to);
    },
  };
}

const HAS_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;

/**
 * Numbers letters, one number for all cases of a letter, as they come. Which those are is what an
 * expression with the flags `iu` says (ECMA-262, Canonicalize): it is asked once for each letter
 * that comes along.
 */
function folding(): {
  /** The number of a letter, a new one where it has none yet. */
  readonly letterOf: (codePoint: number) => number;
  /** The number of a letter; `NO_LETTER` where it has none. */
  readonly fold: (codePoint: number) => number;
} {
  /** The number of each code point, plus one; 0 or nothing where it was not asked for yet. */
  let numbers = new Uint32Array(0x1_0000);
  const learn = (codePoint: number, number: number): void => {
    if (codePoint >= numbers.length) {
      const all = new Uint32Array(0x11_0000);
      all.set(numbers);
      numbers = all;
    }
    numbers[codePoint] = number + 1;
  };
  /** One case of each numbered letter that has several. */
  let cased = "";
  let letters = 1;
  const numberOf = (character: string): number => {
    const found = HAS_CASE.test(character) ? new RegExp(character, "iu").exec(cased) : null;
    return found === null ? NO_LETTER : (numbers[found[0].codePointAt(0) ?? 0] ?? 0) - 1;
  };
  return {
    letterOf: (codePoint) => {
      const known = numbers[codePoint] ?? 0;
      if (known !== 0) return known - 1;
      const character = String.fromCodePoint(codePoint);
      const number = numberOf(character);
      if (number === NO_LETTER && HAS_CASE.test(character)) cased += character;
      learn(codePoint, number === NO_LETTER ? letters++ : number);
      return (numbers[codePoint] ?? 0) - 1;
    },
    fold: (codePoint) => {
      const known = numbers[codePoint] ?? 0;
      if (known !== 0) return known - 1;
      const number = numberOf(String.fromCodePoint(codePoint));
      learn(codePoint, number);
      return number;
    },
  };
}
