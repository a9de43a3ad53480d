import { type Document, isMap, isScalar, type Pair, parseDocument, type ParsedNode, type Scalar, visit } from "yaml";
import { type JsonValue, type Mapping, type MappingEntry, OMITTED_VALUE } from "./mapping.ts";

/** Aliases that one value may resolve before it counts as a bomb. */
const MAX_ALIASES = 100;

/**
 * Reads any block by the YAML library: core schema, no known tags (nothing becomes a date, a set
 * or a buffer), no merging, no check for unique keys (it is quadratic), nothing evaluated.
 *
 * @returns `undefined` where the block has an error or is not a mapping
 */
export function readYamlMapping(block: string): Mapping | undefined {
  const document = parse(block);
  if (document === undefined || document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const map = document.contents;
  const entries = map.items.map((pair) => entryOf(block, document, pair));
  const flow = map.flow === true;
  const last = map.items.at(-1);
  const end = last === undefined ? map.range[0] + 1 : endOf(last);
  return {
    entries,
    flow,
    insertAt: flow ? end : nextLine(block, end),
    indent: indentAt(block, map.items[0]?.key.range[0] ?? 0),
  };
}

function parse(block: string): Document.Parsed | undefined {
  try {
    return parseDocument(block, {
      version: "1.2",
      schema: "core",
      resolveKnownTags: false,
      uniqueKeys: false,
      merge: false,
      logLevel: "error",
    });
  } catch {
    // Nested deeper than the parser can go.
    return undefined;
  }
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

function entryOf(block: string, document: Document.Parsed, pair: ParsedPair): MappingEntry {
  const key = isScalar(pair.key) ? String(pair.key.value) : block.slice(pair.key.range[0], pair.key.range[1]);
  return { key, value: jsonValue(block, document, pair.value), span: plainSpan(block, pair) };
}

/**
 * The value as JSON; its source where it names an anchor that is not there (`*important*`, a
 * person's emphasis); or a mark where it would be a bomb or turns in a circle.
 */
function jsonValue(block: string, document: Document.Parsed, node: ParsedNode | null): JsonValue {
  if (node === null) return null;
  try {
    const value: unknown = node.toJS(document, { maxAliasCount: MAX_ALIASES });
    return JSON.parse(JSON.stringify(value) ?? "null") as JsonValue;
  } catch {
    return namesUnknownAnchor(document, node) ? block.slice(node.range[0], node.range[1]) : OMITTED_VALUE;
  }
}

function namesUnknownAnchor(document: Document.Parsed, node: ParsedNode): boolean {
  const anchors = new Set<string>();
  visit(document, {
    Node: (_key, { anchor }: { readonly anchor?: string }) =>
      void (anchor === undefined ? undefined : anchors.add(anchor)),
  });
  let isUnknown = false;
  visit(node, { Alias: (_key, { source }) => void (isUnknown ||= !anchors.has(source)) });
  return isUnknown;
}

/**
 * The place of `key: value`, where it stands on one line by itself and nothing else hangs on it: no
 * anchor that an alias may name, no tag, no `?`.
 */
function plainSpan(block: string, { key, value }: ParsedPair): MappingEntry["span"] {
  if (!isBareScalar(key) || value === null || !isBareScalar(value)) return undefined;
  const [start] = key.range;
  const end = value.range[1];
  const before = block.slice(block.lastIndexOf("\n", start - 1) + 1, start);
  const isPlain =
    /^ *(?:\{.*|.*,)? *$/u.test(before) &&
    /^[^\n]*$/u.test(block.slice(start, end)) &&
    /^ *: *\S/u.test(block.slice(key.range[1], end));
  return isPlain ? { start, end } : undefined;
}

function isBareScalar(node: ParsedNode): node is Scalar.Parsed {
  return (
    isScalar(node) &&
    node.anchor === undefined &&
    node.tag === undefined &&
    node.type !== "BLOCK_LITERAL" &&
    node.type !== "BLOCK_FOLDED"
  );
}

function endOf({ key, value }: ParsedPair): number {
  return Math.max(key.range[1], value?.range[1] ?? 0);
}

/** The start of the line after `index`, or `index` where a line starts there. */
function nextLine(block: string, index: number): number {
  if (index > 0 && block[index - 1] === "\n") return index;
  const newline = block.indexOf("\n", index);
  return newline === -1 ? block.length : newline + 1;
}

function indentAt(block: string, index: number): string {
  const line = block.slice(block.lastIndexOf("\n", index - 1) + 1, index);
  return /^ */u.exec(line)?.[0] ?? "";
}
