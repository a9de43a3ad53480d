import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type EditedBody, type NoteEdit } from "../src/edit.ts";
import { NoteError } from "../src/error.ts";
import { toLf } from "../src/line-ends.ts";

type Pair = readonly [oldText: string, newText: string];
const editsOf = (pairs: readonly Pair[]): NoteEdit[] => pairs.map(([oldText, newText]) => ({ oldText, newText }));
const edit = (body: string, ...pairs: readonly Pair[]): EditedBody => applyEdits(body, editsOf(pairs), false, "x.md");
const editAll = (body: string, ...pairs: readonly Pair[]): EditedBody => applyEdits(body, editsOf(pairs), true, "x.md");
const refusal = (run: () => unknown): NoteError => {
  try {
    run();
  } catch (error) {
    if (error instanceof NoteError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};
const told = ({ code, editIndex, lineNumbers, address }: NoteError): object => ({
  code,
  editIndex,
  lineNumbers,
  address,
});

describe("an edit", () => {
  it.each(["$&", "$$", "$1", "$'", "$`", "$<a>", "\\1", "\\", "\\n"])("inserts %j as it is", (newText) => {
    expect(edit("BEFORE TOKEN AFTER", ["TOKEN", newText]).body).toBe(`BEFORE ${newText} AFTER`);
    expect(editAll("TOKEN TOKEN", ["TOKEN", newText])).toEqual({ body: `${newText} ${newText}`, applied: 2 });
  });

  it.each(["f(x)", "[a]", "a.b", "a*", "^", "$", "a|b", "\\d", "{1}", "?"])("finds %j as it is", (oldText) => {
    const newText = String.raw`C:\new\table \1`;
    expect(edit(`1${oldText}2`, [oldText, newText]).body).toBe(`1${newText}2`);
    expect(editAll(`${oldText} ab ${oldText}`, [oldText, newText]).body).toBe(`${newText} ab ${newText}`);
  });

  it("must match once, overlapping matches counted", () => {
    const error = refusal(() => edit("foo\nfoo\nfoo\n", ["foo\nfoo\n", ""]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 0, lineNumbers: [1, 2], address: "x.md" });
    expect(error.message).toContain("on lines 1, 2;");
    expect(told(refusal(() => edit("aaa", ["aa", "b"])))).toMatchObject({ code: "ambiguous_match", lineNumbers: [1] });
  });

  it("names the lines on which it matches, each once", () => {
    const error = refusal(() => edit("a\na\n", ["a", "b"]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 0, lineNumbers: [1, 2], address: "x.md" });
    expect(refusal(() => edit("x\r\na a\r\n\na", ["a", "b"])).lineNumbers).toEqual([2, 4]);
    expect(refusal(() => edit("a a", ["a", "b"])).message).toContain("on line 1;");
  });

  it("counts the lines of the body as the edits before it left it", () => {
    const error = refusal(() => edit("head\na\na\n", ["head", "one\ntwo\nthree"], ["a", "b"]));
    expect(told(error)).toEqual({ code: "ambiguous_match", editIndex: 1, lineNumbers: [4, 5], address: "x.md" });
  });

  it("shows at most 2 KiB of line numbers, then how many there are", () => {
    const error = refusal(() => edit("a\n".repeat(5000), ["a", "b"]));
    expect(error.lineNumbers).toHaveLength(5000);
    const shown = /on lines (.*), … of 5000;/u.exec(error.message)?.[1] ?? "";
    expect(shown.length).toBeLessThanOrEqual(2048);
    expect(shown.length).toBeGreaterThan(2040);
    expect(shown.split(", ").map(Number)).toEqual(Array.from(shown.split(", "), (_line, index) => index + 1));
    expect(error.message).not.toContain("\n");
  });

  it("replaces all from left to right without overlap", () => {
    expect(editAll("a a a a", ["a a", "b"])).toEqual({ body: "b b", applied: 2 });
    expect(editAll("aaaaa", ["aa", "b"])).toEqual({ body: "bba", applied: 2 });
    expect(editAll("aa", ["a", "aa"])).toEqual({ body: "aaaa", applied: 2 });
  });

  it("works on what the edits before it left", () => {
    expect(edit("a", ["a", "bc"], ["b", "d"])).toEqual({ body: "dc", applied: 2 });
    expect(editAll("ab", ["a", "b"], ["b", "c"])).toEqual({ body: "cc", applied: 3 });
  });

  it("is none for no edits", () => {
    expect(edit("body")).toEqual({ body: "body", applied: 0 });
  });

  it.each([false, true])("refuses an empty oldText, replaceAll %j", (replaceAll) => {
    const error = refusal(() => applyEdits("a", editsOf([["", "b"]]), replaceAll, "x.md"));
    expect(told(error)).toEqual({ code: "empty_edit", editIndex: 0, lineNumbers: undefined, address: "x.md" });
  });

  it.each([false, true])("refuses what is not in the body, replaceAll %j", (replaceAll) => {
    const error = refusal(() =>
      applyEdits(
        "a\nb",
        editsOf([
          ["a", "c"],
          ["a\nb", "b"],
        ]),
        replaceAll,
        "x.md",
      ),
    );
    expect(told(error)).toEqual({ code: "no_match", editIndex: 1, lineNumbers: undefined, address: "x.md" });
    expect(error.message).toContain(String.raw`"a\nb" is not in the body`);
    expect(error.message).not.toContain("\n");
  });

  it("refuses texts that are not well-formed, and never takes half a character", () => {
    for (const pair of [
      ["\ud83d", "a"],
      ["a", "\ude00"],
    ] as const)
      expect(told(refusal(() => edit("a😀", pair)))).toMatchObject({ code: "invalid_text", editIndex: 0 });
    const missing = [{ oldText: "a" }] as unknown as NoteEdit[];
    expect(refusal(() => applyEdits("a", missing, false, "x.md")).code).toBe("invalid_text");
  });

  it("tells case, Unicode forms and spaces apart", () => {
    for (const [body, oldText] of [
      ["A", "a"],
      ["é", "e\u0301"],
      ["a\tb", "a b"],
      ["a\u00a0b", "a b"],
    ] as const)
      expect(refusal(() => edit(body, [oldText, ""])).code).toBe("no_match");
  });

  it("refuses what would grow beyond measure, before it is made", () => {
    const error = refusal(() => editAll("a".repeat(1_000_000), ["a", "b".repeat(1_000_000)]));
    expect(told(error)).toMatchObject({ code: "too_large", editIndex: 0 });
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
  ])("of %j, %j for %j: %j", (body, oldText, newText, expected) => {
    expect(edit(body, [oldText, newText])).toEqual({ body: expected, applied: 1 });
  });

  it("are never matched by half", () => {
    expect(refusal(() => edit("a\r\nb", ["a\r", ""])).code).toBe("no_match");
    expect(refusal(() => edit("a\r\nb", ["\r", ""])).code).toBe("no_match");
  });

  it("keep their form in every line that all matches replace", () => {
    expect(editAll("a\r\na\na\r\na", ["a", "b\nc"]).body).toBe("b\r\nc\r\nb\nc\nb\r\nc\r\nb\r\nc");
    expect(editAll("a\r\na\na", ["\na", "\nb\nc"]).body).toBe("a\r\nb\r\nc\nb\nc");
  });
});

describe("any edit", () => {
  const unit = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "$&", "\\", "😀", "(");
  const anyText = fc.string({ unit, maxLength: 12 });
  /** A body, and a piece of it. */
  const bodyAndPiece = fc
    .tuple(anyText, fc.string({ unit, minLength: 1, maxLength: 5 }), anyText)
    .map(([before, piece, after]) => ({ body: before + piece + after, piece }));
  const attempt = (run: () => EditedBody): EditedBody | undefined => {
    try {
      return run();
    } catch (error) {
      if (error instanceof NoteError && (error.code === "no_match" || error.code === "ambiguous_match"))
        return undefined;
      throw error;
    }
  };

  it("puts the text itself in the place of the text itself", () => {
    const noLineEnd = fc.string({
      unit: fc.oneof(fc.constantFrom("$&", "\\1", "a", "(", "$'"), fc.string({ unit: "grapheme", maxLength: 1 })),
    });
    const line = noLineEnd.map((text) => text.replaceAll(/[\r\n]/gu, ""));
    fc.assert(
      fc.property(
        line,
        line.filter((text) => text !== ""),
        line,
        line,
        (before, oldText, after, newText) => {
          const body = before + oldText + after;
          expect(editAll(body, [oldText, newText]).body).toBe(body.split(oldText).join(newText));
          if (body.indexOf(oldText) === body.lastIndexOf(oldText))
            expect(edit(body, [oldText, newText])).toEqual({ body: before + newText + after, applied: 1 });
          else expect(refusal(() => edit(body, [oldText, newText])).code).toBe("ambiguous_match");
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("says the same as one on lines that end in LF", () => {
    // Without a CR by itself: before a line end, it would be part of one in the LF form.
    const noCr = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "$&"), maxLength: 8 });
    let edited = 0;
    fc.assert(
      fc.property(noCr, noCr, noCr, noCr, fc.boolean(), (before, oldText, after, newText, replaceAll) => {
        if (oldText === "") return;
        const body = before + oldText + after;
        const actual = attempt(() => applyEdits(body, editsOf([[oldText, newText]]), replaceAll, "x.md"));
        const inLf = attempt(() =>
          applyEdits(toLf(body), editsOf([[toLf(oldText), toLf(newText)]]), replaceAll, "x.md"),
        );
        expect(actual?.applied).toBe(inLf?.applied);
        expect(actual && toLf(actual.body)).toBe(inLf?.body);
        if (actual !== undefined) edited++;
      }),
      { numRuns: 5000 },
    );
    expect(edited).toBeGreaterThan(300);
  });

  it("on CRLF lines is the edit on LF lines with its line ends as CRLF", () => {
    const lf = fc.string({ unit: fc.constantFrom("a", "b", "\n", "😀"), maxLength: 12 });
    fc.assert(
      fc.property(
        lf,
        lf.filter((text) => text !== ""),
        lf,
        lf,
        fc.boolean(),
        (before, oldText, after, newText, replaceAll) => {
          const body = `${before}${oldText}${after}\n`;
          const crlf = body.replaceAll("\n", "\r\n");
          const pairs = editsOf([[oldText, newText]]);
          const expected = attempt(() => applyEdits(body, pairs, replaceAll, "x.md"))?.body.replaceAll("\n", "\r\n");
          expect(attempt(() => applyEdits(crlf, pairs, replaceAll, "x.md"))?.body).toBe(expected);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("keeps every byte around its place, in mixed line ends as well", () => {
    let edited = 0;
    fc.assert(
      fc.property(bodyAndPiece, anyText, ({ body, piece }, newText) => {
        const result = attempt(() => edit(body, [piece, newText]));
        if (result === undefined) return;
        const lf = toLf(body);
        const at = lf.indexOf(toLf(piece));
        const before = body.slice(0, unitsOf(body, at));
        const after = body.slice(unitsOf(body, at + toLf(piece).length));
        expect(result.body.startsWith(before)).toBe(true);
        expect(result.body.endsWith(after)).toBe(true);
        edited++;
      }),
      { numRuns: 3000 },
    );
    expect(edited).toBeGreaterThan(100);
  });

  it("of a text to itself changes no byte", () => {
    let edited = 0;
    fc.assert(
      fc.property(bodyAndPiece, fc.boolean(), fc.boolean(), ({ body, piece }, replaceAll, inLf) => {
        const text = inLf ? toLf(piece) : piece;
        const result = attempt(() => applyEdits(body, editsOf([[text, text]]), replaceAll, "x.md"));
        if (result === undefined) return;
        expect(result.body).toBe(body);
        edited++;
      }),
      { numRuns: 3000 },
    );
    expect(edited).toBeGreaterThan(300);
  });

  it("takes time linear in the body, however it was made", () => {
    const program = `
      import { applyEdits } from ${JSON.stringify(new URL("../src/edit.ts", import.meta.url).href)};
      const line = "a".repeat(1_048_576);
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
            applyEdits(body, [{ oldText, newText }], replaceAll, "x.md");
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
