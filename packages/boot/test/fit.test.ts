import { utf8Bytes } from "@notesoup/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, fitPieces } from "../src/fit.ts";

function block(name: string, sizes: readonly number[], weight = 1): Block {
  const lines = sizes.map((size, index) => `${name}${index}`.padEnd(size, "é"));
  const omission = (shown: number): string => `+${lines.length - shown} of ${name}`;
  return { lines, omission, longestOmission: omission(0), weight };
}

/** How many lines of a block are shown, from what is said of it. */
function shownOf(text: string, name: string, of: number): number {
  const omitted = new RegExp(`^\\+(\\d+) of ${name}$`, "mu").exec(text)?.[1] ?? "0";
  return of - Number(omitted);
}

describe("fitPieces", () => {
  it("shows everything where it fits exactly, and omits where a byte is missing", () => {
    const pieces = ["head", block("a", [20, 20, 20]), "tail"];
    const whole = ["head", ...block("a", [20, 20, 20]).lines, "tail"].join("\n");
    expect(fitPieces(pieces, utf8Bytes(whole))).toBe(whole);
    expect(fitPieces(pieces, utf8Bytes(whole) - 1)).toBe(
      ["head", ...block("a", [20, 20]).lines, "+1 of a", "tail"].join("\n"),
    );
  });

  it("is nothing where not even the omissions fit", () => {
    expect(fitPieces(["head", block("a", [90])], 11)).toBeUndefined();
    expect(fitPieces(["head", block("a", [90])], 12)).toBe("head\n+1 of a");
  });

  it("writes a line that is shorter than its omission, whatever the room", () => {
    const { lines } = block("a", [3]);
    expect(fitPieces(["head", block("a", [3])], 12)).toBe(`head\n${lines.join("")}`);
  });

  it("shows the beginning of a line that does not fit where it may be cut, in what is left of the block's share", () => {
    const cuttable = (name: string): Block => ({
      lines: ["first", name.repeat(500)],
      omission: (shown) => `+${2 - shown} of ${name}`,
      longestOmission: `+2 of ${name}`,
      beginning: (line, maxBytes) => {
        // Nobody asks for the beginning of a line that there is not, or that is shown whole.
        expect(line).toBe(1);
        return maxBytes >= 1 ? { text: name.repeat(Math.floor(maxBytes)), omission: `+rest ${name}` } : undefined;
      },
      weight: 1,
    });
    const [head, below] = ["head\nfirst\n", "\n+rest a"];
    expect(fitPieces(["head", cuttable("a")], utf8Bytes(head + below) + 9)).toBe(`${head}${"a".repeat(9)}${below}`);
    expect(fitPieces(["head", cuttable("a")], utf8Bytes(head + below))).toBe("head\nfirst\n+1 of a");
    // All of it is no beginning.
    expect(fitPieces([cuttable("a")], 1000)).toBe(`first\n${"a".repeat(500)}`);
    const both = fitPieces([cuttable("a"), cuttable("b")], 400) ?? "";
    expect(utf8Bytes(both)).toBe(400);
    const [a, b] = [both.match(/^a+$/mu), both.match(/^b+$/mu)];
    expect(Math.abs((a?.[0]?.length ?? 0) - (b?.[0]?.length ?? 0))).toBeLessThanOrEqual(1);
  });

  it("gives what a block does not need to those that need more, by weight", () => {
    const text = fitPieces(
      [block("a", [10]), block("b", Array<number>(500).fill(10), 2), block("c", Array<number>(500).fill(10))],
      3000,
    );
    const [a, b, c] = [shownOf(text ?? "", "a", 1), shownOf(text ?? "", "b", 500), shownOf(text ?? "", "c", 500)];
    expect(a).toBe(1);
    expect(b / c).toBeCloseTo(2, 0);
  });

  it("never takes more than it is given, counts what it leaves out, and leaves no room that a line would fit", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 30 });
    const blocks = fc.array(fc.record({ sizes, weight: fc.integer({ min: 1, max: 4 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(blocks, fc.integer({ min: 0, max: 4000 }), (given, maxBytes) => {
        const pieces = given.map(({ sizes: of, weight }, index) => block(String.fromCharCode(97 + index), of, weight));
        const text = fitPieces(["head", ...pieces], maxBytes);
        if (text === undefined) return;
        expect(utf8Bytes(text)).toBeLessThanOrEqual(maxBytes);
        for (const [index, { lines }] of pieces.entries()) {
          const name = String.fromCharCode(97 + index);
          const shown = shownOf(text, name, lines.length);
          expect(text.split("\n").filter((line) => lines.includes(line))).toEqual(lines.slice(0, shown));
          // An omission that is written has at most a digit less than the one that was reserved.
          const next = lines[shown];
          if (next !== undefined)
            expect(utf8Bytes(text) + utf8Bytes(next) + 1).toBeGreaterThan(maxBytes - pieces.length);
        }
      }),
    );
  });
});
