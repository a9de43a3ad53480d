/** A row of Claude Code's stream, or of one of its transcripts. */
export interface Row {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The row that a line holds; `undefined` where it holds none. */
export function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRow = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isRow ? (value as Row) : undefined;
  } catch {
    return undefined;
  }
}
