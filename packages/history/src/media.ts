/** What stands for an image in a document: never its data. `base64` is the data, of which only the length counts. */
export function imageMark(mediaType: string | undefined, base64: string | undefined): string {
  const type = mediaType ?? "unknown type";
  return base64 === undefined ? `[image: ${type}]` : `[image: ${type}, ${base64Bytes(base64)} bytes]`;
}

/** Bytes that a text of base64 stands for. */
function base64Bytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
