/**
 * What a document can only hold where the bytes of its records hold it too: found in the bytes, which
 * are searched many times as fast as records are read.
 */
export interface RawPattern {
  /** For bytes read as Latin-1, whole or in pieces that overlap by `overlap` units. */
  readonly expression: RegExp;
  readonly overlap: number;
}

/**
 * The pattern for some texts of which one has to be in a document; case does not count. Of each text
 * the longest part counts that stands in a record as it does in the document.
 *
 * @returns `undefined` where the bytes cannot tell: a document may hold the text though no record does
 */
export function rawPatternOf(texts: readonly string[]): RawPattern | undefined {
  const parts = texts.map(longestVerbatim);
  const found = parts.filter((part) => part !== undefined);
  if (found.length === 0 || found.length < parts.length) return undefined;
  const sources = found.map((part) => Array.from(part, byteSource).join(""));
  // A letter takes up to twelve units: six as an escape, and as many backslashes as a record in a record has.
  const overlap = Math.max(...found.map((part) => part.length)) * 16;
  return { expression: new RegExp(sources.join("|"), "gi"), overlap };
}

// Letters that JSON writes as themselves wherever they stand. White space and punctuation is written
// anew where arguments are, quotes and backslashes are escaped, brackets and the dot in the middle
// part what documents put together.
const VERBATIM = /[\p{L}\p{M}\p{N}_]+(?:[-_.@# ][\p{L}\p{M}\p{N}_]+)*/gu;
/** A number may be written otherwise in a record. */
const NUMBER = /^[\d.e_ -]*$/iu;
const PART_MAX_UNITS = 64;

function longestVerbatim(text: string): string | undefined {
  const parts = [...text.matchAll(VERBATIM)]
    .map(([part]) => part)
    .filter((part) => !NUMBER.test(part) && !isOurs(part));
  const longest = parts.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : Array.from(longest.slice(0, PART_MAX_UNITS)).filter(isWellFormed).join("");
}

function isWellFormed(character: string): boolean {
  return character.isWellFormed();
}

/** What documents say in words of their own, a digit for any number. */
const OWN_WORDS = [
  "ok",
  "error",
  "pending",
  "unfinished",
  "unpaired",
  "unknown tool",
  "unknown id",
  "nested calls",
  "complete",
  "incomplete",
  "0 ms",
  "0 bytes",
  "arguments omitted by host",
  "arguments not recorded",
  "image",
  "unknown type",
  "reasoning redacted",
  "answer",
  "aborted",
  "interrupted",
  "compaction",
  "branch summary",
];

function isOurs(part: string): boolean {
  // There is a long s that is a lower case of S.
  const plain = part.toUpperCase().toLowerCase().replace(/\d+/gu, "0");
  return OWN_WORDS.some((words) => words.includes(plain));
}

/** How one character, in any case, may stand in the bytes: as itself, or escaped, once or in a record in a record. */
function byteSource(character: string): string {
  if (PLAIN.test(character)) return character;
  const sources = [...variantsOf(character)].flatMap((variant) =>
    variant < "\u0080"
      ? [variant.replace(/[^A-Za-z0-9_ ]/u, String.raw`\$&`)]
      : [utf8Source(variant), escapeSource(variant)],
  );
  return sources.length === 1 ? (sources[0] ?? "") : `(?:${sources.join("|")})`;
}

/** ASCII that has no other case beyond ASCII: there is a long s, and a sign for Kelvin. */
const PLAIN = /[a-jl-rt-z0-9_ ]/iu;
const HAS_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
/** Behind the last letter that has a case (Unicode 17). */
const LETTERS_END = 0x2_0000;
let casedLetters: string | undefined;

/** All that is the same letter where case does not count: what an expression with the flags `iu` says. */
function variantsOf(character: string): Set<string> {
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

function utf8Source(character: string): string {
  return Array.from(Buffer.from(character, "utf8"), (byte) => `\\x${byte.toString(16)}`).join("");
}

function escapeSource(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => String.raw`\\+u` + unit.toString(16).padStart(4, "0")).join("");
}

const LF = "\n";

/**
 * Where in a text's bytes one of the pattern's texts may be: for each line that may hold one, a place
 * in it.
 */
export async function* placesOf(
  chunks: AsyncIterable<Buffer>,
  { expression, overlap }: RawPattern,
): AsyncGenerator<number> {
  let start = 0;
  let kept = "";
  // An expression remembers its place: two searches must not share one.
  const own = new RegExp(expression);
  for await (const chunk of chunks) {
    const text = kept + chunk.toString("latin1");
    const begin = start - kept.length;
    for (const at of linesOf(text, own)) yield begin + at;
    for (const at of needlessEscapes(text, kept.length)) yield begin + at;
    start += chunk.length;
    kept = text.slice(Math.max(0, text.length - overlap));
  }
}

function* linesOf(text: string, expression: RegExp): Generator<number> {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    yield match.index;
    const lineEnd = text.indexOf(LF, match.index);
    if (lineEnd === -1) return;
    expression.lastIndex = lineEnd;
  }
}

/** So many units of an escape may stand before a piece, and the rest in it. */
const ESCAPE_UNITS_BEFORE = 5;
/** The rest of the escape of a character that JSON can write as itself, or as a letter behind a backslash. */
const NEEDLESS = /[2-7]|0[89acd]/iy;

/** Characters of ASCII that are written as escapes without need, which no host does, but may. */
function* needlessEscapes(text: string, from: number): Generator<number> {
  const escape = String.raw`\u00`;
  for (let at = text.indexOf(escape, from - ESCAPE_UNITS_BEFORE); at !== -1; at = text.indexOf(escape, at + 1)) {
    NEEDLESS.lastIndex = at + escape.length;
    if (NEEDLESS.test(text)) yield at;
  }
}
