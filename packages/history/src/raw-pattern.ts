import { type Anchor, anchorsOf } from "./anchor.ts";
import { casesOf } from "./letter-case.ts";

/**
 * What a document can only hold where the bytes of its records hold it too: found in the bytes, which
 * are searched many times as fast as records are read.
 */
export interface RawPattern {
  /** For bytes read as Latin-1, whole or in pieces that overlap by `overlap` units. */
  readonly expression: RegExp;
  readonly overlap: number;
  /** Of each text the bytes of which one is in its bytes wherever it is: one without any asks for the expression. */
  readonly anchors: readonly (readonly Anchor[])[];
}

/** An expression takes the product of its size and the bytes: of more texts there is no pattern. */
const MOST_TEXTS = 16;
/** UTF-16 units of a part, and of all parts together. */
const PART_MAX_UNITS = 64;
const PARTS_MAX_UNITS = 256;
/** A letter in a record in a record in a record is behind four backslashes. */
const MOST_BACKSLASHES = 8;
/** What a letter takes at the most, as an escape. */
const LETTER_UNITS = MOST_BACKSLASHES + "uffff".length;

/**
 * The pattern for some texts of which one has to be in a document; case does not count. Of each text
 * the longest part counts that stands in a record as it does in the document.
 *
 * @returns `undefined` where the bytes cannot tell, because a document may hold the text though no
 * record does, and where looking through them would take longer than reading
 */
export function rawPatternOf(texts: readonly string[]): RawPattern | undefined {
  if (texts.length > MOST_TEXTS) return undefined;
  const parts = texts.map(longestVerbatim);
  const found = parts.filter((part) => part !== undefined);
  if (found.length === 0 || found.length < parts.length) return undefined;
  const partUnits = Math.min(PART_MAX_UNITS, Math.floor(PARTS_MAX_UNITS / found.length));
  const cut = found.map((part) => Array.from(part.slice(0, partUnits)).filter(isWellFormed));
  const sources = cut.map((characters) => characters.map(byteSource).join(""));
  const overlap = partUnits * LETTER_UNITS;
  return { expression: new RegExp(sources.join("|"), "gi"), overlap, anchors: cut.map(anchorsOf) };
}

// Letters that JSON writes as themselves wherever they stand. White space and punctuation is written
// anew where arguments are, quotes and backslashes are escaped, brackets and the dot in the middle
// part what documents put together.
const VERBATIM = /[\p{L}\p{M}\p{N}_]+(?:[-_.@# ][\p{L}\p{M}\p{N}_]+)*/gu;
/** A number may be written otherwise in a record. */
const NUMBER = /^[\d.e_ -]*$/iu;

function longestVerbatim(text: string): string | undefined {
  const parts = [...text.matchAll(VERBATIM)]
    .map(([part]) => part)
    .filter((part) => !NUMBER.test(part) && !isOurs(part));
  return parts.toSorted((a, b) => b.length - a.length)[0];
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

/** A number in any form that JSON has, or its end, before a word. */
const COUNT = /^[\d.e_-]+(?= )/u;

function isOurs(part: string): boolean {
  // There is a long s that is a lower case of S.
  const plain = part.toUpperCase().toLowerCase().replace(COUNT, "0");
  return OWN_WORDS.some((words) => words.includes(plain));
}

/** How one character, in any case, may stand in the bytes: as itself, or escaped, once or in a record in a record. */
function byteSource(character: string, position: number): string {
  if (PLAIN.test(character)) return character;
  const sources = [...casesOf(character)].flatMap((variant) =>
    variant < "\u0080"
      ? [variant.replace(/[^A-Za-z0-9_ ]/u, String.raw`\$&`)]
      : [utf8Source(variant), escapeSource(variant, position === 0)],
  );
  return sources.length === 1 ? (sources[0] ?? "") : `(?:${sources.join("|")})`;
}

/** ASCII that has no other case beyond ASCII: there is a long s, and a sign for Kelvin. */
const PLAIN = /[a-jl-rt-z0-9_ ]/iu;

function utf8Source(character: string): string {
  return Array.from(Buffer.from(character, "utf8"), (byte) => `\\x${byte.toString(16)}`).join("");
}

/** Of backslashes before a part the last one is enough: looking for more, from each of many, would take their square. */
function escapeSource(character: string, isFirst: boolean): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units
    .map((unit, index) => {
      const backslashes = isFirst && index === 0 ? String.raw`\\` : String.raw`\\{1,${MOST_BACKSLASHES}}`;
      return `${backslashes}u${unit.toString(16).padStart(4, "0")}`;
    })
    .join("");
}
