import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Refusal } from "@notesoup/ide-registry";
import { bodyOf, desk, labelOf } from "./ide-fixture.ts";

describe("a text to find", () => {
  it("that is not there blocks further looking in that file until an edit by reference has succeeded", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "one\ntwo\n", "b.txt": "one\n" });
    let reference = "";
    try {
      await call("replace", { path: "a.txt", find: "nope two", text: "x" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.code).toBe("text_not_found");
      expect(error.detail?.["lines"]).toEqual(["@2 | two"]);
      reference = /[-0-9a-f]{36}@2/u.exec(error.next)?.[0] ?? "";
    }
    expect(await refusal("replace", { path: "a.txt", find: "one", text: "1" })).toBe("exact_text_blocked");
    await call("replace", { path: "b.txt", find: "one", text: "1" });
    await call("replace", { path: reference, text: "2" });
    await call("replace", { path: "a.txt", find: "one", text: "1" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["1\n2\n", "1\n"]);
  });

  it("in a script is free again once the edit by reference is accepted", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\ntwo\n" });
    const source = await call("read", { path: "a.txt" });
    const scope = ide.scope("script");
    expect(await refusal("replace", { path: "a.txt", find: "nope", text: "x" }, { scope })).toBe("text_not_found");
    await call("replace", { path: `${source.id}@2`, text: "2" }, { scope });
    await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    await scope.end("commit");
    expect(text("a.txt")).toBe("1\n2\n");
  });

  it("must be there once, also where its places share letters", async () => {
    const { refusal, text } = await desk({ "a.txt": "aaa", "b.txt": "x x" });
    expect(await refusal("replace", { path: "a.txt", find: "aa", text: "b" })).toBe("text_ambiguous");
    expect(await refusal("delete", { path: "b.txt", find: "x" })).toBe("text_ambiguous");
    expect([text("a.txt"), text("b.txt")]).toEqual(["aaa", "x x"]);
  });

  it("is looked for in the named range alone", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "x\nx\n" });
    const { id } = await call("read", { path: "a.txt", offset: 2, limit: 1 });
    await call("replace", { path: id, find: "x", text: "y" });
    expect(text("a.txt")).toBe("x\ny\n");
    const both = await call("search", { path: ".", query: "x" });
    expect(await refusal("replace", { path: both.id, find: "z", text: "y" })).toBe("text_not_found");
  });

  it("with LF is found in CRLF, and is taken literally", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "one\r\ntwo\r\nthree", "b.txt": "a.c+abc" });
    await call("replace", { path: "a.txt", find: "one\ntwo", text: "1\n2" });
    await call("replace", { path: "b.txt", find: "a.c+", text: "$& $1 $$ \\1" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["1\r\n2\r\nthree", "$& $1 $$ \\1abc"]);
    expect(await refusal("replace", { path: "a.txt", find: "1\r", text: "x" })).toBe("splits_crlf");
    expect(await refusal("replace", { path: "a.txt", find: "\ud800", text: "x" })).toBe("ill_formed_text");
    expect(await refusal("replace", { path: "a.txt", find: "", text: "x" })).toBe("invalid_arguments");
  });
});

describe("replacing", () => {
  it("puts text in the place of a line, with the line ends of a file of CRLF alone", async () => {
    const { call, text } = await desk({ "a.txt": "one\r\ntwo\r\nthree", "b.txt": "one\r\ntwo\nthree" });
    for (const name of ["a.txt", "b.txt"]) {
      const { id } = await call("read", { path: name });
      await call("replace", { path: `${id}@2`, text: "A\nB" });
    }
    expect([text("a.txt"), text("b.txt")]).toEqual(["one\r\nA\r\nB\r\nthree", "one\r\nA\nB\nthree"]);
  });

  it("of every hit is one edit, and tells what it changed", async () => {
    const { call, text } = await desk({ "a.txt": "x\n", "b/c.txt": "x x\n" });
    const hits = await call("search", { query: "x" });
    const { answer, text: receipt } = await call("replace", { path: hits.text, text: "longer" });
    expect([text("a.txt"), text("b/c.txt")]).toEqual(["longer\n", "longer longer\n"]);
    expect(bodyOf(receipt)).toContain(
      "3 ranges in a.txt, b/c.txt: applied, +2 -2\n--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-x\n+longer",
    );
    expect(answer.record).toMatchObject({ operation: "replace", effect: "applied", ranges: 3, selection: true });
    expect(labelOf(receipt)).toContain('tool="replace" state="applied"');
  });

  it("that changes nothing writes nothing", async () => {
    const { call, path } = await desk({ "a.txt": "same\n" });
    const before = statSync(path("a.txt"), { bigint: true }).mtimeNs;
    const { answer } = await call("replace", { path: "a.txt", find: "same", text: "same" });
    expect(answer.record).toMatchObject({ effect: "not-applied" });
    const none = await call("search", { path: "a.txt", query: "absent" });
    expect((await call("replace", { path: none.text, text: "x" })).answer.record).toMatchObject({
      effect: "not-applied",
      ranges: 0,
    });
    expect(statSync(path("a.txt"), { bigint: true }).mtimeNs).toBe(before);
  });

  it("needs to know what, and takes no label into a file", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "one\n" });
    const { text: answer } = await call("read", { path: "a.txt" });
    expect(await refusal("replace", { path: "a.txt", text: "x" })).toBe("invalid_arguments");
    expect(await refusal("replace", { path: "a.txt", find: "one", text: answer })).toBe("label_in_text");
    expect(await refusal("insert", { path: "a.txt", find: "one", text: answer, where: "after" })).toBe("label_in_text");
    expect(await refusal("write", { path: "a.txt", content: `x\n${answer}` })).toBe("label_in_text");
    expect(await refusal("replace", { path: "a.txt", find: "one", text: "\udc00" })).toBe("ill_formed_text");
    expect(text("a.txt")).toBe("one\n");
  });

  it("refuses a file that cannot be written", async () => {
    const { nodeDisk } = await import("@notesoup/ide-registry/node");
    const full = { ...nodeDisk(), put: () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) };
    const { refusal, text } = await desk({ "a.txt": "one\n" }, { disk: full });
    expect(await refusal("replace", { path: "a.txt", find: "one", text: "1" })).toBe("write_failed");
    expect(await refusal("write", { path: "a.txt", content: "1" })).toBe("write_failed");
    expect(text("a.txt")).toBe("one\n");
  });
});

describe("inserting", () => {
  it.each([
    ["before", undefined, "one\nXtwo\nthree\n"],
    ["after", undefined, "one\ntwoX\nthree\n"],
    ["before", "line", "one\nX\ntwo\nthree\n"],
    ["after", "line", "one\ntwo\nX\nthree\n"],
    ["before", "blank", "one\nX\n\ntwo\nthree\n"],
    ["after", "blank", "one\ntwo\n\nX\nthree\n"],
  ])("%s a line, with a gap of %s", async (where, gap, expected) => {
    const { call, text } = await desk({ "a.txt": "one\ntwo\nthree\n" });
    await call("insert", { path: "a.txt", find: "two", text: "X", where, ...(gap === undefined ? {} : { gap }) });
    expect(text("a.txt")).toBe(expected);
  });

  it("ends lines as the neighbours do", async () => {
    const { call, text } = await desk({ "a.txt": "one\r\ntwo\nthree\r\n", "b.txt": "one\rtwo" });
    await call("insert", { path: "a.txt", find: "one", text: "X", where: "after", gap: "line" });
    await call("insert", { path: "b.txt", find: "two", text: "X", where: "after", gap: "line" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["one\r\nX\r\ntwo\nthree\r\n", "one\rtwo\rX"]);
  });

  it("at every hit stands for what was inserted", async () => {
    const { call, text } = await desk({ "a.txt": "x\ny x\n" });
    const hits = await call("search", { path: "a.txt", query: "x" });
    const inserted = await call("insert", { path: hits.text, text: "new", where: "before", gap: "line" });
    expect(text("a.txt")).toBe("new\nx\ny \nnew\nx\n");
    await call("replace", { path: inserted.text, text: "" });
    expect(text("a.txt")).toBe("x\ny x\n");
  });

  it("at an incomplete result is refused", async () => {
    const { call, refusal } = await desk({ "a.txt": "x x\n" }, { limits: { hits: 1 } });
    const { id } = await call("search", { path: "a.txt", query: "x" });
    expect(await refusal("insert", { path: id, text: "y", where: "after" })).toBe("incomplete");
  });
});

describe("moving and copying text", () => {
  it("takes it to a position, or in the place of other text, in the same file or another", async () => {
    const { call, text } = await desk({ "a.txt": "one\ntwo\n", "b.txt": "[]\n" });
    const source = await call("read", { path: "a.txt" });
    const place = await call("select", {
      path: (await call("search", { path: "b.txt", query: "[" })).text,
      operation: { kind: "edge", side: "after" },
    });
    const copied = await call("copy", { path: `${source.id}@1`, to: place.text });
    expect(text("b.txt")).toBe("[one]\n");
    await call("move", { path: "a.txt", find: "two", to: copied.text });
    expect([text("a.txt"), text("b.txt")]).toEqual(["one\n\n", "[two]\n"]);
    await call("copy", { path: "b.txt", to: "a.txt", toFind: "one\n" });
    expect(text("a.txt")).toBe("[two]\n\n");
  });

  it("refuses unequal numbers, a move into itself, and a place that is none", async () => {
    const { call, refusal } = await desk({ "a.txt": "one two one\n" });
    const hits = await call("search", { path: "a.txt", query: "one" });
    const { id } = await call("read", { path: "a.txt" });
    const inner = await call("search", { path: id, query: "two" });
    expect(await refusal("copy", { path: hits.id, to: inner.id })).toBe("invalid_range");
    expect(await refusal("move", { path: id, to: inner.id })).toBe("overlap");
    expect(await refusal("copy", { path: inner.id, to: "b.txt" })).toBe("invalid_arguments");
  });
});
