import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bodyOf, desk, labelOf } from "./ide-fixture.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("reading text", () => {
  it("gives the file word for word after the first line end, and its window in the label", async () => {
    const { say } = await desk({ "a.txt": "alpha\r\nbeta\r\ngamma" });
    expect(await say("read", { path: "a.txt" })).toMatch(
      /^<system-result id="[-0-9a-f]{36}" tool="read" src="a\.txt" lines="1-3\/3" eol="crlf">not file text<\/system-result>\nalpha\r\nbeta\r\ngamma$/u,
    );
    const part = await say("read", { path: "@a.txt", offset: 2, limit: 1 });
    expect([labelOf(part).includes('lines="2-2/3" next="3"'), bodyOf(part)]).toEqual([true, "beta\r\n"]);
    expect(bodyOf(await say("read", { path: "a.txt", offset: -1 }))).toBe("gamma");
    expect(bodyOf(await say("read", { path: "a.txt", offset: 2, view: "lines" }))).toBe("2 | beta\r\n3 | gamma");
  });

  it("stands for the window that was asked for", async () => {
    const { call, text } = await desk({ "a.txt": "one\ntwo\nthree\n" });
    const { id } = await call("read", { path: "a.txt", offset: 2, limit: 1 });
    await call("replace", { path: id, text: "2\n" });
    expect(text("a.txt")).toBe("one\n2\nthree\n");
  });

  it("of a reference shows what is around it, and stands for no more than it", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "one\ntwo\nthree\n" });
    const { id } = await call("read", { path: "a.txt", offset: 2, limit: 1 });
    expect(await refusal("delete", { path: `${id}@1-3` })).toBe("outside_scope");
    const around = await call("read", { path: id, offset: 1, limit: 3 });
    expect(bodyOf(around.text)).toBe("one\ntwo\nthree\n");
    expect(bodyOf((await call("read", { path: id })).text)).toBe("two\n");
    await call("delete", { path: around.text });
    expect(text("a.txt")).toBe("one\nthree\n");
  });

  it("of an empty file, and of one with a byte order mark, is exact", async () => {
    const { call, say, text } = await desk({ "empty.txt": "", "bom.txt": "\ufeffa\n" });
    const empty = await call("read", { path: "empty.txt" });
    expect(bodyOf(empty.text)).toBe("");
    await say("replace", { path: empty.id, text: "new" });
    const bom = await call("read", { path: "bom.txt" });
    expect([labelOf(bom.text).includes('bom="yes"'), bodyOf(bom.text)]).toEqual([true, "a\n"]);
    await say("insert", { path: `${bom.id}@1`, text: "x\n", where: "before" });
    expect([text("empty.txt"), text("bom.txt")]).toEqual(["new", "\ufeffx\na\n"]);
  });

  it("refuses what is not there, and lines past the end", async () => {
    const { path, refusal } = await desk({ "a.txt": "one\n" });
    execFileSync("mkfifo", [path("pipe")]);
    expect(await refusal("read", { path: "none.txt" })).toBe("not_found");
    expect(await refusal("read", { path: "a.txt", offset: 2 })).toBe("invalid_range");
    expect(await refusal("read", { path: "pipe" })).toBe("wrong_kind");
    expect(await refusal("read", { path: "a.txt", view: "other" })).toBe("invalid_arguments");
    expect(await refusal("read", { path: "a.txt" }, { signal: AbortSignal.abort() })).toBe("cancelled");
  });

  it("cuts a line that is too long for a view, between characters, and holds it whole", async () => {
    const { call, text } = await desk({ "a.txt": "😀".repeat(20_000) });
    const { id, text: shown } = await call("read", { path: "a.txt" });
    expect(Buffer.byteLength(bodyOf(shown))).toBe(51_200);
    expect(shown.isWellFormed()).toBe(true);
    await call("replace", { path: id, text: "" });
    expect(text("a.txt")).toBe("");
  });
});

describe("a failure of the file system", () => {
  // Root alone can be somebody else for a while, and would itself pass every permission.
  it.runIf(process.geteuid?.() === 0)("is told by its code, and not by its paths", async () => {
    const { call, path, refusal } = await desk({ "sub/a.txt": "one\n" });
    const folder = await call("read", { path: "sub" });
    chownSync(path("sub"), 65_534, 65_534);
    chmodSync(path("sub"), 0o000);
    process.setegid?.(65_533);
    process.seteuid?.(65_533);
    try {
      expect(await refusal("read", { path: folder.id })).toBe("unreadable");
      expect(await refusal("write", { path: "sub/b.txt", content: "x" })).toBe("write_failed");
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  });
});

describe("reading what is no text to edit", () => {
  it("shows a file that is not UTF-8 with a mark, and leaves its bytes alone", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
    const { call, ide, refusal, text, write } = await desk({ "a.txt": bytes });
    const { id, text: shown } = await call("read", { path: "a.txt" });
    expect([labelOf(shown).includes("not UTF-8"), bodyOf(shown)]).toEqual([true, "a\n\ufffd\n"]);
    expect(await refusal("replace", { path: id, text: "b" })).toBe("not_utf8");
    expect(await refusal("replace", { path: "a.txt", find: "a", text: "b" })).toBe("not_utf8");
    write("a.txt", Buffer.from([0x61, 0x0a, 0xe8, 0x0a]));
    expect(await ide.sweep()).toBe(1);
    expect(text("a.txt")).toBe("a\n\ufffd\n");
  });

  it("gives an image as one, without its bytes in the text", async () => {
    const { call, refusal } = await desk({ "a.png": PNG });
    const { answer, id, text } = await call("read", { path: "a.png" });
    expect(answer.images).toEqual([{ mime: "image/png", data: PNG.toString("base64") }]);
    expect(bodyOf(text)).toBe(`image a.png (image/png, ${PNG.length} bytes)`);
    expect(answer.record).toEqual({ form: "image", path: "a.png", mime: "image/png" });
    expect(await refusal("replace", { path: id, text: "x" })).toBe("wrong_kind");
    expect((await call("read", { path: id })).answer.images).toHaveLength(1);
    expect(await refusal("read", { path: "a.png", offset: 1 })).toBe("invalid_range");
  });

  it("shows bytes as rows, and refuses other binary files", async () => {
    const { call, refusal } = await desk({ "a.bin": Buffer.from([...Buffer.from("0123456789abcdef"), 0, 0xff]) });
    expect(await refusal("read", { path: "a.bin" })).toBe("binary");
    const { id, text } = await call("read", { path: "a.bin", view: "bytes" });
    expect(bodyOf(text).split("\n")).toEqual([
      "00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef",
      "00000010  00 ff                                            ..",
    ]);
    expect(await refusal("delete", { path: id })).toBe("wrong_kind");
    expect(bodyOf((await call("read", { path: id, view: "bytes", offset: 2 })).text)).toMatch(/^00000010 {2}00 ff/u);
    expect(await refusal("read", { path: "a.bin", view: "bytes", offset: 3 })).toBe("invalid_range");
  });

  it("lists a folder", async () => {
    const { call, path, refusal } = await desk({ "src/b.ts": "", "src/a\n.ts": "" });
    mkdirSync(path("src/lib"));
    symlinkSync("b.ts", path("src/link"));
    const { id, text } = await call("read", { path: "src" });
    expect(bodyOf(text)).toBe("a\\u000a.ts\nb.ts\nlib/\nlink@");
    expect(bodyOf((await call("read", { path: id, offset: 3, limit: 1 })).text)).toBe("lib/");
    expect(await refusal("select", { path: id, operation: { kind: "trim" } })).toBe("wrong_kind");
  });

  it("reads a window of a file that is too large to be edited", async () => {
    const { call, refusal } = await desk({ "a.log": "0123456789\n".repeat(100) }, { limits: { fileBytes: 100 } });
    const { id, text } = await call("read", { path: "a.log", offset: 50, limit: 2 });
    expect([labelOf(text).includes('lines="50-51" next="52"'), bodyOf(text)]).toEqual([
      true,
      "0123456789\n0123456789\n",
    ]);
    expect(await refusal("replace", { path: id, text: "x" })).toBe("too_large");
    expect(await refusal("replace", { path: "a.log", find: "x", text: "y" })).toBe("too_large");
    expect(await refusal("read", { path: "a.log", offset: 500 })).toBe("invalid_range");
    expect(await refusal("read", { path: "a.log", offset: -1 })).toBe("invalid_range");
  });
});
