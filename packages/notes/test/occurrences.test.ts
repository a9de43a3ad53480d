import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrences, withoutOverlap } from "../src/occurrences.ts";
import { Slices, STEPS_A_LOOK } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";

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
  ])("of %j: %j are at %j", async (text, pattern, expected) => {
    expect([...(await occurrences(text, pattern, new Slices()))]).toEqual(expected);
  });

  it("are those of a search place by place, overlapping ones included", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: units, maxLength: 40 }),
        fc.string({ unit: units, minLength: 1, maxLength: 6 }),
        async (text, pattern) => {
          const expected = naive(text, pattern);
          expect([...(await occurrences(text, pattern, new Slices()))]).toEqual(expected);
          if (expected.length > 1) found++;
        },
      ),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it("without overlap are those that split finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: units, maxLength: 40 }),
        fc.string({ unit: units, minLength: 1, maxLength: 4 }),
        async (text, pattern) => {
          let at = 0;
          const expected = text
            .split(pattern)
            .slice(0, -1)
            .map((piece) => {
              const start = at + piece.length;
              at = start + pattern.length;
              return start;
            });
          const slices = new Slices();
          const all = await occurrences(text, pattern, slices);
          expect([...(await withoutOverlap(all, pattern.length, slices))]).toEqual(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["short", "a"],
    ["long", "a".repeat(65)],
    ["very long", `${"a".repeat(50_000)}b`],
  ])("are found in short slices, those of a %s text", async (_title, pattern) => {
    const text = "a".repeat(100_000);
    const slices = new CountedSlices();
    const all = await occurrences(text, pattern, slices);
    expect(all).toHaveLength(pattern.endsWith("b") ? 0 : text.length - pattern.length + 1);
    expect(slices.turns).toBeGreaterThanOrEqual(Math.floor(99_000 / STEPS_A_LOOK));
    const before = slices.turns;
    await withoutOverlap(all, pattern.length, slices);
    expect(slices.turns - before).toBeGreaterThanOrEqual(Math.floor(all.length / STEPS_A_LOOK));
  });
});
