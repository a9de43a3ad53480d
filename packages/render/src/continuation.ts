/** What stands after the text of a read: where it is incomplete, a line of its own that says where to go on. */
export function continuation(text: string, next: number | null): string {
  if (next === null) return "";
  return `${text.endsWith("\n") ? "" : "\n"}[truncated; continue at offset_chars=${next}]`;
}
