import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bodyOf, desk } from "./ide-fixture.ts";

describe("writing", () => {
  it("makes and replaces files, and tells no content", async () => {
    const { call, text } = await desk({ "a.txt": "old\n" });
    const created = await call("write", { path: "deep/b.txt", content: "" });
    const written = await call("write", { path: "a.txt", content: "secret content\n" });
    expect([text("deep/b.txt"), text("a.txt")]).toEqual(["", "secret content\n"]);
    expect([bodyOf(created.text), bodyOf(written.text)]).toEqual(["deep/b.txt: created", "a.txt: written"]);
    await call("replace", { path: written.text, text: "next\n" });
    expect(text("a.txt")).toBe("next\n");
  });

  it("of what the file holds already writes nothing", async () => {
    const { call, path } = await desk({ "a.txt": "same\n" });
    const before = statSync(path("a.txt"), { bigint: true }).mtimeNs;
    const { answer } = await call("write", { path: "a.txt", content: "same\n" });
    expect(answer.record).toMatchObject({ effect: "not-applied", selection: true });
    expect(statSync(path("a.txt"), { bigint: true }).mtimeNs).toBe(before);
  });

  it("through a reference needs one that holds the whole file, as it is", async () => {
    const { call, refusal, text, write } = await desk({ "a.txt": "one\ntwo\n" });
    const part = await call("read", { path: "a.txt", limit: 1 });
    expect(await refusal("write", { path: part.id, content: "x" })).toBe("outside_scope");
    const whole = await call("read", { path: "a.txt" });
    write("a.txt", "foreign\n");
    expect(await refusal("write", { path: whole.id, content: "x" })).toBe("stale_source");
    const folder = await call("read", { path: "." });
    expect(await refusal("write", { path: folder.id, content: "x" })).toBe("wrong_kind");
    expect(await refusal("write", { path: "a.txt", content: "\ud800" })).toBe("ill_formed_text");
    expect(text("a.txt")).toBe("foreign\n");
  });
});

describe("a whole file", () => {
  it("is removed by its path alone, and a link without what it leads to", async () => {
    const { call, path, text } = await desk({ "a.txt": "a", "b.txt": "b" });
    symlinkSync("b.txt", path("link"));
    await call("delete", { path: "a.txt" });
    await call("delete", { path: "link" });
    expect([text("a.txt"), text("link"), text("b.txt")]).toEqual([undefined, undefined, "b"]);
  });

  it("in a folder goes with it only where that is said", async () => {
    const { call, refusal, text } = await desk({ "d/e/a.txt": "a" });
    const { id } = await call("read", { path: "d/e/a.txt" });
    expect(await refusal("delete", { path: "d" })).toBe("needs_recursive");
    expect(text("d/e/a.txt")).toBe("a");
    await call("delete", { path: "d", recursive: true });
    expect(text("d/e/a.txt")).toBeUndefined();
    expect(await refusal("read", { path: id })).toBe("retired_reference");
    expect(await refusal("delete", { path: "d" })).toBe("not_found");
  });

  it("is copied and moved with its bytes and its mode", async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x61]);
    const { call, path, refusal, text } = await desk({ "a.bin": bytes, "b.txt": "b" });
    chmodSync(path("a.bin"), 0o751);
    await call("copy", { path: "a.bin", to: "new/c.bin" });
    await call("move", { path: "a.bin", to: "d.bin" });
    expect([text("a.bin"), statSync(path("d.bin")).mode & 0o777, statSync(path("new/c.bin")).mode & 0o777]).toEqual([
      undefined,
      0o751,
      0o751,
    ]);
    expect(await refusal("move", { path: "d.bin", to: "b.txt" })).toBe("destination_exists");
    expect(await refusal("move", { path: "none", to: "x" })).toBe("not_found");
    mkdirSync(path("folder"));
    expect(await refusal("move", { path: "folder", to: "x" })).toBe("wrong_kind");
    expect(await refusal("copy", { path: "b.txt", to: "./b.txt", overwrite: true })).toBe("no refusal");
    expect(await refusal("move", { path: "b.txt", to: "./b.txt", overwrite: true })).toBe("overlap");
    const moved = await call("move", { path: "b.txt", to: "d.bin", overwrite: true });
    await call("replace", { path: moved.text, text: "edited" });
    expect([text("b.txt"), text("d.bin")]).toEqual([undefined, "edited"]);
  });
});

describe("undoing", () => {
  it("takes the last changes of a file back, one after another", async () => {
    const { call, path, text } = await desk({ "a.txt": "one\n" });
    chmodSync(path("a.txt"), 0o750);
    await call("replace", { path: "a.txt", find: "one", text: "two" });
    await call("write", { path: "a.txt", content: "three\n" });
    await call("delete", { path: "a.txt" });
    for (const expected of ["three\n", "two\n", "one\n"]) {
      await call("undo", { path: "a.txt" });
      expect(text("a.txt")).toBe(expected);
    }
    expect(statSync(path("a.txt")).mode & 0o777).toBe(0o750);
    await call("write", { path: "new.txt", content: "x" });
    await call("undo", { path: "new.txt" });
    expect(text("new.txt")).toBeUndefined();
  });

  it("is refused where the file changed since, or nothing is remembered", async () => {
    const { call, refusal, text, write } = await desk({ "a.txt": "one\n", "b.txt": "one\n" });
    expect(await refusal("undo", { path: "a.txt" })).toBe("not_found");
    const first = await call("replace", { path: "b.txt", find: "one", text: "two" });
    const second = await call("replace", { path: "b.txt", find: "two", text: "three" });
    expect(await refusal("undo", { path: "b.txt", change: first.id })).toBe("changed_since");
    await call("undo", { path: "b.txt", change: second.id });
    expect(text("b.txt")).toBe("two\n");
    write("b.txt", "foreign\n");
    expect(await refusal("undo", { path: "b.txt" })).toBe("changed_since");
    expect(await refusal("undo", { path: "b.txt" })).toBe("not_found");
  });

  it("remembers no more than it may", async () => {
    const { call, refusal } = await desk({ "a.txt": "one\n", "b.txt": "one\n" }, { limits: { undoFiles: 1 } });
    await call("replace", { path: "a.txt", find: "one", text: "two" });
    await call("replace", { path: "b.txt", find: "one", text: "two" });
    expect(await refusal("undo", { path: "a.txt" })).toBe("not_found");
    await call("undo", { path: "b.txt" });
    const small = await desk({ "a.txt": "12345\n" }, { limits: { undoBytes: 5 } });
    await small.call("write", { path: "a.txt", content: "x" });
    expect(await small.refusal("undo", { path: "a.txt" })).toBe("not_found");
  });
});

describe("comparing", () => {
  it("shows how files, results and given texts differ", async () => {
    const { call, refusal } = await desk({ "a.txt": "one\ntwo\n", "b.txt": "one\n2\n", "c.bin": Buffer.from([0xff]) });
    const { answer, text } = await call("diff", { before: "a.txt", after: "b.txt" });
    expect(bodyOf(text)).toBe("--- a.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    expect(answer.record).toEqual({ before: "a.txt", after: "b.txt", added: 1, removed: 1 });
    const { id } = await call("read", { path: "a.txt", limit: 1 });
    expect(bodyOf((await call("diff", { before: id, after: { text: "one\n" } })).text)).toBe("the texts are equal");
    expect(await refusal("diff", { before: "a.txt", after: "c.bin" })).toBe("not_utf8");
    const hits = await call("search", { query: "one" });
    expect(await refusal("diff", { before: hits.id, after: "a.txt" })).toBe("invalid_range");
  });
});
