import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLf, uniformLines } from "../src/line-ends.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", "😀", "\n", "\r\n", "\r", "\u2028"), maxLength: 30 });

describe("uniform lines", () => {
  it.each([
    ["", ""],
    ["a\r\nb", "a\nb"],
    ["a\nb\r\n", "a\nb\n"],
    ["a\rb", "a\rb"],
    ["\r\r\n\n\r", "\r\n\n\r"],
    ["\r\n\r\n", "\n\n"],
  ])("have every CRLF of %j as LF: %j", (original, uniform) => {
    expect(uniformLines(original).text).toBe(uniform);
    expect(toLf(original)).toBe(uniform);
  });

  it("lead back to the original: what lies between two places is the same but for its line ends", () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), fc.nat(30), (original, one, other) => {
        const lines = uniformLines(original);
        const [start = 0, end = 0] = [one, other]
          .map((position) => Math.min(position, lines.text.length))
          .toSorted((a, b) => a - b);
        const pieces = [
          original.slice(0, lines.toOriginal(start)),
          original.slice(lines.toOriginal(start), lines.toOriginal(end)),
          original.slice(lines.toOriginal(end)),
        ];
        expect(pieces.map(toLf)).toEqual([
          lines.text.slice(0, start),
          lines.text.slice(start, end),
          lines.text.slice(end),
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it("know how each line end is written", () => {
    fc.assert(
      fc.property(anyText, (original) => {
        const lines = uniformLines(original);
        const ends: string[] = [];
        for (let at = lines.text.indexOf("\n"); at !== -1; at = lines.text.indexOf("\n", at + 1))
          ends.push(lines.lineEndAt(at));
        expect(ends).toEqual([...original.matchAll(/\r?\n/gu)].map(([end]) => end));
      }),
      { numRuns: 3000 },
    );
  });
});
