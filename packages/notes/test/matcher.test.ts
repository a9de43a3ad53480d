import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matcherOf } from "../src/matcher.ts";
import type { NoteMatch } from "../src/query.ts";
import { Slices, STEPS_A_LOOK } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";
import { refusal } from "./store-fixture.ts";

const search = async (body: string, ...queries: readonly string[]): Promise<readonly NoteMatch[] | undefined> => {
  const matcher = await matcherOf(queries, new Slices());
  if (matcher === undefined) return undefined;
  return matcher.mayMatch(body) ? matcher.matchesIn(body) : [];
};

describe("a search", () => {
  it("counts code points of the body as it is: an error behind İ and before an emoji", async () => {
    expect(await search("İİ error 😀 here", "error")).toEqual([{ line: 1, text: "İİ error 😀 here", offsetChars: 3 }]);
    expect(await search("😀😀 x\n😀 error", "ERROR")).toEqual([{ line: 2, text: "😀 error", offsetChars: 7 }]);
  });

  it("finds one match a line, where the earliest hit of all the texts begins", async () => {
    expect(await search("b a\nc\na b a\n", "a", "b")).toEqual([
      { line: 1, text: "b a", offsetChars: 0 },
      { line: 3, text: "a b a", offsetChars: 6 },
    ]);
    // The one that ends first does not begin first.
    expect(await search("xabcd", "bc", "abcd")).toEqual([{ line: 1, text: "xabcd", offsetChars: 1 }]);
    expect(await search("xabcx abcd", "abcd", "bcx")).toEqual([{ line: 1, text: "xabcx abcd", offsetChars: 2 }]);
  });

  it("gives lines verbatim without their ending, LF or CRLF", async () => {
    expect(await search("a \r\n\ta\n\na\rb\r\na\r", "a")).toEqual([
      { line: 1, text: "a ", offsetChars: 0 },
      { line: 2, text: "\ta", offsetChars: 5 },
      { line: 4, text: "a\rb", offsetChars: 8 },
      { line: 5, text: "a\r", offsetChars: 13 },
    ]);
  });

  it("ignores empty texts, and is none where none is left", async () => {
    expect(await matcherOf([], new Slices())).toBeUndefined();
    expect(await matcherOf(["", ""], new Slices())).toBeUndefined();
    expect(await search("ab\nc", "", "c")).toEqual([{ line: 2, text: "c", offsetChars: 3 }]);
  });

  it("takes a lone space as a literal", async () => {
    expect(await search("ab\na b\n", " ")).toEqual([{ line: 2, text: "a b", offsetChars: 4 }]);
  });

  it.each(["a\nb", "\n", "a\n", "a\r\nb", "\r\n"])("finds nothing for %j, which holds a line end", async (query) => {
    expect(await search("a\nb\r\na\r\nb", query)).toEqual([]);
    expect(await search("a\nb", query, "b")).toEqual([{ line: 2, text: "b", offsetChars: 2 }]);
  });

  it("never takes the CR of a line end, and takes any other", async () => {
    expect(await search("a\r\nb", "a\r")).toEqual([]);
    expect(await search("😀\r\nb", "😀\r")).toEqual([]);
    expect(await search("a\r\nb", "a\r", "a")).toEqual([{ line: 1, text: "a", offsetChars: 0 }]);
    expect(await search("a\r\r\nb", "a\r")).toEqual([{ line: 1, text: "a\r", offsetChars: 0 }]);
    expect(await search("x\ra\r", "a\r")).toEqual([{ line: 1, text: "x\ra\r", offsetChars: 2 }]);
  });

  it.each([".", "*", "a|b", "(a", "[a", "\\d", "^a", "a$", "a{1}", "$&", "/", "-", "a?", "\\", "\\u0061", "]"])(
    "takes %j as it is",
    async (query) => {
      expect(await search(`${query}\naaa 1`, query)).toEqual([{ line: 1, text: query, offsetChars: 0 }]);
      expect(await search("b1", query)).toEqual([]);
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
  ])("folds case in %j for %j", async (body, query, offsetChars) => {
    expect(await search(body, query)).toEqual([{ line: 1, text: body, offsetChars }]);
  });

  it.each([
    ["ss", "ß"],
    ["ß", "ss"],
    ["İ", "i"],
    ["I", "ı"],
    ["fi", "ﬁ"],
    ["é", "e"],
    ["e\u0301", "é"],
  ])("takes %j and %j for different texts", async (body, query) => {
    expect(await search(body, query)).toEqual([]);
  });

  it("can be used again and again, on any body", async () => {
    const matcher = await matcherOf(["a"], new Slices());
    for (let times = 0; times < 3; times++) {
      expect(await matcher?.matchesIn("xa")).toEqual([{ line: 1, text: "xa", offsetChars: 1 }]);
      expect(await matcher?.matchesIn("")).toEqual([]);
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

  it("finds the same, whatever body and texts", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(body, fc.array(query, { minLength: 1, maxLength: 4 }), async (text, queries) => {
        const expected = naive(text, queries);
        expect((await search(text, ...queries)) ?? []).toEqual(expected);
        found += expected.length;
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it("finds the same for so many and so long texts that the quick look is left out or cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 120 }),
        fc.array(fc.string({ unit: fc.constantFrom("a", "B"), minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.constantFrom("", "ab".repeat(16), "a".repeat(33)),
        async (text, endings, beginning) => {
          const queries = endings.map((ending) => beginning + ending);
          const long = text.replace("\n", `\n${beginning}`);
          expect(await search(long, ...queries)).toEqual(naive(long, queries));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("finds in plain text what a search in lower case finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme-ascii" }),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 2 }),
        async (text, wanted) => {
          const at = text.toLowerCase().indexOf(wanted.toLowerCase());
          expect(await search(text, wanted)).toEqual(at === -1 ? [] : [{ line: 1, text, offsetChars: at }]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("folds as an expression with the flags iu does, for every code point there is", async () => {
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
      expect((await search(lines, ...letters))?.map(({ text }) => text)).toEqual(expected);
    }
  });
});

describe("a search that was made to take long", () => {
  it("is linear, whatever body and texts", () => {
    const program = `
      import { matcherOf } from ${JSON.stringify(new URL("../src/matcher.ts", import.meta.url).href)};
      import { Slices } from ${JSON.stringify(new URL("../src/slices.ts", import.meta.url).href)};
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
        [everyone.join(""), everyone.slice(0, 0x80000)],
        [everyone.join(""), [everyone.slice(0, 0x80000).join("").replace("\\n", "")]],
      ]) {
        const matcher = await matcherOf(queries, new Slices());
        if (matcher.mayMatch(body)) await matcher.matchesIn(body);
      }
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

describe("the quick look", () => {
  it.each([
    ["one letter", ["b"], 1_048_576],
    ["sixteen long texts", Array.from({ length: 16 }, (_value, index) => `${"a".repeat(31)}${index % 10}`), 32_768],
  ])("is taken at bodies of no more than it can do at once, for %s", async (_title, queries, most) => {
    const matcher = await matcherOf(queries, new Slices());
    expect(matcher?.mayMatch("a".repeat(most))).toBe(false);
    expect(await matcher?.matchesIn("a".repeat(most))).toEqual([]);
    if (queries.length > 1) expect(matcher?.mayMatch("a".repeat(most + 1))).toBe(true);
  });

  it("is not taken for many texts", async () => {
    const matcher = await matcherOf(
      Array.from({ length: 17 }, (_value, index) => `b${index}`),
      new Slices(),
    );
    expect(matcher?.mayMatch("a")).toBe(true);
  });
});

describe("the slices of a search", () => {
  const many = (length: number, text: (index: number) => string): string[] =>
    Array.from({ length }, (_value, index) => text(index));
  /** How often the work on so many steps must have gone on at the least. */
  const turnsFor = (steps: number): number => Math.floor(steps / STEPS_A_LOOK);

  it.each([
    ["many texts", many(20_000, (index) => `query ${index}`), 100_000],
    ["a long text", ["ab".repeat(50_000)], 100_000],
    ["many letters", many(50_000, (index) => String.fromCodePoint(0x1_0000 + index)), 50_000],
    ["empty texts", [...many(50_000, () => ""), "a"], 50_000],
    ["texts with line ends", many(50_000, () => "\n"), 50_000],
  ])("are short while it is made of %s", async (_title, queries, steps) => {
    const slices = new CountedSlices();
    await matcherOf(queries, slices);
    expect(slices.turns).toBeGreaterThanOrEqual(turnsFor(steps));
  });

  it.each([
    ["one long line", "a".repeat(100_000)],
    ["empty lines", "\n".repeat(100_000)],
    ["CRLF lines", "a\r\n".repeat(100_000)],
    ["lines that match", "b\n".repeat(100_000)],
  ])("are short in a body of %s", async (_title, body) => {
    const slices = new CountedSlices();
    const matcher = await matcherOf(["b"], slices);
    const before = slices.turns;
    await matcher?.matchesIn(body);
    expect(slices.turns - before).toBeGreaterThanOrEqual(turnsFor(100_000));
  });

  it("change nothing in what is found, also where the list of texts is changed meanwhile", async () => {
    const queries = [...many(1000, (index) => `x${index}`), "needle"];
    const made = matcherOf(queries, new CountedSlices());
    queries.fill("");
    const matcher = await made;
    const body = `${"no\n".repeat(1000)}${"-".repeat(1000)}NEEDLE\n`;
    expect(await matcher?.matchesIn(body)).toEqual([
      { line: 1001, text: `${"-".repeat(1000)}NEEDLE`, offsetChars: 4000 },
    ]);
  });
});

describe("the texts of a search", () => {
  const MOST = 1_048_576;

  it.each([
    ["one text", ["a".repeat(MOST)], ["a".repeat(MOST + 1)], [0]],
    ["many texts", Array.from({ length: 1024 }, () => "a".repeat(1024)), ["", "b"], [0]],
    ["surrogate pairs", ["😀".repeat(MOST / 2)], ["a"], [0]],
    ["texts with line ends", ["\n".repeat(MOST)], ["\n"], []],
  ])("may have as many characters as a note together, as %s, and no more", async (_title, most, more, hits) => {
    const [first = ""] = most;
    const matches = await (await matcherOf([...most, ""], new Slices()))?.matchesIn(first);
    expect(matches?.map(({ offsetChars }) => offsetChars)).toEqual(hits);
    const error = await refusal(matcherOf([...most, ...more], new Slices()));
    const units = [...most, ...more].join("").length;
    expect(error.code).toBe("too_large");
    expect(error.message).toContain(`have ${units} characters`);
    expect(error.message).toContain(`at most ${MOST}; search for a shorter part`);
    expect(error.message).not.toContain("\n");
  });
});
