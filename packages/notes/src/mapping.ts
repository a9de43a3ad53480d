/** A value that JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One `key: value` of a frontmatter block. Positions are UTF-16 indices into the block. */
export interface MappingEntry {
  readonly key: string;
  readonly value: JsonValue;
  /**
   * Where `key: value` stands, if it stands on one line in the plain way, so that it can be
   * replaced there. Else `undefined`: its bytes are never touched.
   */
  readonly span: { readonly start: number; readonly end: number } | undefined;
}

/** A frontmatter block, understood as far as it is needed to read it and to change single lines of it. */
export interface Mapping {
  /** In the order of the block. Of several with one key the last one counts. */
  readonly entries: readonly MappingEntry[];
  /** Where a new entry goes: behind the last one. */
  readonly insertAt: number;
  /** White space before each key of the block. */
  readonly indent: string;
  /** Whether the block is one `{…}`, whose entries are parted by commas and not by lines. */
  readonly flow: boolean;
}

/** What stands in place of a value that cannot be carried as JSON within bounds: an alias bomb, a cycle. The file keeps it. */
export const OMITTED_VALUE = "[omitted: too large]";

/** A change of the block: the YAML scalar that a key shall have, or `undefined` where its line shall go. */
export type MappingChanges = ReadonlyMap<string, string | undefined>;

/**
 * The block with some entries changed. Only the lines of these keys change; every other byte stays.
 * A key that cannot be replaced where it stands is added once more behind the last, which counts.
 */
export function changeMapping(block: string, mapping: Mapping, changes: MappingChanges, lineEnd: string): string {
  const splices: { start: number; end: number; text: string }[] = [];
  let added = "";
  const add = (entry: string): void => {
    added += mapping.flow
      ? `${mapping.entries.length > 0 || added !== "" ? ", " : ""}${entry}`
      : `${mapping.indent}${entry}${lineEnd}`;
  };
  for (const [key, scalar] of changes) {
    const entries = mapping.entries.filter((entry) => entry.key === key);
    if (scalar === undefined) {
      const removable = !mapping.flow && entries.every((entry) => entry.span !== undefined);
      if (removable) for (const { span } of entries) splices.push({ ...lineOf(block, span?.start ?? 0), text: "" });
      else if (entries.length > 0) add(`${key}: null`);
      continue;
    }
    const span = entries.at(-1)?.span;
    if (span === undefined) add(`${key}: ${scalar}`);
    else splices.push({ ...span, text: `${key}: ${scalar}` });
  }
  if (added !== "") splices.push({ start: mapping.insertAt, end: mapping.insertAt, text: added });
  let changed = block;
  for (const { start, end, text } of splices.toSorted((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + text + changed.slice(end);
  return changed;
}

function lineOf(block: string, index: number): { start: number; end: number } {
  const next = block.indexOf("\n", index);
  return { start: block.lastIndexOf("\n", index - 1) + 1, end: next === -1 ? block.length : next + 1 };
}
