import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesComponent, parseComponent } from "../src/component-pattern.ts";
import { NoteError } from "../src/error.ts";

const codePointsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
const matches = (pattern: string, name: string, counter?: { steps: number }): boolean =>
  matchesComponent(parseComponent(pattern, pattern), codePointsOf(name), counter);

describe("the pattern of a component", () => {
  it.each([
    ["[]a]", "]a", "b["],
    ["[!]a]", "b[", "]a"],
    ["[^]a]", "b[^", "]a"],
    ["[a-]", "a-", "b"],
    ["[-a]", "a-", "b"],
    ["[a-c]", "abc", "d-"],
    ["[a-c-e]", "abc-e", "d"],
    ["[--0]", "-./0", "1,"],
    ["[]-a]", "]^_`a", "[b-"],
    ["[!a-c]", "d-!", "abc"],
    ["[a!]", "a!", "b"],
    ["[a^]", "a^", "b"],
    ["[!!]", "a", "!"],
    ["[[]", "[", "]a"],
    ["[*]", "*", "a"],
    ["[?]", "?", "a"],
    ["[a-a]", "a", "b"],
    ["[.[]", ".[", "a"],
    ["[😀-😂]", "😀😁😂", "😃a\ud83d"],
    ["[!😀]", "a😁", "😀"],
    ["[é-í]", "éêëìí", "eè"],
    ["?", "a😀\u0301?", ""],
  ])("%j takes each of %j and none of %j", (pattern, taken, left) => {
    expect([...taken].filter((name) => matches(pattern, name)).join("")).toBe(taken);
    expect([...left].filter((name) => matches(pattern, name))).toEqual([]);
  });

  it.each(["[", "a[", "[a", "[]", "[!]", "[^]", "[!", "[[", "]", "a]", "()", "@(a|b)", "!a", "+(a)", "#a", "{a", "$"])(
    "%j is only letters",
    (pattern) => {
      expect(matches(pattern, pattern)).toBe(true);
      expect(matches(pattern, `${pattern}x`)).toBe(false);
      expect(matches(pattern, "a")).toBe(false);
    },
  );

  it.each([
    ["**", "abc", true],
    ["a**b", "ab", true],
    ["a**b", "axxb", true],
    ["***", "", true],
    ["*.md", ".md", true],
    ["*a*", "bab", true],
    ["*ab*ab", "abab", true],
    ["*ab*ab", "aab", false],
    ["a*", "ba", false],
    ["", "", true],
    ["", "a", false],
    ["[]a]b*", "]bx", true],
    ["a[]b", "a[]b", true],
    ["[[]x]", "[x]", true],
    ["*[!a]", "aab", true],
    ["*[!a]", "aaa", false],
  ])("%j on %j: %j", (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it.each(["[b-a]", "[😁-😀]", "[!b-a]", "[[:alpha:]]", "[a[:digit:]]", "[!a[.x.]]", "[[=a=]]", "[[:]"])(
    "refuses %j with invalid_glob",
    (pattern) => {
      let code: string | undefined;
      try {
        parseComponent(pattern, pattern);
      } catch (error) {
        if (error instanceof NoteError) ({ code } = error);
      }
      expect(code).toBe("invalid_glob");
    },
  );

  it("matches what a regular expression of the same meaning matches, within its bound of steps", () => {
    const piece = fc.constantFrom<readonly [pattern: string, source: string]>(
      ["a", "a"],
      ["b", "b"],
      ["😀", "😀"],
      ["*", ".*"],
      ["?", "."],
      ["[ab]", "[ab]"],
      ["[!a]", "[^a]"],
      ["[^😀b]", "[^😀b]"],
      ["[]a]", "[\\]a]"],
      ["(", "\\("],
    );
    const name = fc.string({ unit: fc.constantFrom("a", "b", "😀", "]", "("), maxLength: 8 });
    let matched = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), name, (pieces, text) => {
        const pattern = pieces.map(([written]) => written).join("");
        const expected = new RegExp(`^${pieces.map(([, source]) => source).join("")}$`, "su").test(text);
        const counter = { steps: 0 };
        expect(matches(pattern, text, counter)).toBe(expected);
        expect(counter.steps).toBeLessThanOrEqual((pattern.length + 1) * (text.length + 1));
        if (expected) matched++;
      }),
      { numRuns: 10_000 },
    );
    expect(matched).toBeGreaterThan(100);
  });
});
