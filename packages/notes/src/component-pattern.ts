import { quote } from "@notesoup/text";
import { NoteError } from "./error.ts";

/** What one token of a pattern asks for: a code point, or, for a star, any run of them. */
type Token =
  | { readonly kind: "letter"; readonly codePoint: number }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly CodePointRange[] };

type CodePointRange = readonly [from: number, to: number];

/** A pattern for one component of a path: letters, `*`, `?` and `[…]`. */
export type ComponentPattern = readonly Token[];

/**
 * Reads the pattern of one component. Parentheses, `!`, `+`, `@` and `#` are letters; so is a `[`
 * that is never closed. `**` inside a component is `*`.
 *
 * @param component well-formed text without a slash
 * @param glob the whole glob, for messages
 * @throws NoteError `invalid_glob` for a POSIX class and for a range that runs backwards
 */
export function parseComponent(component: string, glob: string): ComponentPattern {
  const characters = [...component];
  const lastClose = characters.lastIndexOf("]");
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    // Nothing is searched for behind the last one, so that many `[` cost no more than one.
    const end = character === "[" && index < lastClose ? endOfClass(characters, index) : -1;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") tokens.push({ kind: "any" });
    else if (end === -1) tokens.push({ kind: "letter", codePoint: codePointOf(character) });
    else {
      tokens.push(parseClass(characters.slice(index + 1, end), glob));
      index = end;
    }
  }
  return tokens;
}

/** The index of the `]` that ends the class; a `]` at its beginning is a member. -1 where it is not closed. */
function endOfClass(characters: readonly string[], open: number): number {
  const first = isNegation(characters[open + 1]) ? open + 2 : open + 1;
  return characters.indexOf("]", characters[first] === "]" ? first + 1 : first);
}

function parseClass(characters: readonly string[], glob: string): Token {
  const negated = isNegation(characters[0]);
  const members = negated ? characters.slice(1) : characters;
  if (/\[[:.=]/u.test(members.join("")))
    throw invalid(
      glob,
      `${quote(`[${characters.join("")}]`)} begins a POSIX class; write the letters or a range such as [a-z], and a [ as the last of them`,
    );
  const ranges: CodePointRange[] = [];
  for (let index = 0; index < members.length; index++) {
    const from = members[index] ?? "";
    const to = members[index + 1] === "-" ? members[index + 2] : undefined;
    if (to === undefined) {
      ranges.push([codePointOf(from), codePointOf(from)]);
      continue;
    }
    if (codePointOf(to) < codePointOf(from)) throw invalid(glob, `the range ${quote(`${from}-${to}`)} runs backwards`);
    ranges.push([codePointOf(from), codePointOf(to)]);
    index += 2;
  }
  return { kind: "class", negated, ranges };
}

function isNegation(character: string | undefined): boolean {
  return character === "!" || character === "^";
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function invalid(glob: string, why: string): NoteError {
  return new NoteError("invalid_glob", `the glob ${quote(glob)} cannot be used: ${why}`);
}

/** Counts the work of matching, so that tests can hold it against its bound. */
export interface StepCounter {
  steps: number;
}

/**
 * Whether a component, as code points, matches. Two pointers: a star that was passed takes one
 * code point more where what follows does not match, and only the last star is ever gone back to.
 * No token is held against a code point twice: at most pattern length times component length
 * steps, whatever the pattern.
 */
export function matchesComponent(
  pattern: ComponentPattern,
  component: readonly number[],
  counter?: StepCounter,
): boolean {
  let token = 0;
  let position = 0;
  let star = -1;
  let taken = 0;
  while (position < component.length) {
    const wanted = pattern[token];
    if (counter !== undefined) counter.steps += wanted?.kind === "class" ? wanted.ranges.length : 1;
    if (wanted?.kind === "star") {
      star = token++;
      taken = position;
      // Nothing follows that the rest could fail to match.
      if (token === pattern.length) return true;
    } else if (wanted !== undefined && accepts(wanted, component[position] ?? 0)) {
      token++;
      position++;
    } else if (star !== -1) {
      token = star + 1;
      position = ++taken;
    } else return false;
  }
  while (pattern[token]?.kind === "star") token++;
  return token === pattern.length;
}

function accepts(token: Exclude<Token, { readonly kind: "star" }>, codePoint: number): boolean {
  switch (token.kind) {
    case "letter":
      return token.codePoint === codePoint;
    case "any":
      return true;
    case "class":
      return token.ranges.some(([from, to]) => from <= codePoint && codePoint <= to) !== token.negated;
  }
}
