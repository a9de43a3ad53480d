import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areOverlapping, areWithin, merged, Refusal, requireBoundaries, span } from "../src/index.ts";

const anySpan = fc.tuple(fc.nat(40), fc.nat(8)).map(([start, length]) => span(start, start + length));

describe("overlap", () => {
  it.each([
    ["[0,5) and [3,8)", span(0, 5), span(3, 8), true],
    ["[0,3) and [3,6), which touch", span(0, 3), span(3, 6), false],
    ["two positions at one place", span(3, 3), span(3, 3), false],
    ["a position at the end of a range", span(3, 3), span(0, 3), false],
    ["a position inside of a range", span(2, 2), span(0, 3), true],
    ["a range and itself", span(0, 3), span(0, 3), true],
  ])("of %s", (_, one, other, expected) => {
    expect([areOverlapping(one, other), areOverlapping(other, one)]).toEqual([expected, expected]);
  });
});

describe("cover", () => {
  it("takes a range that two touching ones cover together, and none that a gap divides", () => {
    expect(areWithin([span(1, 5)], [span(3, 6), span(0, 3)])).toBe(true);
    expect(areWithin([span(1, 5)], [span(0, 3), span(4, 6)])).toBe(false);
    expect(areWithin([span(3, 3)], [span(3, 3)])).toBe(true);
    expect(areWithin([span(4, 4)], [span(3, 3)])).toBe(false);
  });

  it("is that of the units, however the ranges are cut and ordered", () => {
    fc.assert(
      fc.property(fc.array(anySpan), anySpan, (cover, { start, end }) => {
        const inside = (at: number): boolean => cover.some((one) => one.start <= at && at < one.end);
        const units = Array.from({ length: end - start }, (_, index) => start + index);
        if (units.length > 0) expect(areWithin([span(start, end)], cover)).toBe(units.every(inside));
        const fewest = merged(cover);
        expect(fewest.every((one, index) => index === 0 || (fewest[index - 1]?.end ?? 0) < one.start)).toBe(true);
        for (let at = 0; at < 50; at++) {
          expect(fewest.some((one) => one.start <= at && at < one.end)).toBe(inside(at));
        }
      }),
    );
  });
});

describe("a boundary", () => {
  const codeAt = (text: string, start: number, end: number): string => {
    try {
      requireBoundaries(text, span(start, end));
      return "none";
    } catch (error) {
      return error instanceof Refusal ? error.code : String(error);
    }
  };

  it("does not split what belongs together", () => {
    expect(codeAt("a😀b", 2, 4)).toBe("splits_code_point");
    expect(codeAt("a😀b", 1, 3)).toBe("none");
    expect(codeAt("a\r\nb", 0, 2)).toBe("splits_crlf");
    expect(codeAt("a\r\nb", 1, 3)).toBe("none");
  });

  it("lies within the text, at whole units, in order", () => {
    for (const [start, end] of [
      [-1, 1],
      [0, 3],
      [2, 1],
      [0.5, 1],
      [Number.NaN, 1],
    ] as const) {
      expect(codeAt("ab", start, end), `${start} to ${end}`).toBe("invalid_range");
    }
  });
});
