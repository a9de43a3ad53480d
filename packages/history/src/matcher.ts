/** Finds the earliest place of one of some texts, in UTF-16 units; -1 where there is none. */
export type Finder = (document: string) => number;

/**
 * Makes the search for texts: each is literal, several are alternatives, empty ones are ignored. Case is
 * folded code point by code point (Unicode's simple folding), so that a place is one of the document
 * as it is.
 *
 * @returns `undefined` where nothing is left to search for
 */
export function finderOf(texts: readonly string[]): Finder | undefined {
  const literals = searchedFor(texts);
  if (literals.length === 0) return undefined;
  const expression = new RegExp(literals.map(escaped).join("|"), "iu");
  return (document) => expression.exec(document)?.index ?? -1;
}

/** The texts without the empty ones. */
export function searchedFor(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "");
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
