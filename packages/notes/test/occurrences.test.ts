import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrences, withoutOverlap } from "../src/occurrences.ts";

/** Every place, tried one by one. */
const naive = (text: string, pattern: string): number[] =>
  Array.from(text, (_unit, index) => index).filter((index) => text.startsWith(pattern, index));
const units = fc.constantFrom("a", "b");

describe("occurrences", () => {
  it.each([
    ["aaaa", "aa", [0, 1, 2]],
    ["abab", "abab", [0]],
    ["ababab", "abab", [0, 2]],
    ["abc", "d", []],
    ["abc", "abcd", []],
    ["", "a", []],
    ["abc", "", []],
    ["😀😀", "😀", [0, 2]],
    ["a\u0000a", "\u0000", [1]],
  ])("of %j: %j are at %j", (text, pattern, expected) => {
    expect(occurrences(text, pattern)).toEqual(expected);
  });

  it("are those of a search place by place, overlapping ones included", () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: units, maxLength: 40 }),
        fc.string({ unit: units, minLength: 1, maxLength: 6 }),
        (text, pattern) => {
          const expected = naive(text, pattern);
          expect(occurrences(text, pattern)).toEqual(expected);
          if (expected.length > 1) found++;
        },
      ),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it("without overlap are those that split finds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: units, maxLength: 40 }),
        fc.string({ unit: units, minLength: 1, maxLength: 4 }),
        (text, pattern) => {
          let at = 0;
          const expected = text
            .split(pattern)
            .slice(0, -1)
            .map((piece) => {
              const start = at + piece.length;
              at = start + pattern.length;
              return start;
            });
          expect(withoutOverlap(occurrences(text, pattern), pattern.length)).toEqual(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
