import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLf, uniformLines, withLineEnd } from "../src/line-ends.ts";
import { Slices, STEPS_A_LOOK } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", "😀", "\n", "\r\n", "\r", "\u2028"), maxLength: 30 });

describe("uniform lines", () => {
  it.each([
    ["", ""],
    ["a\r\nb", "a\nb"],
    ["a\nb\r\n", "a\nb\n"],
    ["a\rb", "a\rb"],
    ["\r\r\n\n\r", "\r\n\n\r"],
    ["\r\n\r\n", "\n\n"],
  ])("have every CRLF of %j as LF: %j", async (original, uniform) => {
    expect((await uniformLines(original, new Slices())).text).toBe(uniform);
    expect(await toLf(original, new Slices())).toBe(uniform);
  });

  it("lead back to the original: what lies between two places is the same but for its line ends", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.nat(30), fc.nat(30), async (original, one, other) => {
        const lines = await uniformLines(original, new Slices());
        const [start = 0, end = 0] = [one, other]
          .map((position) => Math.min(position, lines.text.length))
          .toSorted((a, b) => a - b);
        const pieces = [
          original.slice(0, lines.toOriginal(start)),
          original.slice(lines.toOriginal(start), lines.toOriginal(end)),
          original.slice(lines.toOriginal(end)),
        ];
        expect(pieces.map((piece) => piece.replaceAll("\r\n", "\n"))).toEqual([
          lines.text.slice(0, start),
          lines.text.slice(start, end),
          lines.text.slice(end),
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it("know how each line end is written", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (original) => {
        const lines = await uniformLines(original, new Slices());
        const ends: string[] = [];
        for (let at = lines.text.indexOf("\n"); at !== -1; at = lines.text.indexOf("\n", at + 1))
          ends.push(lines.lineEndAt(at));
        expect(ends).toEqual([...original.matchAll(/\r?\n/gu)].map(([end]) => end));
      }),
      { numRuns: 3000 },
    );
  });

  // Line ends are rewritten in pieces, at whose ends none must be torn apart.
  it.each(["\n", "\r\n", "\r", "a\r\n", "\r\r\n", "ab\r\n\n"])(
    "are those of a text that is %j many times",
    async (piece) => {
      for (const before of ["", "x", "xx"]) {
        const original = before + piece.repeat(30_000);
        const slices = new CountedSlices();
        const lines = await uniformLines(original, slices);
        const uniform = before + piece.replaceAll("\r\n", "\n").repeat(30_000);
        expect(lines.text === uniform).toBe(true);
        expect(lines.toOriginal(uniform.length)).toBe(original.length);
        for (const lineEnd of ["\n", "\r\n"] as const) {
          const expected = before + piece.replaceAll(/\r?\n/gu, lineEnd).repeat(30_000);
          expect((await withLineEnd(original, lineEnd, slices)) === expected).toBe(true);
        }
      }
    },
  );

  it("are made in short slices", async () => {
    const slices = new CountedSlices();
    await uniformLines("\r\n".repeat(100_000), slices);
    expect(slices.turns).toBeGreaterThanOrEqual(Math.floor(100_000 / STEPS_A_LOOK));
  });
});
