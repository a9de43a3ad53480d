import { generateDiffString } from "@earendil-works/pi-coding-agent";

/** Lines that may differ, and lines in all, for a diff to be made: Pi's takes the square of the first. */
const MAX_CHANGED_LINES = 600;
const MAX_LINES = 20_000;

/** A change in Pi's form of a diff; where that would hold Pi up, how many lines became how many. */
export function changeDiff({ before, after }: { readonly before: string; readonly after: string }): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const start = sameAtStart(old, now);
  const end = sameAtStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  const [removed, added] = [old.length - start - end, now.length - start - end];
  if (removed + added <= MAX_CHANGED_LINES && Math.max(old.length, now.length) <= MAX_LINES) {
    return generateDiffString(before, after).diff;
  }
  return ` ${start + 1} … ${removed} lines became ${added}`;
}

function sameAtStart(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same++;
  return same;
}
