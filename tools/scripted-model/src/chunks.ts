/** `text` in pieces of `size` code points. A piece never ends within a surrogate pair: half a character has no form in UTF-8. */
export function chunks(text: string, size: number): string[] {
  if (!(size >= 1)) throw new RangeError(`A piece of ${size} code points cannot be sent.`);
  const pieces: string[] = [];
  let piece = "";
  let count = 0;
  for (const character of text) {
    piece += character;
    if (++count < size) continue;
    pieces.push(piece);
    piece = "";
    count = 0;
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}
