import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCodePoints, unitIndexAfter } from "../src/code-points.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "é", "界", "😀", "\ud800", "\udc00", "\r", "\n"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

describe("code points", () => {
  it("counts what iterating a string gives, lone surrogates included", () => {
    fc.assert(fc.property(anyText, (text) => countCodePoints(text) === [...text].length));
  });

  it("steps over whole code points only", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(30),
        (text, count) => text.slice(0, unitIndexAfter(text, count)) === [...text].slice(0, count).join(""),
      ),
    );
  });

  it("steps on from a boundary", () => {
    expect(unitIndexAfter("😀a😀b", 1, 3)).toBe(5);
  });

  it("stops at the end", () => {
    expect(unitIndexAfter("ab", 10)).toBe(2);
  });
});
