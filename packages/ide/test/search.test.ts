import { describe, expect, it } from "vitest";
import { bodyOf, desk, labelOf } from "./ide-fixture.ts";

describe("searching a folder", () => {
  it("finds every hit, in order, with its place", async () => {
    const { call } = await desk({ "b.txt": "old\nthe old\n", "a/c.txt": "é😀 old\n" });
    const { answer, text } = await call("search", { query: "old" });
    expect(labelOf(text)).toContain('hits="3" files="2" complete="yes"');
    expect(bodyOf(text).split("\n")).toEqual([
      "#1 a/c.txt:1:4-7 | é😀 old",
      "#2 b.txt:1:0-3 | old",
      "#3 b.txt:2:4-7 | the old",
    ]);
    expect(answer.record).toEqual({ hits: 3, files: 2, complete: true });
  });

  it("edits right in a file with a byte order mark, CRLF and characters of two units", async () => {
    const { call, text } = await desk({ "a.txt": "\ufeff😀 old\r\nold é old\r\n" });
    const hits = await call("search", { query: "re:old$" });
    expect(hits.answer.record).toMatchObject({ hits: 2 });
    await call("replace", { path: hits.text, text: "new" });
    expect(text("a.txt")).toBe("\ufeff😀 new\r\nold é new\r\n");
    const first = await call("search", { query: "re:^.*new" });
    expect(first.answer.record).toMatchObject({ hits: 2, complete: true });
    await call("delete", { path: first.text });
    expect(text("a.txt")).toBe("\ufeff\r\n\r\n");
  });

  it("takes literal text as it is, over lines too", async () => {
    const { call, text } = await desk({ "a.txt": "a.c+(x)\r\n-next-\r\n" });
    const { id } = await call("search", { query: "(x)\n-next-" });
    await call("replace", { path: id, text: "!" });
    expect(text("a.txt")).toBe("a.c+!\r\n");
    expect((await call("search", { query: "--help" })).answer.record).toMatchObject({ hits: 0 });
    expect((await call("search", { query: "a.c+" })).answer.record).toMatchObject({ hits: 1 });
    expect((await call("search", { query: "abc" })).answer.record).toMatchObject({ hits: 0 });
  });

  it("looks where it is told", async () => {
    const { call, refusal } = await desk({ "src/a.ts": "x", "src/b.js": "x", "test/a.ts": "x", ".git/HEAD": "x" });
    const count = async (args: object): Promise<unknown> =>
      (await call("search", { query: "x", ...args })).answer.record;
    expect(await count({})).toMatchObject({ files: 3 });
    expect(await count({ path: "src" })).toMatchObject({ files: 2 });
    expect(await count({ include: ["*.ts"] })).toMatchObject({ files: 2 });
    expect(await count({ include: ["*.ts"], exclude: ["test/**"] })).toMatchObject({ files: 1 });
    const files = await call("search", { query: "files:*.ts" });
    expect(bodyOf(files.text)).toBe("#1 src/a.ts\n#2 test/a.ts");
    expect(bodyOf((await call("search", { query: "files:*.md" })).text)).toBe("no file");
    expect(await refusal("search", { query: "x", path: "none" })).toBe("not_found");
    expect(await refusal("replace", { path: files.id, text: "y" })).toBe("wrong_kind");
  });

  it("says where a file with hits has no text to edit", async () => {
    const { call, refusal } = await desk({ "a.txt": "x\n", "b.txt": Buffer.from([0x78, 0xe9]) });
    const { id, text } = await call("search", { query: "x" });
    expect(labelOf(text)).toContain('complete="no" skipped="1"');
    expect(await refusal("replace", { path: id, text: "y" })).toBe("incomplete");
  });

  it("shows a hundred rows, and holds them all", async () => {
    const { call, text } = await desk({ "a.txt": "x\n".repeat(250) });
    const { id, text: shown } = await call("search", { query: "x" });
    expect(bodyOf(shown).split("\n")).toHaveLength(100);
    await call("replace", { path: `${id}#201`, text: "y" });
    expect(text("a.txt")).toBe(`${"x\n".repeat(200)}y\n${"x\n".repeat(49)}`);
  });

  it("ends at a limit, and is not complete then", async () => {
    const { call } = await desk({ "a.txt": "x\n".repeat(50), "b.txt": "x\n" }, { limits: { hits: 10 } });
    const { answer } = await call("search", { query: "x" });
    expect(answer.record).toMatchObject({ hits: 10, complete: false });
  });

  it("refuses a pattern that is none, an empty one, and one that no engine is there for", async () => {
    const { refusal } = await desk({ "a.txt": "x\n" });
    expect(await refusal("search", { query: "re:(" })).toBe("syntax_error");
    expect(await refusal("search", { query: "files:[" })).toBe("syntax_error");
    expect(await refusal("search", { query: "" })).toBe("empty_query");
    expect(await refusal("search", { query: "re:" })).toBe("empty_query");
    expect(await refusal("search", { query: "\ud800" })).toBe("ill_formed_text");
    expect(await refusal("search", { query: "ast:f($A)" })).toBe("engine_missing");
    expect(await refusal("search", { query: "x" }, { signal: AbortSignal.abort() })).toBe("cancelled");
  });
});

describe("searching a file or a result", () => {
  it("finds what lies wholly in it, and nothing else", async () => {
    const { call, text } = await desk({ "a.txt": "old\nold old\nold\n", "b.txt": "old\n" });
    const { id } = await call("read", { path: "a.txt", offset: 2, limit: 1 });
    for (const [query, hits] of [
      ["old", 2],
      ["re:o.d", 2],
      ["re:old old|old", 1],
    ] as const) {
      const { answer } = await call("search", { path: id, query });
      expect(answer.record, query).toMatchObject({ files: 1, hits });
    }
    const cut = await call("select", { path: id, operation: { kind: "cut", start: 1, end: 7 } });
    const found = await call("search", { path: cut.text, query: "re:old" });
    await call("replace", { path: found.text, text: "new" });
    expect(text("a.txt")).toBe("old\nold new\nold\n");
    expect((await call("search", { path: "b.txt", query: "re:^old" })).answer.record).toMatchObject({ hits: 1 });
  });

  it("widens nothing", async () => {
    const { call, refusal } = await desk({ "a.txt": "old\n", "b.bin": Buffer.from([0xff, 0]) });
    const { id } = await call("read", { path: "a.txt" });
    expect(await refusal("search", { path: id, query: "files:*" })).toBe("wrong_kind");
    expect(await refusal("search", { path: "a.txt", query: "files:*" })).toBe("wrong_kind");
    expect(await refusal("search", { path: id, query: "x", include: ["*"] })).toBe("wrong_kind");
    const bytes = await call("read", { path: "b.bin", view: "bytes" });
    expect(await refusal("search", { path: bytes.id, query: "x" })).toBe("wrong_kind");
  });
});
