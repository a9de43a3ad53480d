import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finderOf, searchedFor } from "../src/matcher.ts";
import { Slices } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";

const find = async (document: string, ...texts: readonly string[]): Promise<number | undefined> =>
  finderOf(texts, new Slices())?.(document);

describe("a search in documents", () => {
  it("finds the earliest place of one of the texts, in UTF-16 units, over line ends too", async () => {
    expect(await find("one two three", "three", "two")).toBe(4);
    expect(await find("😀 a", "a")).toBe(3);
    expect(await find("a\nb\r\nc", "b\r\nc")).toBe(2);
    expect(await find("one", "two")).toBe(-1);
    expect(await find("", "x")).toBe(-1);
  });

  it("ignores empty texts, and is none where none is left", async () => {
    expect(await find("a", "", "a")).toBe(0);
    expect(finderOf([], new Slices())).toBeUndefined();
    expect(finderOf(["", ""], new Slices())).toBeUndefined();
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
  ])("takes %j as it is", async (text) => {
    expect(await find(`zz ${text}`, text)).toBe(text === " " ? 2 : 3);
    expect(await find("zz1", text)).toBe(-1);
  });

  it.each([
    ["ПРИВЕТ", "привет"],
    ["STRAẞE", "straße"],
    ["ΣΑΣ", "σας"],
    ["K", "k"],
    ["ſ", "S"],
    ["𐐀", "𐐨"],
  ])("folds case: %j and %j are one", async (one, other) => {
    expect(await find(`x${one}`, other)).toBe(1);
    expect(await find(`x${other}`, one)).toBe(1);
  });

  it.each([
    ["ss", "ß"],
    ["İ", "i"],
    ["é", "e"],
    ["ﬁ", "fi"],
  ])("does not take %j for %j", async (one, other) => {
    expect(await find(one, other)).toBe(-1);
    expect(await find(other, one)).toBe(-1);
  });

  it("never finds half of a surrogate pair", async () => {
    expect(await find("😀", "\ud83d")).toBe(-1);
    expect(await find("😀", "\ude00")).toBe(-1);
  });

  it("finds any text in what holds it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 1 }),
        fc.string({ unit: "binary" }),
        async (before, text, behind) => {
          const at = (await find(before + text + behind, text)) ?? -1;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(before.length);
        },
      ),
    );
  });
});

describe("a search for many or long texts", () => {
  /** More texts than an expression is made for, of which none is in any document here. */
  const none = Array.from({ length: 40 }, (_, index) => `\0${index}`);

  it("finds what a search for few finds, whatever document and texts", async () => {
    const unit = fc.constantFrom("a", "A", "b", "k", "\u212a", "s", "ſ", "ß", "ẞ", "İ", "i", "😀", "𐐀", "𐐨", "\n", ".");
    const document = fc.string({ unit, maxLength: 40 });
    const texts = fc.array(fc.string({ unit, minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(document, texts, async (text, wanted) => {
        const few = await find(text, ...wanted);
        expect(await find(text, ...wanted, ...none)).toBe(few);
        if (few !== -1) hits++;
      }),
      { numRuns: 2000 },
    );
    expect(hits).toBeGreaterThan(200);
  });

  it("finds the one that begins first, though another one ends before it or begins in it", async () => {
    expect(await find("xabcd", "bc", "abcd", ...none)).toBe(1);
    expect(await find("xabcx abcd", "abcd", "bcx", ...none)).toBe(2);
    expect(await find("😀aab", "aab", "ab", "b", ...none)).toBe(2);
  });

  it("folds as an expression with the flags iu does, for every letter that has a case", async () => {
    const hasCase = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
    const cased = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint)
      .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
      .map((codePoint) => String.fromCodePoint(codePoint))
      .filter((character) => hasCase.test(character));
    // Some at a time: each letter's first place among all is that of the first of its cases.
    for (let first = 0; first < cased.length; first += 97) {
      const letter = cased[first] ?? "";
      const others = cased.slice(first + 1).join("");
      const expected = new RegExp(letter, "iu").exec(others)?.index ?? -1;
      expect(await find(others, letter, ...none), letter).toBe(expected);
    }
    const units = cased.map((letter) => [letter, new RegExp(letter, "giu")] as const);
    const all = cased.join("");
    for (const [letter, cases] of units) {
      expect(new Set(all.match(cases)?.map(({ length }) => length)), letter).toEqual(new Set([letter.length]));
    }
  });

  it.each([
    ["many texts", Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + index, 0x3042)), 2000],
    ["a long text", ["ab".repeat(5000)], 10_000],
  ])("is in slices: while it is made of %s, and in a document", async (_title, texts, units) => {
    const slices = new CountedSlices();
    const search = finderOf(texts, slices);
    await search?.("x".repeat(1000));
    expect(slices.turns).toBeGreaterThanOrEqual(units);
    const before = slices.turns;
    await search?.("a".repeat(100_000));
    expect(slices.turns - before).toBeGreaterThanOrEqual(Math.floor(100_000 / 1024));
  });

  it("takes time linear in the document, whatever it and the texts are", () => {
    const program = `
      import { finderOf } from ${JSON.stringify(new URL("../src/matcher.ts", import.meta.url).href)};
      import { Slices } from ${JSON.stringify(new URL("../src/slices.ts", import.meta.url).href)};
      const many = (length, text) => Array.from({ length }, (_, index) => text(index));
      const line = "a".repeat(1_000_000);
      const ideographs = many(1_000_000, (index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join("");
      for (const [document, texts] of [
        [line, ["a".repeat(9999) + "b"]],
        [line, ["b" + "a".repeat(9999)]],
        [line, many(140, (index) => "a".repeat(index) + "b")],
        [line, many(16, (index) => "a".repeat(600) + index)],
        [ideographs, many(3300, (index) => String.fromCodePoint(0x4e00 + index, 0x4e00 + index * 5, 0x3042))],
        ["s".repeat(1_000_000), ["s".repeat(9000) + "x", "\u017f".repeat(900) + "y"]],
      ]) {
        await finderOf(texts, new Slices())(document);
      }
      process.stdout.write("searched");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 10_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "searched", signal: null, stderr: "" });
  });
});
