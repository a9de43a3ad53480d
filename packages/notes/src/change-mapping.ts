import type { JsonValue, Mapping } from "./mapping.ts";

/** What entries shall say, by key; `undefined`: nothing any more. A key that is not named stays. */
export type MappingChanges = ReadonlyMap<string, string | number | undefined>;

/**
 * The block with some entries changed, in the ways in which that can be done, the best one first.
 * Only what stands at these keys is touched. A key that cannot be replaced where it stands is added
 * once more behind it, for the last one counts.
 *
 * YAML has more forms than this knows: a block is good only if {@link saysInstead} says so of it.
 *
 * @param lineEnd the line end of the block
 */
export function changedBlocks(block: string, mapping: Mapping, changes: MappingChanges, lineEnd: string): string[] {
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, value] of changes) {
    const entries = mapping.entries.filter((entry) => entry.key === key);
    const spans = entries.flatMap(({ span }) => span ?? []);
    if (value === undefined) {
      const isRemovable = !mapping.flow && spans.length === entries.length;
      if (isRemovable) splices.push(...spans.map(({ start }) => ({ ...lineOf(block, start), text: "" })));
      // A line that cannot be taken out is made to say nothing, where it does not already.
      else if (entries.at(-1)?.value !== null) set(key, "null");
    } else set(key, scalarOf(value));
  }
  if (added.length === 0) return [spliced(block, splices)];
  return mapping.insertAt.map((at) =>
    spliced(block, [...splices, { start: at, end: at, text: insertion(block, mapping, at, added, lineEnd) }]),
  );

  function set(key: string, scalar: string): void {
    const span = mapping.entries.findLast((entry) => entry.key === key)?.span;
    if (span === undefined) added.push(`${key}: ${scalar}`);
    else splices.push({ ...span, text: `${key}: ${scalar}` });
  }
}

/** Whether `after` says what the changes ask for, and everything else as `before` did. */
export function saysInstead(before: Mapping, after: Mapping, changes: MappingChanges): boolean {
  const others = ({ entries }: Mapping): string =>
    JSON.stringify(entries.filter(({ key }) => !changes.has(key)).map(({ key, value }) => [key, value]));
  const isAsAsked = ([key, value]: readonly [string, JsonValue | undefined]): boolean =>
    (after.entries.findLast((entry) => entry.key === key)?.value ?? null) === (value ?? null);
  return others(before) === others(after) && [...changes].every(isAsAsked);
}

/** How a value that the store owns is written: plain where YAML surely reads it as the same text, else quoted. */
export function scalarOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(value);
  // The words beyond true, false and null are truth values to older readers of YAML.
  const isWord = /^[A-Za-z][A-Za-z0-9._-]*$/u.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(value);
  return isTime || isWord ? value : JSON.stringify(value);
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function spliced(block: string, splices: readonly Splice[]): string {
  let changed = block;
  for (const { start, end, text } of splices.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + text + changed.slice(end);
  }
  return changed;
}

function insertion(
  block: string,
  { flow, indent, entries }: Mapping,
  at: number,
  added: readonly string[],
  lineEnd: string,
): string {
  if (!flow) return added.map((entry) => `${indent}${entry}${lineEnd}`).join("");
  if (entries.length === 0) return added.join(", ");
  if (block[at - 1] === "{") return `${added.join(", ")}, `;
  // The space keeps a `#` that follows a comment.
  return `, ${added.join(", ")}${block[at] === "#" ? " " : ""}`;
}

function lineOf(block: string, index: number): { readonly start: number; readonly end: number } {
  const next = block.indexOf("\n", index);
  return { start: block.lastIndexOf("\n", index - 1) + 1, end: next === -1 ? block.length : next + 1 };
}
