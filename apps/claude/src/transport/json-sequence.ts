/**
 * JSON texts on a stream on which others may print: each stands on a line of its own behind a record
 * separator, as RFC 7464 has it. Whatever else is printed is skipped.
 */
const SEPARATOR = "\u001e";

/** A value as it is written. */
export function jsonRecord(value: unknown): string {
  return `${SEPARATOR}${JSON.stringify(value)}\n`;
}

/** The values in what was read, as far as they are whole. */
export function jsonRecords(text: string): readonly unknown[] {
  return text.split(SEPARATOR).slice(1).flatMap(valueAt);
}

function valueAt(piece: string): readonly unknown[] {
  const end = piece.indexOf("\n");
  if (end === -1) return [];
  try {
    return [JSON.parse(piece.slice(0, end))];
  } catch {
    return [];
  }
}
