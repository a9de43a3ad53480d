import type { JsonValue, Mapping, MappingEntry } from "./mapping.ts";

// `key:` or `key: value` from the first column. The value begins with what begins a plain scalar
// for certain, and holds no `#`, no tab, and no colon but inside a word: all else is left to the
// YAML library, which knows what it means.
const PLAIN_LINE =
  /^(?<key>[A-Za-z_][A-Za-z0-9_-]*):(?: +(?<value>(?:[A-Za-z0-9_./~+]|-(?=[^ ]))(?:[^\t\r\n#:]|:(?=[^ \t\r\n]))*)| *)$/u;
const SKIPPED_LINE = /^(?:#[^\r]*)?$/u;

/**
 * Reads a block of plain `key: value` lines, blank lines and comments, which nearly every note's
 * block is, at a fraction of what a YAML parser takes.
 *
 * @returns `undefined` where a line is not plain, or there is no entry
 */
export function scanPlainMapping(block: string): Mapping | undefined {
  const entries: MappingEntry[] = [];
  let insertAt = 0;
  for (let start = 0; start < block.length;) {
    const newline = block.indexOf("\n", start);
    const next = newline === -1 ? block.length : newline + 1;
    const line = block.slice(start, newline === -1 ? block.length : newline).replace(/\r$/u, "");
    const match = PLAIN_LINE.exec(line)?.groups;
    if (match !== undefined) {
      const value = withoutSpacesAtEnd(match["value"] ?? "");
      const colon = line.indexOf(":");
      const end = start + (value === "" ? colon + 1 : line.indexOf(value, colon) + value.length);
      entries.push({ key: match["key"] ?? "", value: plainScalar(value), span: { start, end } });
      insertAt = next;
    } else if (!SKIPPED_LINE.test(line)) {
      return undefined;
    }
    start = next;
  }
  return entries.length === 0 ? undefined : { entries, insertAt: [insertAt], indent: "", flow: false };
}

/** Spaces alone end a scalar: a no-break space, which `trimEnd` would take too, is a letter of it. */
function withoutSpacesAtEnd(value: string): string {
  let end = value.length;
  while (value[end - 1] === " ") end--;
  return value.slice(0, end);
}

/** A plain scalar under YAML's core schema (YAML 1.2.2, chapter 10.3.2). */
function plainScalar(source: string): JsonValue {
  if (/^(?:|~|null|Null|NULL)$/u.test(source)) return null;
  if (/^(?:true|True|TRUE)$/u.test(source)) return true;
  if (/^(?:false|False|FALSE)$/u.test(source)) return false;
  if (/^0o[0-7]+$/u.test(source) || /^0x[0-9a-fA-F]+$/u.test(source)) return Number(source);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/u.test(source)) return jsonNumber(Number(source));
  // JSON has no word for these.
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/u.test(source)) return null;
  return source;
}

/** JSON knows neither infinity nor a negative zero. */
function jsonNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}
