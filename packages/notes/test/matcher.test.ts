import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matcherOf } from "../src/matcher.ts";
import type { NoteMatch } from "../src/query.ts";

const search = (body: string, ...queries: readonly string[]): readonly NoteMatch[] | undefined =>
  matcherOf(queries)?.(body);

describe("a search", () => {
  it("counts code points of the body as it is: an error behind İ and before an emoji", () => {
    expect(search("İİ error 😀 here", "error")).toEqual([{ line: 1, text: "İİ error 😀 here", offsetChars: 3 }]);
    expect(search("😀😀 x\n😀 error", "ERROR")).toEqual([{ line: 2, text: "😀 error", offsetChars: 7 }]);
  });

  it("finds one match a line, where the earliest hit of all the texts begins", () => {
    expect(search("b a\nc\na b a\n", "a", "b")).toEqual([
      { line: 1, text: "b a", offsetChars: 0 },
      { line: 3, text: "a b a", offsetChars: 6 },
    ]);
    // The one that ends first does not begin first.
    expect(search("xabcd", "bc", "abcd")).toEqual([{ line: 1, text: "xabcd", offsetChars: 1 }]);
    expect(search("xabcx abcd", "abcd", "bcx")).toEqual([{ line: 1, text: "xabcx abcd", offsetChars: 2 }]);
  });

  it("gives lines verbatim without their ending, LF or CRLF", () => {
    expect(search("a \r\n\ta\n\na\rb\r\na\r", "a")).toEqual([
      { line: 1, text: "a ", offsetChars: 0 },
      { line: 2, text: "\ta", offsetChars: 5 },
      { line: 4, text: "a\rb", offsetChars: 8 },
      { line: 5, text: "a\r", offsetChars: 13 },
    ]);
  });

  it("ignores empty texts, and is none where none is left", () => {
    expect(matcherOf([])).toBeUndefined();
    expect(matcherOf(["", ""])).toBeUndefined();
    expect(search("ab\nc", "", "c")).toEqual([{ line: 2, text: "c", offsetChars: 3 }]);
  });

  it("takes a lone space as a literal", () => {
    expect(search("ab\na b\n", " ")).toEqual([{ line: 2, text: "a b", offsetChars: 4 }]);
  });

  it.each(["a\nb", "\n", "a\n", "a\r\nb", "\r\n"])("finds nothing for %j, which holds a line end", (query) => {
    expect(search("a\nb\r\na\r\nb", query)).toEqual([]);
    expect(search("a\nb", query, "b")).toEqual([{ line: 2, text: "b", offsetChars: 2 }]);
  });

  it("never takes the CR of a line end, and takes any other", () => {
    expect(search("a\r\nb", "a\r")).toEqual([]);
    expect(search("😀\r\nb", "😀\r")).toEqual([]);
    expect(search("a\r\nb", "a\r", "a")).toEqual([{ line: 1, text: "a", offsetChars: 0 }]);
    expect(search("a\r\r\nb", "a\r")).toEqual([{ line: 1, text: "a\r", offsetChars: 0 }]);
    expect(search("x\ra\r", "a\r")).toEqual([{ line: 1, text: "x\ra\r", offsetChars: 2 }]);
  });

  it.each([".", "*", "a|b", "(a", "[a", "\\d", "^a", "a$", "a{1}", "$&", "/", "-", "a?", "\\", "\\u0061", "]"])(
    "takes %j as it is",
    (query) => {
      expect(search(`${query}\naaa 1`, query)).toEqual([{ line: 1, text: query, offsetChars: 0 }]);
      expect(search("b1", query)).toEqual([]);
    },
  );

  it.each([
    ["STRASSE ẞ", "ß", 8],
    ["ΣΑΣ", "σας", 0],
    ["K\u212a", "kk", 0],
    ["ſo", "SO", 0],
    ["Ǆ", "ǆ", 0],
    ["ǅ", "ǆ", 0],
    ["𐐀", "𐐨", 0],
    ["Ꭰ", "ꭰ", 0],
    ["ẛ", "Ṡ", 0],
  ])("folds case in %j for %j", (body, query, offsetChars) => {
    expect(search(body, query)).toEqual([{ line: 1, text: body, offsetChars }]);
  });

  it.each([
    ["ss", "ß"],
    ["ß", "ss"],
    ["İ", "i"],
    ["I", "ı"],
    ["fi", "ﬁ"],
    ["é", "e"],
    ["e\u0301", "é"],
  ])("takes %j and %j for different texts", (body, query) => {
    expect(search(body, query)).toEqual([]);
  });

  it("can be used again and again, on any body", () => {
    const matcher = matcherOf(["a"]);
    for (let times = 0; times < 3; times++) {
      expect(matcher?.("xa")).toEqual([{ line: 1, text: "xa", offsetChars: 1 }]);
      expect(matcher?.("")).toEqual([]);
    }
  });
});

describe("a search beside a plain one", () => {
  /** Every text at every place of every line, code point by code point. */
  const naive = (body: string, queries: readonly string[]): NoteMatch[] => {
    const same = (a: string | undefined, b: string): boolean =>
      a !== undefined &&
      (a === b || new RegExp(`^${b.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)}$`, "iu").test(a));
    const matches: NoteMatch[] = [];
    let before = 0;
    for (const [index, piece] of body.split(/(?<=\n)/u).entries()) {
      const text = piece.replace(/\r?\n$/u, "");
      const characters = [...text];
      const first = characters.findIndex((_character, start) =>
        queries.some((query) => query !== "" && [...query].every((letter, at) => same(characters[start + at], letter))),
      );
      if (first !== -1) matches.push({ line: index + 1, text, offsetChars: before + first });
      before += [...piece].length;
    }
    return matches;
  };
  const unit = fc.constantFrom(
    "a",
    "A",
    "b",
    "B",
    "k",
    "\u212a",
    "İ",
    "i",
    "ß",
    "ẞ",
    "s",
    "S",
    "ſ",
    "😀",
    "𐐀",
    "𐐨",
    " ",
    ".",
    "*",
  );
  const body = fc.string({
    unit: fc.oneof({ weight: 5, arbitrary: unit }, { weight: 1, arbitrary: fc.constantFrom("\n", "\r\n", "\r") }),
    maxLength: 40,
  });
  const query = fc.string({
    unit: fc.oneof({ weight: 15, arbitrary: unit }, { weight: 1, arbitrary: fc.constant("\r") }),
    maxLength: 4,
  });

  it("finds the same, whatever body and texts", () => {
    let found = 0;
    fc.assert(
      fc.property(body, fc.array(query, { minLength: 1, maxLength: 4 }), (text, queries) => {
        const expected = naive(text, queries);
        expect(search(text, ...queries) ?? []).toEqual(expected);
        found += expected.length;
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it("finds the same for so many and so long texts that the quick look is left out or cut", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 120 }),
        fc.array(fc.string({ unit: fc.constantFrom("a", "B"), minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.constantFrom("", "ab".repeat(16), "a".repeat(33)),
        (text, endings, beginning) => {
          const queries = endings.map((ending) => beginning + ending);
          const long = text.replace("\n", `\n${beginning}`);
          expect(search(long, ...queries)).toEqual(naive(long, queries));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("finds in plain text what a search in lower case finds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-ascii" }),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 2 }),
        (text, wanted) => {
          const at = text.toLowerCase().indexOf(wanted.toLowerCase());
          expect(search(text, wanted)).toEqual(at === -1 ? [] : [{ line: 1, text, offsetChars: at }]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("folds as an expression with the flags iu does, for every code point there is", () => {
    const everyone = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint)
      .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
      .map((codePoint) => String.fromCodePoint(codePoint));
    const hasCase = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
    const cased = everyone.filter((character) => hasCase.test(character));
    const others = everyone.filter((character) => !hasCase.test(character)).join("");
    // No letter without case is a case of another, so that it need not be asked for.
    expect(new RegExp(`[${cased.join("")}]`, "iu").exec(others)).toBeNull();
    const lines = cased.join("\n");
    // Some at a time, far from each other.
    for (let first = 0; first < 100; first++) {
      const letters = cased.filter((_letter, index) => index % 100 === first);
      const expected = [...lines.matchAll(new RegExp(letters.join("|"), "giu"))].map(([found]) => found);
      expect(search(lines, ...letters)?.map(({ text }) => text)).toEqual(expected);
    }
  });
});

describe("a search that was made to take long", () => {
  it("is linear, whatever body and texts", () => {
    const program = `
      import { matcherOf } from ${JSON.stringify(new URL("../src/matcher.ts", import.meta.url).href)};
      const many = (length, text) => Array.from({ length }, (_, index) => text(index));
      const line = "a".repeat(1_048_576);
      const everyone = many(0x110000, (index) => String.fromCodePoint(index));
      for (const [body, queries] of [
        [line, ["a".repeat(5000) + "b"]],
        [line, ["b" + "a".repeat(500_000)]],
        [line, ["a".repeat(250_000) + "b" + "a".repeat(250_000)]],
        [line, [line]],
        [line, many(1000, (index) => "a".repeat(index) + "b")],
        [line, many(16, (index) => "a".repeat(15 - index) + "b" + "a".repeat(index))],
        [line, many(100_000, (index) => "a" + index)],
        ["a\\n".repeat(524_288), ["a"]],
        ["\\n".repeat(1_048_576), ["a", "b"]],
        ["\\r\\n".repeat(524_288), ["\\r"]],
        [everyone.join(""), everyone],
        [everyone.join(""), [everyone.join("").replace("\\n", "")]],
      ]) matcherOf(queries)(body);
      process.stdout.write("searched");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 40_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "searched", signal: null, stderr: "" });
  });
});
