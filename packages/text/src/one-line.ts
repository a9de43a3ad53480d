import { unitIndexAfter } from "./code-points.ts";

// Everything that can break a line, move the cursor or turn the direction of what follows:
// control characters, the two Unicode line separators, the marks of direction, and the byte order mark.
const UNSAFE_IN_A_LINE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * `text` with each character that could break or disguise a line written as `\uXXXX`: control
 * characters, line separators, marks of direction, lone surrogates. All else stays as it is, so
 * that a note's address is shown as it can be typed.
 */
export function oneLine(text: string): string {
  return text.replace(UNSAFE_IN_A_LINE, escape);
}

/**
 * Several lines for a terminal: as {@link oneLine}, but LF and tab stay, and CRLF becomes LF. What
 * a note holds can then not steer the terminal on which it is shown.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(UNSAFE_IN_A_LINE, (character) =>
      character === "\n" || character === "\t" ? character : escape(character),
    );
}

/** Code points of a quotation before it is cut. */
const QUOTE_MAX_CHARS = 200;

/**
 * A quotation of foreign input for a message: in double quotes, on one line, cut after
 * `maxChars` code points with `…`.
 *
 * @example
 * ```ts
 * quote("a\nb"); // "a\nb" with a backslash and an n
 * ```
 */
export function quote(text: string, maxChars: number = QUOTE_MAX_CHARS): string {
  const cut = unitIndexAfter(text, maxChars);
  const shown = cut < text.length ? `${text.slice(0, cut)}…` : text;
  return oneLine(JSON.stringify(shown));
}
