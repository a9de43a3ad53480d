import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBytes, utf8Bytes } from "../src/bytes.ts";
import { fitWindow, type TextWindow, type WindowRequest } from "../src/window.ts";

const anyText = fc.string({ unit: fc.constantFrom("a", '"', "\u0000", "é", "界", "😀", "\n"), maxLength: 200 });
const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, fits: () => true };
const all = (text: string, request: WindowRequest): TextWindow | undefined => fitWindow(text, request, unlimited);

describe("fitWindow", () => {
  it("gives the whole text where everything fits", () => {
    expect(all("a😀b", {})).toEqual({ text: "a😀b", totalChars: 3, nextOffsetChars: null });
  });

  it("counts offset, limit and continuation in code points", () => {
    expect(all("😀😀😀", { offsetChars: 1, limitChars: 1 })).toEqual({ text: "😀", totalChars: 3, nextOffsetChars: 2 });
  });

  it("selects a tail by a negative offset, and starts at 0 where the tail is longer than the text", () => {
    expect(all("abc", { offsetChars: -2 })?.text).toBe("bc");
    expect(all("abc", { offsetChars: -9 })?.text).toBe("abc");
  });

  it("succeeds with nothing at or past the end, and on an empty text", () => {
    const nothing = (totalChars: number): TextWindow => ({ text: "", totalChars, nextOffsetChars: null });
    expect(all("abc", { offsetChars: 3 })).toEqual(nothing(3));
    expect(all("abc", { offsetChars: 99 })).toEqual(nothing(3));
    expect(all("", {})).toEqual(nothing(0));
  });

  it("delivers nothing rather than an empty window where the first code point does not fit", () => {
    expect(fitWindow("😀", {}, { maxBytes: 100, fits: ({ text }) => utf8Bytes(text) <= 3 })).toBeUndefined();
  });

  it("refuses an empty range whose own frame does not fit", () => {
    expect(fitWindow("", {}, { maxBytes: 100, fits: () => false })).toBeUndefined();
  });

  it("takes the last code point where only the notice of continuation stood in its way", () => {
    const fits = ({ text, nextOffsetChars }: TextWindow): boolean =>
      text.length + (nextOffsetChars === null ? 0 : 10) <= 12;
    expect(fitWindow("x".repeat(12), {}, { maxBytes: 12, fits })?.nextOffsetChars).toBeNull();
    expect(fitWindow("x".repeat(13), {}, { maxBytes: 12, fits })).toEqual({
      text: "xx",
      totalChars: 13,
      nextOffsetChars: 2,
    });
  });

  it("never measures a window of more code points than the budget has bytes", () => {
    let longest = 0;
    fitWindow(
      "x".repeat(100_000),
      {},
      {
        maxBytes: 50,
        fits: ({ text }) => {
          longest = Math.max(longest, text.length);
          return text.length <= 50;
        },
      },
    );
    expect(longest).toBe(50);
  });

  it("gives windows that concatenate to the text, for every limit and budget", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 20, max: 90 }),
        (text, limitChars, maxBytes) => {
          let joined = "";
          let offsetChars: number | null = 0;
          while (offsetChars !== null) {
            const window: TextWindow | undefined = fitWindow(
              text,
              { offsetChars, limitChars },
              { maxBytes, fits: (w) => jsonBytes(w.text) <= maxBytes },
            );
            expect(window?.totalChars).toBe([...text].length);
            joined += window?.text ?? "";
            offsetChars = window?.nextOffsetChars ?? null;
          }
          expect(joined).toBe(text);
        },
      ),
    );
  });

  it("stops only where one code point more would not fit, or the limit is reached", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 20, max: 90 }), (text, maxBytes) => {
        const window = fitWindow(text, {}, { maxBytes, fits: (w) => jsonBytes(w.text) <= maxBytes });
        const next = window?.nextOffsetChars;
        if (typeof next === "number")
          expect(jsonBytes([...text].slice(0, next + 1).join(""))).toBeGreaterThan(maxBytes);
      }),
    );
  });
});
