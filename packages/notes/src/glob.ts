import { countCodePoints, quote } from "@notesoup/text";
import { expand } from "brace-expansion";
import { type ComponentPattern, matchesComponent, parseComponent, type StepCounter } from "./component-pattern.ts";
import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";

const MAX_CHARS = 1024;
/** No form of a text is longer than four times its NFC in code points: what is longer than this need not be composed. */
const MAX_UNITS = 8 * MAX_CHARS;
const MAX_ALTERNATIVES = 64;
/** All alternatives together, so that no path costs more than a small multiple of what the longest glob costs. */
const MAX_EXPANDED_CHARS = 4 * MAX_CHARS;
/**
 * So few that the expansion stays far inside its own bounds of depth, rewrites and steps, past
 * which it would take the rest as letters without a word.
 */
const MAX_OPENING_BRACES = 32;
const MAX_CLOSING_BRACES = 32;
/** As many digits as a double is sure to hold. */
const MAX_DIGITS = 15;

/** A component of a pattern: `**`, which takes any number of components, or a pattern of one. */
type Part = { readonly kind: "globstar" } | { readonly kind: "component"; readonly pattern: ComponentPattern };

/** One alternative of a glob: what its braces leave. */
export interface GlobAlternative {
  /** No globstar follows another, and none is the last: there it is followed by a star. */
  readonly parts: readonly Part[];
  /** The alternative's first component as it was written: what says whether it begins with a sigil or with `**`. */
  readonly head: string;
}

/**
 * Reads a glob into its alternatives. The dialect: `*`, `**`, `?` (one code point), `[…]` with `!`
 * or `^`, `{a,b}` and `{1..3}`; names that begin with a dot match; case counts; no extended globs,
 * no negation of the whole. `x/**` is what is below `x`, and not `x`. Braces that do not pair up,
 * or hold neither a comma nor a range, are letters.
 *
 * @throws NoteError `invalid_glob`: ill-formed text, a backslash, a POSIX class, a range that runs
 * backwards or from capital to small letters, an empty or `.` or `..` component, more than 1,024
 * code points, 64 alternatives, 4,096 code points in all alternatives or 32 braces
 */
export function parseGlob(glob: string): readonly GlobAlternative[] {
  if (typeof glob !== "string") throw new NoteError("invalid_glob", `a glob is text, and this is ${shownValue(glob)}`);
  if (glob.length > MAX_UNITS) throw tooLong(glob);
  if (!glob.isWellFormed()) throw invalid(glob, "it holds a lone surrogate, which no file name can hold");
  if (glob === "") throw invalid(glob, "it is empty; leave it out, or write ** for every notebook");
  const composed = glob.normalize("NFC");
  if (countCodePoints(composed) > MAX_CHARS) throw tooLong(glob);
  if (composed.includes("\\"))
    throw invalid(
      glob,
      "it holds a backslash, which no address holds; write a letter in brackets, such as [*], to mean itself",
    );
  const alternatives = expandBraces(composed);
  if (alternatives.reduce((sum, alternative) => sum + countCodePoints(alternative), 0) > MAX_EXPANDED_CHARS)
    throw invalid(glob, `its alternatives have more than ${MAX_EXPANDED_CHARS} characters; use several calls`);
  return alternatives.map((alternative) => parseAlternative(alternative, glob));
}

function expandBraces(glob: string): readonly string[] {
  if (count(glob, "{") > MAX_OPENING_BRACES || count(glob, "}") > MAX_CLOSING_BRACES)
    throw invalid(glob, `it has more than ${MAX_OPENING_BRACES} braces; use several calls`);
  for (const [range, from = "", to = ""] of glob.matchAll(/\{(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.-?\d+)?\}/giu)) {
    // The expansion would count by character codes: from `Y` to `b` past `[`, `]` and `^`.
    if (/[A-Z]/u.test(from) ? /[a-z]/u.test(to) : /[a-z]/u.test(from) && /[A-Z]/u.test(to))
      throw invalid(glob, `the range ${quote(range)} mixes capital and small letters; write two ranges`);
    if (Math.max(from.length, to.length) > MAX_DIGITS)
      throw invalid(glob, `a number of the range ${quote(range)} is longer than ${MAX_DIGITS} digits`);
  }
  // The letter in front keeps what a shell makes of the beginning away: there it drops empty
  // alternatives, which would not count against `max`, and treats `{}` otherwise than elsewhere. One
  // alternative more than allowed is asked for, so that it can be seen that there are too many. The
  // other bounds are lifted: what was refused above keeps the work small.
  const alternatives = expand(`x${glob}`, {
    max: MAX_ALTERNATIVES + 1,
    maxLength: Number.POSITIVE_INFINITY,
    maxDepth: Number.POSITIVE_INFINITY,
    maxRewrites: Number.POSITIVE_INFINITY,
    maxSteps: Number.POSITIVE_INFINITY,
  });
  if (alternatives.length > MAX_ALTERNATIVES)
    throw invalid(glob, `its braces stand for more than ${MAX_ALTERNATIVES} alternatives; use several calls`);
  // What stood in braces may compose with what stands around them.
  return alternatives.map((alternative) => alternative.slice(1).normalize("NFC"));
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function parseAlternative(alternative: string, glob: string): GlobAlternative {
  const components = alternative.split("/");
  const parts: Part[] = [];
  for (const component of components) {
    if (component === "")
      throw invalid(glob, "a component is empty; no slash begins or ends a glob, and x/** is what is below x");
    if (component === "." || component === "..") throw invalid(glob, `a component is ${quote(component)}`);
    if (component !== "**") parts.push({ kind: "component", pattern: parseComponent(component, glob) });
    else if (parts.at(-1)?.kind !== "globstar") parts.push({ kind: "globstar" });
  }
  // A path ends in a name: what `**` takes at the end is one component at least.
  if (parts.at(-1)?.kind === "globstar") parts.push({ kind: "component", pattern: parseComponent("*", glob) });
  return { parts, head: components[0] ?? "" };
}

function invalid(glob: string, why: string): NoteError {
  return new NoteError("invalid_glob", `the glob ${quote(glob)} cannot be used: ${why}`);
}

function tooLong(glob: string): NoteError {
  const why = `it is longer than ${MAX_CHARS} characters`;
  // What is far too long is not even quoted.
  if (glob.length <= MAX_UNITS) return invalid(glob, why);
  return new NoteError("invalid_glob", `a glob of ${glob.length} characters cannot be used: ${why}`);
}

/**
 * How far an alternative can have been matched: the parts that may come next. Empty where it
 * cannot match any more, so that a walk need not go deeper.
 */
export type GlobState = ReadonlySet<number>;

/** The state before the first component. */
export function startState(alternative: GlobAlternative): GlobState {
  return closed(alternative, [0]);
}

/**
 * The state after one more component, which is in NFC. Each part is held against the component at
 * most once, so that a path costs at most pattern length times path length steps.
 */
export function advance(
  alternative: GlobAlternative,
  state: GlobState,
  component: string,
  counter?: StepCounter,
): GlobState {
  const codePoints = Array.from(component, (character) => character.codePointAt(0) ?? 0);
  const next: number[] = [];
  for (const index of state) {
    if (counter !== undefined) counter.steps++;
    const part = alternative.parts[index];
    if (part?.kind === "globstar") next.push(index);
    else if (part !== undefined && matchesComponent(part.pattern, codePoints, counter)) next.push(index + 1);
  }
  return closed(alternative, next);
}

/** Whether a path that ends here is matched. */
export function isAccepted(alternative: GlobAlternative, state: GlobState): boolean {
  return state.has(alternative.parts.length);
}

/** `**` may also take no component at all. */
function closed({ parts }: GlobAlternative, indices: readonly number[]): GlobState {
  const state = new Set<number>();
  for (const index of indices) {
    state.add(index);
    if (parts[index]?.kind === "globstar") state.add(index + 1);
  }
  return state;
}
