const HAS_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
/** Behind the last letter that has a case (Unicode 17). */
const LETTERS_END = 0x2_0000;
let casedLetters: string | undefined;

/**
 * All that is the same letter where case does not count: what an expression with the flags `iu` says
 * (ECMA-262, Canonicalize). Each has as many UTF-16 units as the others.
 */
export function casesOf(character: string): ReadonlySet<string> {
  if (!HAS_CASE.test(character)) return new Set([character]);
  if (casedLetters === undefined) {
    casedLetters = "";
    for (let codePoint = 0; codePoint < LETTERS_END; codePoint++) {
      const letter = String.fromCodePoint(codePoint);
      if (HAS_CASE.test(letter)) casedLetters += letter;
    }
  }
  return new Set([character, ...(casedLetters.match(new RegExp(character, "giu")) ?? [])]);
}
