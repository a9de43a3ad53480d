import { utf8Bytes } from "@notesoup/text";

/** No canonical address is longer, in bytes: 16 components, a sigil and a name. */
const ADDRESS_MAX_BYTES = 4300;
/** No form of one is longer, in UTF-16 units: longer text is not even composed. */
const ADDRESS_MAX_UNITS = 2 * ADDRESS_MAX_BYTES;

/** Whether a value can be an address. What is no text, or is too long, is the store's to refuse. */
export function canBeAddress(value: unknown): value is string {
  if (typeof value !== "string" || value.length > ADDRESS_MAX_UNITS) return false;
  return utf8Bytes(value.normalize("NFC")) <= ADDRESS_MAX_BYTES;
}

/** An address as long as the receipt can show it: composed, and with the `.md` that it may lack. */
export function longestAddress(address: string): string {
  return `${address.normalize("NFC")}.md`;
}
