import { casesOf } from "./letter-case.ts";

/**
 * A character of a text that is one byte wherever the text is written as it is. A byte is found much
 * faster than a text; what stands beside it tells most of the others of its kind apart.
 */
export interface Anchor {
  /** The character's byte, in each case. */
  readonly bytes: readonly number[];
  /** For each byte, whether it may stand before the character, or behind it: 1, or 0. */
  readonly before: Uint8Array;
  readonly behind: Uint8Array;
}

const BYTES = 256;
const ANY = new Uint8Array(BYTES).fill(1);

/** The anchors of a text of the given characters. There is none where each has a form of several bytes. */
export function anchorsOf(characters: readonly string[]): Anchor[] {
  return characters.flatMap((character, index) => {
    const cases = [...casesOf(character)];
    if (cases.some((variant) => variant >= "\u0080")) return [];
    const bytes = cases.map((variant) => variant.charCodeAt(0));
    return [{ bytes, before: lastBytes(characters[index - 1]), behind: firstBytes(characters[index + 1]) }];
  });
}

const BACKSLASH = 0x5c;

function firstBytes(character: string | undefined): Uint8Array {
  if (character === undefined) return ANY;
  return tableOf(character, (variant) => [Buffer.from(variant)[0], ...(variant < "\u0080" ? [] : [BACKSLASH])]);
}

function lastBytes(character: string | undefined): Uint8Array {
  if (character === undefined) return ANY;
  return tableOf(character, (variant) => [Buffer.from(variant).at(-1), ...(variant < "\u0080" ? [] : HEX_DIGITS)]);
}

/** With one of them ends what is written as an escape. */
const HEX_DIGITS = Buffer.from("0123456789abcdefABCDEF");

function tableOf(character: string, bytesOf: (variant: string) => readonly (number | undefined)[]): Uint8Array {
  const table = new Uint8Array(BYTES);
  for (const byte of [...casesOf(character)].flatMap(bytesOf)) if (byte !== undefined) table[byte] = 1;
  return table;
}
