import { onOneLine } from "@notesoup/ide-registry";

const UTF8_BYTES_MAX = 3;

/** The longest beginning of `text` of at most `maxBytes` bytes of UTF-8 that ends between characters and outside of CRLF. */
export function beginningOf(text: string, maxBytes: number): string {
  if (text.length * UTF8_BYTES_MAX <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  let units = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    units += character.length;
  }
  if (text[units] === "\n" && text[units - 1] === "\r") units--;
  return text.slice(0, units);
}

/** A stretch of text on one line, cut after `maxUnits` UTF-16 units. */
export function preview(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return onOneLine(text);
  return `${onOneLine(text.slice(0, maxUnits).replace(/[\ud800-\udbff]$/u, ""))}…`;
}
