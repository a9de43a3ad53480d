// What can break a line, move the cursor or turn the direction of what follows.
const UNSAFE_IN_A_LINE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;
const MAX_UNITS = 200;

/** `text` on one line, with what could break or disguise the line written as `\uXXXX`. */
export function onOneLine(text: string): string {
  return text.replace(UNSAFE_IN_A_LINE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * The name of a file as a person reads it: relative to `root` where it lies within, else no more
 * than its last component, so that no path of the machine is told. On one line, cut where it is long.
 */
export function shownName(name: string, root: string): string {
  const folder = /[/\\]$/u.test(root) ? root.slice(0, -1) : root;
  const isInside = name.startsWith(folder) && /^[/\\]./u.test(name.slice(folder.length));
  const outside = `…/${name.split(/[/\\]/u).at(-1) ?? ""}`;
  const line = onOneLine(name === root ? "." : isInside ? name.slice(folder.length + 1) : outside);
  return line.length <= MAX_UNITS ? line : `${line.slice(0, MAX_UNITS).toWellFormed()}…`;
}
