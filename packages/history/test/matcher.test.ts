import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finderOf, searchedFor } from "../src/matcher.ts";

const find = (document: string, ...texts: readonly string[]): number | undefined => finderOf(texts)?.(document);

describe("a search in documents", () => {
  it("finds the earliest place of one of the texts, in UTF-16 units, over line ends too", () => {
    expect(find("one two three", "three", "two")).toBe(4);
    expect(find("😀 a", "a")).toBe(3);
    expect(find("a\nb\r\nc", "b\r\nc")).toBe(2);
    expect(find("one", "two")).toBe(-1);
    expect(find("", "x")).toBe(-1);
  });

  it("ignores empty texts, and is none where none is left", () => {
    expect(find("a", "", "a")).toBe(0);
    expect(finderOf([])).toBeUndefined();
    expect(finderOf(["", ""])).toBeUndefined();
    expect(searchedFor(["", "a", ""])).toEqual(["a"]);
  });

  it.each([
    ".",
    "*",
    "a|b",
    "(a",
    "[a",
    String.raw`\d`,
    "^a",
    "a$",
    "a{1}",
    "$&",
    "/",
    "-",
    "a?",
    "\\",
    "]",
    " ",
    "&&",
    "a-b",
  ])("takes %j as it is", (text) => {
    expect(find(`zz ${text}`, text)).toBe(text === " " ? 2 : 3);
    expect(find("zz1", text)).toBe(-1);
  });

  it.each([
    ["ПРИВЕТ", "привет"],
    ["STRAẞE", "straße"],
    ["ΣΑΣ", "σας"],
    ["K", "k"],
    ["ſ", "S"],
    ["𐐀", "𐐨"],
  ])("folds case: %j and %j are one", (one, other) => {
    expect(find(`x${one}`, other)).toBe(1);
    expect(find(`x${other}`, one)).toBe(1);
  });

  it.each([
    ["ss", "ß"],
    ["İ", "i"],
    ["é", "e"],
    ["ﬁ", "fi"],
  ])("does not take %j for %j", (one, other) => {
    expect(find(one, other)).toBe(-1);
    expect(find(other, one)).toBe(-1);
  });

  it("never finds half of a surrogate pair", () => {
    expect(find("😀", "\ud83d")).toBe(-1);
    expect(find("😀", "\ude00")).toBe(-1);
  });

  it("finds any text in what holds it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 1 }),
        fc.string({ unit: "binary" }),
        (before, text, behind) => {
          const at = find(before + text + behind, text) ?? -1;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(before.length);
        },
      ),
    );
  });
});
