import {
  type Document,
  isMap,
  isScalar,
  type Pair,
  parseDocument,
  type ParsedNode,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { type JsonValue, type Mapping, type MappingEntry, OMITTED_VALUE } from "./mapping.ts";

/** Aliases that a block may hold and still have them resolved. People use none or a few; a bomb needs more. */
const MAX_ALIASES = 20;

/** How deep a block may nest: far more than a person writes, and far less than the parser's stack can take. */
const MAX_DEPTH = 64;

/** Tags, anchors and aliases that a block may hold: the parser takes more than its share of time for each. */
const MAX_PROPERTIES = 500;

/**
 * Reads any block by the YAML library: core schema, no known tags (nothing becomes a date, a set
 * or a buffer), no merging, no check for unique keys (it is quadratic), nothing evaluated.
 *
 * @returns `undefined` where the block has an error, is not a mapping, or is made to keep a parser busy
 */
export function readYamlMapping(block: string): Mapping | undefined {
  if (isHostile(block)) return undefined;
  const document = parseDocument(block, {
    version: "1.2",
    schema: "core",
    resolveKnownTags: false,
    uniqueKeys: false,
    merge: false,
    logLevel: "error",
  });
  const map = document.contents;
  if (document.errors.length > 0 || !isMap(map)) return undefined;
  const aliases = aliasesOf(document);
  const entries = map.items.map((pair) => entryOf(block, document, pair, aliases));
  return { entries, flow: map.flow === true, insertAt: placesFor(block, map), indent: indentOf(block, map) };
}

/** Whether a block nests or is tagged beyond what anybody writes. Read off its letters, before anything is parsed. */
function isHostile(block: string): boolean {
  if ((block.match(/(?<=^|[\s[{,])[&*!]/gu)?.length ?? 0) > MAX_PROPERTIES) return true;
  let open = 0;
  let deepest = 0;
  for (const character of block) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++open);
    else if (character === "]" || character === "}") open--;
  }
  return deepest > MAX_DEPTH || new RegExp(`(?:^|\\n) *(?:[-?:] +){${MAX_DEPTH},}`, "u").test(block);
}

/** Where the aliases of a document lead. */
interface Aliases {
  readonly count: number;
  readonly anchors: ReadonlySet<string>;
}

function aliasesOf(document: Document.Parsed): Aliases {
  const anchors = new Set<string>();
  let count = 0;
  visit(document, {
    Alias: () => {
      count++;
    },
    Value: (_key, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  return { count, anchors };
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

function entryOf(block: string, document: Document.Parsed, pair: ParsedPair, aliases: Aliases): MappingEntry {
  return {
    key: keyOf(block, pair.key),
    value: jsonValue(block, document, pair.value, aliases),
    span: plainSpan(block, pair),
  };
}

/** A key as it is written: `Null` is the name `Null`. */
function keyOf(block: string, key: ParsedNode): string {
  if (isScalar(key)) return key.source ?? String(key.value);
  return block.slice(key.range[0], key.range[1]);
}

/**
 * The value as JSON; its source where it names an anchor that is not there (`*important*`, a
 * person's emphasis); or a mark where it would be a bomb or turns in a circle.
 */
function jsonValue(
  block: string,
  document: Document.Parsed,
  node: ParsedNode | null,
  { count, anchors }: Aliases,
): JsonValue {
  if (node === null) return null;
  const named = count === 0 ? [] : aliasesIn(node);
  if (named.some((anchor) => !anchors.has(anchor))) return block.slice(node.range[0], node.range[1]);
  if (named.length > 0 && count > MAX_ALIASES) return OMITTED_VALUE;
  try {
    const value: unknown = node.toJS(document, { maxAliasCount: MAX_ALIASES });
    return JSON.parse(JSON.stringify(value) ?? "null") as JsonValue;
  } catch {
    return OMITTED_VALUE;
  }
}

function aliasesIn(node: ParsedNode): string[] {
  const named: string[] = [];
  visit(node, {
    Alias: (_key, { source }) => {
      named.push(source);
    },
  });
  return named;
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
    /^ *(?:\{[^\n]*|[^\n]*,)? *$/u.test(before) &&
    /^[^\r\n]*$/u.test(block.slice(start, end)) &&
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

/** Behind the last entry, or else before the first. */
function placesFor(block: string, map: YAMLMap.Parsed): number[] {
  const [first, last] = [map.items[0], map.items.at(-1)];
  if (map.flow === true) return [...(last === undefined ? [] : [endOf(last)]), map.range[0] + 1];
  const start = first?.key.range[0] ?? 0;
  return [...(last === undefined ? [] : [nextLine(block, endOf(last))]), block.lastIndexOf("\n", start - 1) + 1];
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

function indentOf(block: string, map: YAMLMap.Parsed): string {
  const start = map.items[0]?.key.range[0] ?? 0;
  return /^ */u.exec(block.slice(block.lastIndexOf("\n", start - 1) + 1, start))?.[0] ?? "";
}
