import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { span, type Span } from "@notesoup/ide-registry";
import { inside, join, minus, overlap } from "../src/range-sets.ts";
import { bodyOf, type Desk, desk, labelOf } from "./ide-fixture.ts";

/** The rows' texts. */
async function rows({ call }: Desk, path: string, operation: unknown): Promise<readonly string[]> {
  const { text } = await call("select", { path, operation });
  const body = bodyOf(text);
  return body === "nothing is selected" ? [] : body.split("\n").map((row) => row.slice(row.indexOf(" | ") + 3));
}

describe("selecting", () => {
  it.each([
    ["span", { kind: "span", from: { line: 1, col: 2 }, to: { line: 2, col: 1 } }, ["(one)\\u000a "]],
    ["lines", { kind: "lines", first: 2 }, [" f(two) \\u000a"]],
    ["between, what is inside", { kind: "between", open: "(", close: ")" }, ["one", "two", ""]],
    ["between, with the markers", { kind: "between", open: "(", close: ")", take: "outer" }, ["(one)", "(two)", "()"]],
    [
      "between, whole lines",
      { kind: "between", open: "(", close: ")", take: "lines" },
      ["f1(one)\\u000a", " f(two) \\u000a", "f()\\u000a"],
    ],
    ["cut", { kind: "cut", start: 0, end: 2 }, ["f1"]],
    ["split", { kind: "split", at: "\n" }, ["f1(one)", " f(two) ", "f()", ""]],
    ["edge", { kind: "edge", side: "after" }, [""]],
    ["columns", { kind: "columns", from: 0, to: 2 }, ["f1", " f", "f("]],
    ["fullLines", { kind: "fullLines" }, ["f1(one)\\u000a f(two) \\u000af()\\u000a"]],
  ])("%s takes what it says", async (_, operation, expected) => {
    const at = await desk({ "a.txt": "f1(one)\n f(two) \nf()\n" });
    const { id } = await at.call("read", { path: "a.txt" });
    expect(await rows(at, id, operation)).toEqual(expected);
  });

  it.each([
    ["both", "x"],
    ["start", "x \\u0009"],
    ["end", "\\u000a x"],
    [undefined, "x"],
  ])("trim takes white space from the side %s", async (side, expected) => {
    const at = await desk({ "a.txt": "[\n x \t]" });
    const { id } = await at.call("search", { path: "a.txt", query: "\n x \t" });
    expect(await rows(at, id, { kind: "trim", ...(side === undefined ? {} : { side }) })).toEqual([expected]);
  });

  it("leaves a place of nothing but white space", async () => {
    const { call, text } = await desk({ "a.txt": "[  ]" });
    const { id } = await call("search", { path: "a.txt", query: "  " });
    const trimmed = await call("select", { path: id, operation: { kind: "trim" } });
    await call("replace", { path: trimmed.text, text: "x" });
    expect(text("a.txt")).toBe("[x  ]");
  });

  it("edits just what was selected, in every file", async () => {
    const { call, text } = await desk({ "a.txt": "<b>x</b>\n", "c.txt": "<b>y</b><b>z</b>\n" });
    const hits = await call("search", { query: "re:<b>.*</b>" });
    const inner = await call("select", {
      path: hits.text,
      operation: { kind: "between", open: "<b>", close: "</b>" },
    });
    const places = bodyOf(inner.text)
      .split("\n")
      .map((row) => row.split(" | ")[0]);
    expect(places).toEqual(["#1 a.txt:1:3", "#2 c.txt:1:3", "#3 c.txt:1:11"]);
    await call("replace", { path: `${inner.id}#3`, text: "Z" });
    expect([text("a.txt"), text("c.txt")]).toEqual(["<b>x</b>\n", "<b>y</b><b>Z</b>\n"]);
  });

  it.each([
    ["a range of more than there is", { kind: "lines", first: 1, last: 3 }, "outside_scope"],
    ["a line that is not there", { kind: "lines", first: 9 }, "invalid_range"],
    [
      "a column that is not there",
      { kind: "span", from: { line: 2, col: 0 }, to: { line: 2, col: 99 } },
      "invalid_range",
    ],
    ["half a character", { kind: "span", from: { line: 2, col: 0 }, to: { line: 2, col: 1 } }, "splits_code_point"],
    ["an opener without end", { kind: "between", open: "b", close: "}" }, "unmatched"],
    ["units past the range", { kind: "cut", start: 2, end: 99 }, "invalid_range"],
    ["columns that a line does not have", { kind: "columns", from: 0, to: 99 }, "invalid_range"],
    ["columns in the wrong order", { kind: "columns", from: 2, to: 1 }, "invalid_range"],
    ["an operation that there is not", { kind: "guess" }, "invalid_arguments"],
  ])("refuses %s", async (_, operation, code) => {
    const { call, refusal } = await desk({ "a.txt": "a\n😀b\nc\n" });
    const { id } = await call("read", { path: "a.txt", offset: 2, limit: 1 });
    expect(await refusal("select", { path: id, operation })).toBe(code);
  });

  it("refuses columns outside of the range", async () => {
    const { call, refusal } = await desk({ "a.txt": "abcdef\n" });
    const { id } = await call("search", { path: "a.txt", query: "cd" });
    expect(await refusal("select", { path: id, operation: { kind: "columns", from: 0, to: 3 } })).toBe("outside_scope");
  });

  it("that grows to more than is shown gives nothing to edit", async () => {
    const { call, refusal, text } = await desk({ "a.txt": `${"x".repeat(3_000)}\n`, "b.txt": "x y\n" });
    const long = await call("search", { path: "a.txt", query: "xx" });
    const grown = await call("select", { path: `${long.id}#1`, operation: { kind: "fullLines" } });
    expect(labelOf(grown.text)).toContain('edit="no: ');
    expect(await refusal("delete", { path: grown.text })).toBe("not_consumable");
    const short = await call("search", { path: "b.txt", query: "y" });
    const line = await call("select", { path: short.text, operation: { kind: "fullLines" } });
    await call("delete", { path: line.text });
    expect(text("b.txt")).toBe("");
  });

  it("takes lines that several ranges cover together", async () => {
    const at = await desk({ "a.txt": "one\ntwo\nthree\n" });
    const { id } = await at.call("read", { path: "a.txt" });
    const pieces = await at.call("select", { path: id, operation: { kind: "split", at: "t" } });
    const lines = await at.call("search", { path: id, query: "re:.+" });
    expect(await rows(at, lines.id, { kind: "span", from: { line: 2, col: 1 }, to: { line: 2, col: 3 } })).toEqual([
      "wo",
    ]);
    expect(await at.refusal("select", { path: pieces.id, operation: { kind: "lines", first: 2 } })).toBe(
      "outside_scope",
    );
  });

  it("works on thousands of ranges", async () => {
    const { call, text } = await desk({ "a.txt": "x y\n".repeat(10_000) });
    const hits = await call("search", { path: "a.txt", query: "x" });
    const lines = await call("select", { path: hits.id, operation: { kind: "fullLines" } });
    const columns = await call("select", {
      path: (await call("read", { path: "a.txt" })).id,
      operation: { kind: "columns", from: 2, to: 3 },
    });
    const without = await call("select", { path: columns.id, operation: { kind: "minus", with: hits.id } });
    expect([lines, without].map(({ answer }) => answer.record)).toMatchObject([{ items: 10_000 }, { items: 10_000 }]);
    const inserted = await call("insert", { path: without.id, text: "<", where: "before" });
    expect(bodyOf(inserted.text)).toBe("10000 ranges in a.txt: applied, too many lines to count");
    expect(text("a.txt")).toBe("x <y\n".repeat(10_000));
    const compared = await call("diff", { before: "a.txt", after: { text: "x y\n".repeat(10_000) } });
    expect(bodyOf(compared.text)).toBe("the texts differ in too many lines to show");
  });

  it("holds items past those that are shown", async () => {
    const { call, text } = await desk({ "a.txt": "x,".repeat(150) });
    const { id } = await call("read", { path: "a.txt" });
    const pieces = await call("select", { path: id, operation: { kind: "split", at: "," } });
    expect(bodyOf(pieces.text).split("\n")).toHaveLength(100);
    expect(labelOf(pieces.text)).toContain('items="151" shown="100"');
    await call("replace", { path: `${pieces.id}#150`, text: "y" });
    expect(text("a.txt")).toBe(`${"x,".repeat(149)}y,`);
  });
});

describe("sets of ranges", () => {
  it("match by file, not by order", async () => {
    const at = await desk({ "a.txt": "one two\n", "b.txt": "two one\n" });
    const { call } = at;
    const all = await call("search", { query: "re:one|two" });
    const one = await call("search", { query: "one" });
    expect(await rows(at, all.id, { kind: "inside", with: one.id })).toEqual(["one", "one"]);
    expect(await rows(at, all.id, { kind: "minus", with: one.id })).toEqual(["two", "two"]);
    const lines = await call("read", { path: "a.txt" });
    expect(await rows(at, lines.id, { kind: "overlap", with: all.id })).toEqual(["one", "two"]);
    expect(await rows(at, one.id, { kind: "join", with: lines.id })).toEqual(["one two\\u000a", "one"]);
  });

  it("refuse where either side is stale, and are incomplete where either is", async () => {
    const { call, refusal, write } = await desk({ "a.txt": "x x\n", "b.txt": "x\n" }, { limits: { hits: 1 } });
    const whole = await call("read", { path: "a.txt" });
    const part = await call("search", { path: "a.txt", query: "x" });
    const both = await call("select", { path: whole.id, operation: { kind: "overlap", with: part.id } });
    expect(await refusal("replace", { path: both.id, text: "y" })).toBe("incomplete");
    const other = await call("read", { path: "b.txt" });
    write("b.txt", "changed\n");
    const joined = { path: whole.id, operation: { kind: "join", with: other.id } };
    expect(await refusal("select", joined)).toBe("stale_source");
  });

  it("are those of the units that they cover", () => {
    const anySpans = fc
      .array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 6 })), { maxLength: 6 })
      .map((all) => all.map(([start, length]) => span(start, start + length)));
    const units = (spans: readonly Span[]): readonly number[] =>
      Array.from({ length: 40 }, (_, at) => at).filter((at) => spans.some(({ start, end }) => start <= at && at < end));
    fc.assert(
      fc.property(anySpans, anySpans, (one, other) => {
        const [mine, theirs] = [new Set(units(one)), new Set(units(other))];
        expect(units(overlap(one, other))).toEqual([...mine].filter((at) => theirs.has(at)));
        expect(units(minus(one, other))).toEqual([...mine].filter((at) => !theirs.has(at)));
        expect(units(join(one, other))).toEqual([...new Set([...mine, ...theirs])].toSorted((low, high) => low - high));
        expect(inside(one, other)).toEqual(one.filter((each) => units([each]).every((at) => theirs.has(at))));
      }),
    );
  });

  it("keep positions that touch and drop those inside of what is taken away", () => {
    expect(overlap([span(3, 3)], [span(3, 5)])).toEqual([span(3, 3)]);
    expect(overlap([span(0, 3)], [span(3, 5)])).toEqual([]);
    expect(minus([span(3, 3), span(4, 4)], [span(3, 5)])).toEqual([span(3, 3)]);
    expect(join([span(0, 3)], [span(4, 5)])).toEqual([span(0, 3), span(4, 5)]);
  });
});
