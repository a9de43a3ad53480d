/** The length of `text` in bytes of UTF-8. A lone surrogate counts as the three bytes of U+FFFD, which encoding makes of it. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/**
 * The length in bytes of UTF-8 of `value` as JSON, escapes included (`\u0000` is six bytes): what
 * a structured result weighs on the wire.
 *
 * @throws TypeError where `JSON.stringify` does, or gives nothing (`undefined`, a function)
 */
export function jsonBytes(value: unknown): number {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError("The value has no JSON form.");
  return utf8Bytes(json);
}
