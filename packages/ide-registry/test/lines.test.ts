import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lines, spanAt } from "../src/index.ts";

const anyText = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\r", "")).map((pieces) => pieces.join(""));
const cut = (text: string, { start, end }: { start: number; end: number }): string => text.slice(start, end);

describe("lines", () => {
  it("end in LF, CRLF and a CR alone, and what follows the last ending is none if it is empty", () => {
    const text = "one\ntwo\r\nthree\rfour\n";
    const lines = new Lines(text);
    expect(lines.count).toBe(4);
    expect([1, 2, 3, 4].map((line) => cut(text, lines.whole(line, line)))).toEqual([
      "one\n",
      "two\r\n",
      "three\r",
      "four\n",
    ]);
    expect([1, 2, 3, 4].map((line) => cut(text, lines.content(line, line)))).toEqual(["one", "two", "three", "four"]);
    expect(new Lines("").count).toBe(0);
    expect(new Lines("a").count).toBe(1);
  });

  it("make up the text, and know the place of every offset", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = new Lines(text);
        const whole = Array.from({ length: lines.count }, (_, index) => cut(text, lines.whole(index + 1, index + 1)));
        expect(whole.join("")).toBe(text);
        for (let offset = 0; offset <= text.length; offset++) {
          const isBetween = text.slice(offset - 1, offset + 1) === "\r\n";
          if (!isBetween && (lines.count > 0 || offset > 0)) expect(lines.offset(lines.at(offset))).toBe(offset);
        }
      }),
    );
  });

  it("that do not exist are refused", () => {
    for (const [first, last] of [
      [0, 1],
      [1, 3],
      [2, 1],
      [1.5, 2],
    ] as const) {
      expect(() => new Lines("a\nb").whole(first, last)).toThrow(expect.objectContaining({ code: "invalid_range" }));
    }
  });
});

describe("a range between two places", () => {
  it("counts lines from 1 and columns in UTF-16 units from 0", () => {
    const text = "😀a\r\nb";
    expect(spanAt(text, { line: 1, col: 2 }, { line: 2, col: 1 })).toEqual({ start: 2, end: 6 });
    expect(spanAt("a\n", { line: 2, col: 0 }, { line: 2, col: 0 })).toEqual({ start: 2, end: 2 });
    expect(spanAt("", { line: 1, col: 0 }, { line: 1, col: 0 })).toEqual({ start: 0, end: 0 });
  });

  it("is refused where a place is past its line, inside of a character, or before the other", () => {
    const code = (from: [number, number], to: [number, number]): unknown => {
      try {
        return spanAt("😀a\r\nb", { line: from[0], col: from[1] }, { line: to[0], col: to[1] });
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect(code([1, 0], [1, 4])).toBe("invalid_range");
    expect(code([1, 0], [3, 0])).toBe("invalid_range");
    expect(code([1, 1], [1, 2])).toBe("splits_code_point");
    expect(code([2, 0], [1, 0])).toBe("invalid_range");
  });
});
