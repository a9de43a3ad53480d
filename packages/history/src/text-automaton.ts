import { casesOf } from "./letter-case.ts";
import type { Slices } from "./slices.ts";

/** How many letters of a document are read between two looks at the clock. */
const LETTERS_A_LOOK = 1024;
/** More than there are letters: a state times this, and a letter, is a number of its own. */
const LETTERS = 0x11_0000;

/**
 * Searches for several texts at once (Aho and Corasick), in time linear in the texts and in the
 * document, whatever they are and however many; both in slices. A state is what of a text has just
 * been read; 0 is nothing.
 */
export class TextAutomaton {
  /** A number for each letter of the texts, by the code points of all its cases. */
  readonly #letters = new Map<number, number>();
  #lastLetter = 0;
  /** Where a letter leads from a state. */
  readonly #edges = new Map<number, number>();
  /** By state: the one of the longest other beginning of a text with which it ends. */
  readonly #fallbacks = [0];
  /** By state: how long it is, and how long the longest text is that ends in it; 0 where none does. */
  readonly #lengths = [0];
  readonly #hits = [0];
  readonly #slices: Slices;

  private constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** Makes it level by level, a letter of each text at a time: what a state falls back to is complete before. */
  static async of(texts: readonly string[], slices: Slices): Promise<TextAutomaton> {
    const automaton = new TextAutomaton(slices);
    let level = texts.filter((text) => text !== "").map((text) => ({ text, at: 0, state: 0 }));
    while (level.length > 0) {
      const next: typeof level = [];
      for (const { text, at, state } of level) {
        if (slices.isOver) await slices.next();
        const codePoint = text.codePointAt(at) ?? 0;
        const to = automaton.#grow(state, codePoint);
        const end = at + unitsOf(codePoint);
        if (end < text.length) next.push({ text, at: end, state: to });
        else automaton.#hits[to] = text.length;
      }
      level = next;
    }
    return automaton;
  }

  #grow(state: number, codePoint: number): number {
    const letter = this.#letters.get(codePoint) ?? this.#learn(codePoint);
    const edge = state * LETTERS + letter;
    const known = this.#edges.get(edge);
    if (known !== undefined) return known;
    const fallback = state === 0 ? 0 : this.#next(this.#fallbacks[state] ?? 0, letter);
    const grown = this.#lengths.length;
    this.#lengths.push((this.#lengths[state] ?? 0) + unitsOf(codePoint));
    this.#fallbacks.push(fallback);
    this.#hits.push(this.#hits[fallback] ?? 0);
    this.#edges.set(edge, grown);
    return grown;
  }

  #learn(codePoint: number): number {
    const letter = ++this.#lastLetter;
    for (const one of casesOf(String.fromCodePoint(codePoint))) this.#letters.set(one.codePointAt(0) ?? 0, letter);
    return letter;
  }

  #next(from: number, letter: number): number {
    for (let state = from; ; state = this.#fallbacks[state] ?? 0) {
      const to = this.#edges.get(state * LETTERS + letter);
      if (to !== undefined) return to;
      if (state === 0) return 0;
    }
  }

  /** The earliest place of one of the texts, in UTF-16 units; -1 where there is none. */
  async earliestIn(document: string): Promise<number> {
    let state = 0;
    let first = -1;
    let letters = 0;
    for (let at = 0; at < document.length;) {
      if (++letters % LETTERS_A_LOOK === 0 && this.#slices.isOver) await this.#slices.next();
      const codePoint = document.codePointAt(at) ?? 0;
      at += unitsOf(codePoint);
      const letter = this.#letters.get(codePoint);
      state = letter === undefined ? 0 : this.#next(state, letter);
      const hit = this.#hits[state] ?? 0;
      if (hit > 0 && (first === -1 || at - hit < first)) first = at - hit;
      // What has been begun begins here, and what will be, behind it.
      if (first !== -1 && at - (this.#lengths[state] ?? 0) >= first) return first;
    }
    return first;
  }
}

function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
