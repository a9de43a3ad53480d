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
  /** Where new entries may go, the best place first. */
  readonly insertAt: readonly number[];
  /** White space before each key of the block. */
  readonly indent: string;
  /** Whether the block is one `{…}`, whose entries are parted by commas and not by lines. */
  readonly flow: boolean;
}

/** What stands in place of a value that cannot be carried as JSON within bounds: an alias bomb, a cycle. The file keeps it. */
export const OMITTED_VALUE = "[omitted: too large]";
