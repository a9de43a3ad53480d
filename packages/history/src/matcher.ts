import type { Slices } from "./slices.ts";
import { TextAutomaton } from "./text-automaton.ts";

/** Finds the earliest place of one of some texts, in UTF-16 units; -1 where there is none. */
export type Finder = (document: string) => Promise<number>;

/** What an expression is made for: it takes the product of its texts and the document, and cannot pause. */
const QUICK_TEXTS = 16;
const QUICK_UNITS = 1024;
const QUICK_STEPS = 4 * 1024 * 1024;

/**
 * Makes the search for texts: each is literal, several are alternatives, empty ones are ignored. Case is
 * folded code point by code point (Unicode's simple folding), so that a place is one of the document
 * as it is. It takes time linear in the document, whatever the texts are and however many.
 *
 * @returns `undefined` where nothing is left to search for
 */
export function finderOf(texts: readonly string[], slices: Slices): Finder | undefined {
  const literals = searchedFor(texts);
  if (literals.length === 0) return undefined;
  const units = literals.reduce((sum, { length }) => sum + length, 0);
  const isQuick = literals.length <= QUICK_TEXTS && units <= QUICK_UNITS;
  const expression = isQuick ? new RegExp(literals.map(escaped).join("|"), "iu") : undefined;
  let automaton: Promise<TextAutomaton> | undefined;
  return async (document) => {
    if (expression !== undefined && units * document.length <= QUICK_STEPS) {
      return expression.exec(document)?.index ?? -1;
    }
    automaton ??= TextAutomaton.of(literals, slices);
    return (await automaton).earliestIn(document);
  };
}

/** The texts without the empty ones. */
export function searchedFor(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "");
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
