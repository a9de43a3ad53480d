import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type EditedBody, type NoteEdit } from "../src/edit.ts";
import { NoteError } from "../src/error.ts";
import { Slices, STEPS_A_LOOK } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";
import { refusal } from "./store-fixture.ts";

type Pair = readonly [oldText: string, newText: string];
const editsOf = (pairs: readonly Pair[]): NoteEdit[] => pairs.map(([oldText, newText]) => ({ oldText, newText }));
const apply = (body: string, edits: readonly NoteEdit[], replaceAll: boolean): Promise<EditedBody> =>
  applyEdits(body, edits, replaceAll, "x.md", new Slices());
const edit = (body: string, ...pairs: readonly Pair[]): Promise<EditedBody> => apply(body, editsOf(pairs), false);
const editAll = (body: string, ...pairs: readonly Pair[]): Promise<EditedBody> => apply(body, editsOf(pairs), true);
const toLf = (text: string): string => text.replaceAll("\r\n", "\n");
const told = ({ code, editIndex, lineNumbers, address }: NoteError): object => ({
  code,
  editIndex,
  lineNumbers,
  address,
});

describe("an edit", () => {
  it.each(["$&", "$$", "$1", "$'", "$`", "$<a>", "\\1", "\\", "\\n"])("inserts %j as it is", async (newText) => {
    expect((await edit("BEFORE TOKEN AFTER", ["TOKEN", newText])).body).toBe(`BEFORE ${newText} AFTER`);
    expect(await editAll("TOKEN TOKEN", ["TOKEN", newText])).toEqual({ body: `${newText} ${newText}`, applied: 2 });
  });

  it.each(["f(x)", "[a]", "a.b", "a*", "^", "$", "a|b", "\\d", "{1}", "?"])("finds %j as it is", async (oldText) => {
    const newText = String.raw`C:\new\table \1`;
    expect((await edit(`1${oldText}2`, [oldText, newText])).body).toBe(`1${newText}2`);
    expect((await editAll(`${oldText} ab ${oldText}`, [oldText, newText])).body).toBe(`${newText} ab ${newText}`);
  });

  it("must match once, overlapping matches counted", async () => {
    const error = await refusal(edit("foo\nfoo\nfoo\n", ["foo\nfoo\n", ""]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 0, lineNumbers: [1, 2], address: "x.md" });
    expect(error.message).toContain("on lines 1, 2;");
    expect(told(await refusal(edit("aaa", ["aa", "b"])))).toMatchObject({ code: "ambiguous_match", lineNumbers: [1] });
  });

  it("names the lines on which it matches, each once", async () => {
    const error = await refusal(edit("a\na\n", ["a", "b"]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 0, lineNumbers: [1, 2], address: "x.md" });
    expect((await refusal(edit("x\r\na a\r\n\na", ["a", "b"]))).lineNumbers).toEqual([2, 4]);
    expect((await refusal(edit("a a", ["a", "b"]))).message).toContain("on line 1;");
  });

  it("counts the lines of the body as the edits before it left it", async () => {
    const error = await refusal(edit("head\na\na\n", ["head", "one\ntwo\nthree"], ["a", "b"]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 1, lineNumbers: [4, 5], address: "x.md" });
  });

  it("shows at most 2 KiB of line numbers, then how many there are", async () => {
    const error = await refusal(edit("a\n".repeat(5000), ["a", "b"]));
    expect(error.lineNumbers).toHaveLength(5000);
    const shown = /on lines (.*), … of 5000;/u.exec(error.message)?.[1] ?? "";
    expect(shown.length).toBeLessThanOrEqual(2048);
    expect(shown.length).toBeGreaterThan(2040);
    expect(shown.split(", ").map(Number)).toEqual(Array.from(shown.split(", "), (_line, index) => index + 1));
    expect(error.message).not.toContain("\n");
  });

  it("replaces all from left to right without overlap", async () => {
    expect(await editAll("a a a a", ["a a", "b"])).toEqual({ body: "b b", applied: 2 });
    expect(await editAll("aaaaa", ["aa", "b"])).toEqual({ body: "bba", applied: 2 });
    expect(await editAll("aa", ["a", "aa"])).toEqual({ body: "aaaa", applied: 2 });
  });

  it("works on what the edits before it left", async () => {
    expect(await edit("a", ["a", "bc"], ["b", "d"])).toEqual({ body: "dc", applied: 2 });
    expect(await editAll("ab", ["a", "b"], ["b", "c"])).toEqual({ body: "cc", applied: 3 });
  });

  it("is none for no edits", async () => {
    expect(await edit("body")).toEqual({ body: "body", applied: 0 });
  });

  it.each([false, true])("refuses an empty oldText, replaceAll %j", async (replaceAll) => {
    const error = await refusal(apply("a", editsOf([["", "b"]]), replaceAll));
    expect(told(error)).toEqual({ code: "empty_edit", editIndex: 0, lineNumbers: undefined, address: "x.md" });
  });

  it.each([false, true])("refuses what is not in the body, replaceAll %j", async (replaceAll) => {
    const edits = editsOf([
      ["a", "c"],
      ["a\nb", "b"],
    ]);
    const error = await refusal(apply("a\nb", edits, replaceAll));
    expect(told(error)).toEqual({ code: "no_match", editIndex: 1, lineNumbers: undefined, address: "x.md" });
    expect(error.message).toContain(String.raw`"a\nb" is not in the body`);
    expect(error.message).not.toContain("\n");
  });

  it("refuses texts that are not well-formed, and never takes half a character", async () => {
    for (const pair of [
      ["\ud83d", "a"],
      ["a", "\ude00"],
    ] as const)
      expect(told(await refusal(edit("a😀", pair)))).toMatchObject({ code: "invalid_text", editIndex: 0 });
    const missing = [{ oldText: "a" }] as unknown as NoteEdit[];
    expect((await refusal(apply("a", missing, false))).code).toBe("invalid_text");
  });

  it("tells case, Unicode forms and spaces apart", async () => {
    for (const [body, oldText] of [
      ["A", "a"],
      ["é", "e\u0301"],
      ["a\tb", "a b"],
      ["a\u00a0b", "a b"],
    ] as const)
      expect((await refusal(edit(body, [oldText, ""]))).code).toBe("no_match");
  });

  it("refuses an oldText that is longer than the body, and takes one that is only longer by its line ends", async () => {
    expect((await refusal(edit("a\nb", ["a\nb".repeat(100), ""]))).code).toBe("no_match");
    expect((await refusal(edit("", ["a", ""]))).code).toBe("no_match");
    expect((await edit("\n\n", ["\r\n\r\n", "a"])).body).toBe("a");
  });

  it("lets a body grow to twice what a note may hold, and no further", async () => {
    const body = "a".repeat(1_048_576);
    const [grown, cut] = [editsOf([["a", "bb"]]), editsOf([["bb", "c"]])];
    expect((await apply(body, [...grown, ...cut], true)).body === "c".repeat(1_048_576)).toBe(true);
    expect(told(await refusal(apply(`${body}a`, [...grown, ...cut], true)))).toMatchObject({
      code: "too_large",
      editIndex: 0,
    });
  });

  it.each([
    ["too_large", ["a", "b".repeat(2 * 1_048_576 + 1)] as const],
    ["too_large", ["a", `\ud800${"b".repeat(2 * 1_048_576)}`] as const],
    ["no_match", [`\ud800${"b".repeat(4 * 1_048_576)}`, "a"] as const],
  ])("refuses by its length with %s what no note can hold, without looking through it", async (code, pair) => {
    const error = await refusal(apply("a", editsOf([[...pair]]), false));
    expect(told(error)).toMatchObject({ code, editIndex: 0 });
    expect(error.message.length).toBeLessThan(300);
  });

  it("refuses what would grow beyond measure, before it is made", async () => {
    const error = await refusal(editAll("a".repeat(1_000_000), ["a", "b".repeat(1_000_000)]));
    expect(told(error)).toMatchObject({ code: "too_large", editIndex: 0 });
  });
});

describe("the slices of an update", () => {
  const turnsOf = async (body: string, edits: readonly NoteEdit[], replaceAll: boolean): Promise<number> => {
    const slices = new CountedSlices();
    await applyEdits(body, edits, replaceAll, "x.md", slices).catch((error: unknown) => {
      if (!(error instanceof NoteError)) throw error;
    });
    return slices.turns;
  };
  const LONG = 100_000;
  const oneKind = "a\r\n".repeat(LONG);
  const mixed = "a\r\na\n".repeat(LONG / 2);

  it.each<[string, string, Pair, boolean, number]>([
    // Every match is found, freed of overlap, and replaced.
    ["many matches", "a".repeat(LONG), ["a", "b"], true, 3 * LONG],
    ["many matches, where one was meant", "a".repeat(LONG), ["a", "b"], false, 2 * LONG],
    ["many lines with matches, where one was meant", "a\n".repeat(LONG), ["a", "b"], false, 3 * LONG],
    ["many CRLF lines", `${oneKind}b`, ["b", "c"], false, LONG],
    ["a long old text", "a".repeat(LONG), ["a".repeat(LONG), "c"], false, 2 * LONG],
    ["many line ends in both texts", mixed, [mixed, mixed.replaceAll("a", "b")], false, 5 * LONG],
  ])("are short with %s", async (_title, body, pair, replaceAll, steps) => {
    expect(await turnsOf(body, editsOf([pair]), replaceAll)).toBeGreaterThanOrEqual(
      Math.floor(steps / STEPS_A_LOOK) - 5,
    );
  });

  it("end between two edits", async () => {
    const edits = editsOf(Array.from({ length: 1000 }, (_value, index) => [`${index}.`, `${index + 1}.`]));
    expect(await turnsOf("0.", edits, false)).toBeGreaterThanOrEqual(edits.length);
  });

  it("end within long texts, where no character is torn apart", async () => {
    for (const before of ["", "x"]) {
      const text = `${before}${"😀".repeat(LONG * 4)}`;
      const slices = new CountedSlices();
      const edits = editsOf([["a", text]]);
      expect((await applyEdits("a", edits, false, "x.md", slices)).body === text).toBe(true);
      expect(slices.turns).toBeGreaterThan(3);
      for (const torn of [`${text}\ud83d`, `${text}\ude00`, `${text}\ud83d${text}`])
        expect((await refusal(edit("a", ["a", torn]))).code).toBe("invalid_text");
    }
  });
});

describe("line ends", () => {
  it.each([
    ["one\r\ntwo\r\n", "one\ntwo", "1\n2", "1\r\n2\r\n"],
    ["one\r\ntwo\r\n", "one", "1", "1\r\ntwo\r\n"],
    ["one\r\ntwo\r\n", "one\r\ntwo", "1\n2", "1\r\n2\r\n"],
    ["one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n"],
    // One by one, and further ones as the last.
    ["a\r\nb\nc\r\n", "a\nb\nc", "1\n2\n3\n4", "1\r\n2\n3\n4\r\n"],
    ["a\r\nb\nc\r\n", "\nb\n", "\n", "a\r\nc\r\n"],
    // Where none is replaced, as that of the line.
    ["a\r\nb\nc", "a", "1\n2", "1\r\n2\r\nb\nc"],
    ["a\r\nb\nc", "b", "1\n2", "a\r\n1\n2\nc"],
    ["a\nb\r\nc", "c", "1\n2", "a\nb\r\n1\r\n2"],
    // Where there is none at all, as they were written.
    ["a", "a", "1\n2\r\n3", "1\n2\r\n3"],
    // A line end is taken whole.
    ["a\r\nb", "a\n", "", "b"],
    ["a\r\nb", "\nb", "", "a"],
    ["a\r\nb", "a", "", "\r\nb"],
    // A CR by itself is a character.
    ["a\rb\r\n", "a\rb", "c\rd", "c\rd\r\n"],
    ["a\r\r\nb", "\r\n", "\n", "a\r\r\nb"],
  ])("of %j, %j for %j: %j", async (body, oldText, newText, expected) => {
    expect(await edit(body, [oldText, newText])).toEqual({ body: expected, applied: 1 });
  });

  it("are never matched by half", async () => {
    expect((await refusal(edit("a\r\nb", ["a\r", ""]))).code).toBe("no_match");
    expect((await refusal(edit("a\r\nb", ["\r", ""]))).code).toBe("no_match");
  });

  it("keep their form in every line that all matches replace", async () => {
    expect((await editAll("a\r\na\na\r\na", ["a", "b\nc"])).body).toBe("b\r\nc\r\nb\nc\nb\r\nc\r\nb\r\nc");
    expect((await editAll("a\r\na\na", ["\na", "\nb\nc"])).body).toBe("a\r\nb\r\nc\nb\nc");
  });
});

describe("any edit", () => {
  const unit = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "$&", "\\", "😀", "(");
  const anyText = fc.string({ unit, maxLength: 12 });
  /** A body, and a piece of it. */
  const bodyAndPiece = fc
    .tuple(anyText, fc.string({ unit, minLength: 1, maxLength: 5 }), anyText)
    .map(([before, piece, after]) => ({ body: before + piece + after, piece }));
  const attempt = async (result: Promise<EditedBody>): Promise<EditedBody | undefined> => {
    try {
      return await result;
    } catch (error) {
      if (error instanceof NoteError && (error.code === "no_match" || error.code === "ambiguous_match"))
        return undefined;
      throw error;
    }
  };

  it("puts the text itself in the place of the text itself", async () => {
    const noLineEnd = fc.string({
      unit: fc.oneof(fc.constantFrom("$&", "\\1", "a", "(", "$'"), fc.string({ unit: "grapheme", maxLength: 1 })),
    });
    const line = noLineEnd.map((text) => text.replaceAll(/[\r\n]/gu, ""));
    await fc.assert(
      fc.asyncProperty(
        line,
        line.filter((text) => text !== ""),
        line,
        line,
        async (before, oldText, after, newText) => {
          const body = before + oldText + after;
          expect((await editAll(body, [oldText, newText])).body).toBe(body.split(oldText).join(newText));
          if (body.indexOf(oldText) === body.lastIndexOf(oldText))
            expect(await edit(body, [oldText, newText])).toEqual({ body: before + newText + after, applied: 1 });
          else expect((await refusal(edit(body, [oldText, newText]))).code).toBe("ambiguous_match");
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("says the same as one on lines that end in LF", async () => {
    // Without a CR by itself: before a line end, it would be part of one in the LF form.
    const noCr = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "$&"), maxLength: 8 });
    let edited = 0;
    await fc.assert(
      fc.asyncProperty(noCr, noCr, noCr, noCr, fc.boolean(), async (before, oldText, after, newText, replaceAll) => {
        if (oldText === "") return;
        const body = before + oldText + after;
        const actual = await attempt(apply(body, editsOf([[oldText, newText]]), replaceAll));
        const inLf = await attempt(apply(toLf(body), editsOf([[toLf(oldText), toLf(newText)]]), replaceAll));
        expect(actual?.applied).toBe(inLf?.applied);
        expect(actual && toLf(actual.body)).toBe(inLf?.body);
        if (actual !== undefined) edited++;
      }),
      { numRuns: 5000 },
    );
    expect(edited).toBeGreaterThan(300);
  });

  it("on CRLF lines is the edit on LF lines with its line ends as CRLF", async () => {
    const lf = fc.string({ unit: fc.constantFrom("a", "b", "\n", "😀"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        lf,
        lf.filter((text) => text !== ""),
        lf,
        lf,
        fc.boolean(),
        async (before, oldText, after, newText, replaceAll) => {
          const body = `${before}${oldText}${after}\n`;
          const crlf = body.replaceAll("\n", "\r\n");
          const pairs = editsOf([[oldText, newText]]);
          const expected = (await attempt(apply(body, pairs, replaceAll)))?.body.replaceAll("\n", "\r\n");
          expect((await attempt(apply(crlf, pairs, replaceAll)))?.body).toBe(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("keeps every byte around its place, and writes line ends one by one as they were, mixed ones as well", async () => {
    let edited = 0;
    await fc.assert(
      fc.asyncProperty(bodyAndPiece, anyText, async ({ body, piece }, newText) => {
        const result = await attempt(edit(body, [piece, newText]));
        if (result === undefined) return;
        const lf = toLf(body);
        const at = lf.indexOf(toLf(piece));
        const before = body.slice(0, unitsOf(body, at));
        const after = body.slice(unitsOf(body, at + toLf(piece).length));
        const lineEnds = (text: string): string[] => [...text.matchAll(/\r?\n/gu)].map(([lineEnd]) => lineEnd);
        const replaced = lineEnds(body.slice(before.length, body.length - after.length));
        const own = lineEnds(after)[0] ?? lineEnds(before).at(-1);
        let index = 0;
        const inserted = newText.replaceAll(/\r?\n/gu, (given) => replaced[index++] ?? replaced.at(-1) ?? own ?? given);
        expect(result.body).toBe(before + inserted + after);
        edited++;
      }),
      { numRuns: 3000 },
    );
    expect(edited).toBeGreaterThan(100);
  });

  it("of a text to itself changes no byte", async () => {
    let edited = 0;
    await fc.assert(
      fc.asyncProperty(bodyAndPiece, fc.boolean(), fc.boolean(), async ({ body, piece }, replaceAll, inLf) => {
        const text = inLf ? toLf(piece) : piece;
        const result = await attempt(apply(body, editsOf([[text, text]]), replaceAll));
        if (result === undefined) return;
        expect(result.body).toBe(body);
        edited++;
      }),
      { numRuns: 3000 },
    );
    expect(edited).toBeGreaterThan(300);
  });

  it("is the same one in slices, and where it is long", async () => {
    const long = fc.tuple(fc.constantFrom("a", "b\n", "c\r\n", "\n", "\r\n", "😀\r"), fc.integer({ min: 1, max: 900 }));
    const longText = fc
      .array(long, { maxLength: 4 })
      .map((all) => all.map(([text, times]) => text.repeat(times)).join(""));
    // Small enough for the reference, which goes through the text again and again.
    const inOne = (body: string, oldText: string, newText: string): string => {
      let [from, edited] = [0, ""];
      const [lf, old] = [toLf(body), toLf(oldText)];
      for (let at = lf.indexOf(old); at !== -1; at = lf.indexOf(old, at + old.length)) {
        const [start, end] = [unitsOf(body, at), unitsOf(body, at + old.length)];
        const replaced = body.slice(start, end).match(/\r?\n/gu) ?? [];
        const own = /\r?\n/u.exec(body.slice(end))?.[0] ?? body.slice(0, start).match(/\r?\n/gu)?.at(-1);
        let index = 0;
        edited += body.slice(from, start);
        edited += newText.replaceAll(/\r?\n/gu, (given) => replaced[index++] ?? replaced.at(-1) ?? own ?? given);
        from = end;
      }
      return edited + body.slice(from);
    };
    await fc.assert(
      fc.asyncProperty(longText, fc.nat(), fc.nat(3), longText, async (body, place, times, newText) => {
        const at = body.length === 0 ? 0 : place % body.length;
        const oldText = body.slice(at, at + 4 ** times);
        fc.pre(oldText !== "" && oldText.isWellFormed() && newText.length <= 1000);
        const result = await attempt(
          applyEdits(body, editsOf([[oldText, newText]]), true, "x.md", new CountedSlices()),
        );
        fc.pre(result !== undefined);
        expect(result?.body === inOne(body, oldText, newText)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("takes time linear in the body, however it was made", () => {
    const program = `
      import { applyEdits } from ${JSON.stringify(new URL("../src/edit.ts", import.meta.url).href)};
      import { Slices } from ${JSON.stringify(new URL("../src/slices.ts", import.meta.url).href)};
      const line = "a".repeat(1_000_000);
      for (const [body, oldText, newText] of [
        [line, "a".repeat(500_000), "b"],
        [line, "b" + "a".repeat(500_000), "b"],
        [line, "a".repeat(250_000) + "b" + "a".repeat(250_000), "b"],
        [line, "a", "b"],
        [line, "a", "\\n"],
        [line + "\\r\\n", "a", "\\nb"],
        ["\\r\\n" + line, "a", "\\nb"],
        ["\\r\\n".repeat(524_288), "\\n", "\\n\\n"],
        ["a\\r\\n".repeat(349_525), "a", "b"],
        ["a\\r\\n".repeat(349_525), "a", "\\n"],
      ])
        for (const replaceAll of [true, false])
          try {
            await applyEdits(body, [{ oldText, newText }], replaceAll, "x.md", new Slices());
          } catch (error) {
            if (!["ambiguous_match", "no_match"].includes(error.code)) throw error;
          }
      process.stdout.write("edited");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 40_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "edited", signal: null, stderr: "" });
  });
});

/** Where in the original a position of its LF form is, found by walking. */
function unitsOf(original: string, position: number): number {
  let index = 0;
  for (let walked = 0; walked < position; walked++) index += original.startsWith("\r\n", index) ? 2 : 1;
  return index;
}
