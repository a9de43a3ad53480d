import { Refusal } from "./refusal.ts";

/** How the lines of a text end: all alike, in more than one way, or not at all. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const BOM = 0xfeff;

/**
 * The text of a file. A byte order mark is told apart and not counted: offset 0 comes after it.
 *
 * @returns a refusal instead, `not_utf8`, or `binary` where there are zero bytes among them too, so
 * that a caller that shows rather than edits can go on
 */
export function decode(bytes: Uint8Array): { readonly text: string; readonly bom: boolean } | Refusal {
  try {
    // The lenient decoder is several times as fast, and leaves this mark wherever the strict one would fail.
    const read = lenient.decode(bytes);
    const text = read.includes("\ufffd") ? strict.decode(bytes) : read;
    const bom = text.charCodeAt(0) === BOM;
    return { text: bom ? text.slice(1) : text, bom };
  } catch (cause) {
    return bytes.includes(0)
      ? new Refusal("binary", "the file is binary", 'look at it with read and view "bytes"', { cause })
      : new Refusal("not_utf8", "the file is not valid UTF-8", "convert it to UTF-8 to edit it", { cause });
  }
}

/** The text of bytes that must have one. @throws Refusal `not_utf8`, `binary` */
export function textOf(bytes: Uint8Array): string {
  const decoded = decode(bytes);
  if (decoded instanceof Refusal) throw decoded;
  return decoded.text;
}

/** The bytes of a text, with a byte order mark where the file has one. */
export function encode(text: string, bom: boolean): Uint8Array {
  return encoder.encode(bom ? `\ufeff${text}` : text);
}

/** How the lines of `text` end. LF, CRLF and a CR alone each end a line. */
export function lineEndingOf(text: string): LineEnding {
  // Most files hold no CR, and two searches say so.
  if (!text.includes("\r")) return text.includes("\n") ? "lf" : "none";
  let found: LineEnding = "none";
  for (const [ending] of text.matchAll(/\r\n|\n|\r/gu)) {
    const here: LineEnding = ending === "\n" ? "lf" : ending === "\r" ? "cr" : "crlf";
    if (found !== "none" && found !== here) return "mixed";
    found = here;
  }
  return found;
}

/**
 * A text as it goes into a file: where all lines of the file end in CRLF, the LFs that stand alone
 * become CRLF; elsewhere it goes in as it is.
 */
export function fittedTo(ending: LineEnding, text: string): string {
  return ending === "crlf" ? text.replace(/(?<!\r)\n/gu, "\r\n") : text;
}
