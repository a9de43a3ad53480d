import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type PostEdit, runFormatters } from "../src/index.ts";
import { bodyOf, desk, labelOf } from "./ide-fixture.ts";

/** A formatter that is there on every machine: it puts `;` at the ends of lines. */
const semicolons = {
  matches: (relative: string) => relative.endsWith(".js"),
  command: [
    process.execPath,
    "-e",
    String.raw`const fs = require("fs"), file = process.argv[1], text = fs.readFileSync(file, "utf8"), formatted = text.replace(/([^;\n])\n/g, "$1;\n"); if (formatted !== text) fs.writeFileSync(file, formatted);`,
  ],
};

describe("a script", () => {
  it("saves its edits at a boundary, so that what reads then sees them", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\ntwo\n" });
    const scope = ide.scope("script");
    const source = await call("read", { path: "a.txt" }, { scope });
    const edit = await call("replace", { path: `${source.id}@1`, text: "1" }, { scope });
    expect(bodyOf(edit.text)).toBe("1 range in a.txt accepted, not saved yet");
    expect(labelOf(edit.text)).toContain('state="accepted"');
    expect(text("a.txt")).toBe("one\ntwo\n");
    expect(edit.answer.record).toEqual({
      operation: "replace",
      effect: "accepted",
      files: [{ path: "a.txt", before: "unknown", after: "unknown" }],
      ranges: 1,
      selection: true,
    });
    await call("insert", { path: `${source.id}@2`, text: "<", where: "before" }, { scope });
    const hits = await call("search", { path: edit.text, query: "1" }, { scope });
    expect(text("a.txt")).toBe("1\n<two\n");
    expect(await refusal("replace", { path: source.id, text: "x" }, { scope })).toBe("retired_reference");
    await call("replace", { path: hits.text, text: "uno" }, { scope });
    const report = await scope.end("commit");
    expect(text("a.txt")).toBe("uno\n<two\n");
    expect(report.text.split("\n")[0]).toBe("Edits: 2 batches saved.");
    expect(report.text).toContain(`a.txt: applied, +2 -2 (${edit.id.slice(0, 8)}…`);
  });

  it("of many edits at the same time comes to one text", async () => {
    const { call, ide, text } = await desk({ "a.txt": "0\n1\n2\n3\n4\n" });
    const { id } = await call("read", { path: "a.txt" });
    const scope = ide.scope("script");
    await Promise.all(
      [0, 1, 2, 3, 4].map((line) => call("replace", { path: `${id}@${line + 1}`, text: `line ${line}` }, { scope })),
    );
    await scope.end("commit");
    expect(text("a.txt")).toBe("line 0\nline 1\nline 2\nline 3\nline 4\n");
  });

  it("that is given up keeps what was saved, and drops what waits", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\n", "b.txt": "one\n" });
    const scope = ide.scope("script");
    await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    await call("read", { path: "a.txt" }, { scope });
    const dropped = await call("replace", { path: "b.txt", find: "one", text: "1" }, { scope });
    const report = await scope.end("discard", { reason: "the user stopped the script" });
    expect([text("a.txt"), text("b.txt"), report.failed]).toEqual(["1\n", "one\n", false]);
    expect(report.text).toContain("b.txt: not-applied: cancelled: the user stopped the script");
    expect(await refusal("replace", { path: dropped.text, text: "x" })).toBe("rejected_reference");
  });

  it("tells of a conflict, and writes none of its files", async () => {
    const { call, ide, refusal, text, write } = await desk({ "a.txt": "one\n", "b.txt": "one\n" });
    const scope = ide.scope("script");
    const edit = await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    await call("replace", { path: "b.txt", find: "one", text: "1" }, { scope });
    write("a.txt", "foreign\n");
    const report = await scope.end("commit");
    expect(report).toMatchObject({ failed: true, effect: "not-applied" });
    expect(report.text).toContain("a.txt: not-applied: conflict_on_disk");
    expect([text("a.txt"), text("b.txt")]).toEqual(["foreign\n", "one\n"]);
    expect(await refusal("read", { path: edit.id })).toBe("rejected_reference");
    expect(await refusal("replace", { path: "b.txt", find: "one", text: "1" }, { scope })).toBe("scope_closed");
    expect(await scope.end("commit")).toEqual(report);
  });

  it("refuses a boundary whose edits cannot be saved, and tells which", async () => {
    const { call, ide, refusal, write } = await desk({ "a.txt": "one\n" });
    const scope = ide.scope("script");
    await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    write("a.txt", "foreign\n");
    expect(await refusal("read", { path: "a.txt" }, { scope })).toBe("conflict_on_disk");
    expect(bodyOf((await call("read", { path: "a.txt" }, { scope })).text)).toBe("foreign\n");
    expect(await scope.end("commit")).toMatchObject({ failed: true });
  });

  it("leaves the pending edits of another alone", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\n" });
    const scope = ide.scope("script");
    const edit = await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    expect(await refusal("read", { path: edit.id })).toBe("pending_reference");
    expect(text("a.txt")).toBe("one\n");
    await scope.end("commit");
  });

  it("takes no call after its end, and none of a session that has ended", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\n" });
    const scope = ide.scope("script");
    await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    ide.clear();
    expect(await refusal("replace", { path: "a.txt", find: "one", text: "1" }, { scope })).toBe("scope_closed");
    expect([(await scope.end("commit")).effect, text("a.txt")]).toEqual(["not-applied", "one\n"]);
  });
});

describe("a message of direct calls", () => {
  it("saves each at once, as if on the text from before it, and refuses what overlaps", async () => {
    const { call, ide, refusal, text } = await desk({ "a.txt": "one\ntwo\nthree\n" });
    const { id } = await call("read", { path: "a.txt" });
    const scope = ide.scope("message");
    await call("replace", { path: `${id}@1`, text: "a\nlonger\none" }, { scope });
    expect(text("a.txt")).toBe("a\nlonger\none\ntwo\nthree\n");
    const last = await call("replace", { path: `${id}@3`, text: "3" }, { scope });
    await call("insert", { path: `${id}@2`, text: "new", where: "before", gap: "line" }, { scope });
    await call("replace", { path: "a.txt", find: "two", text: "2" }, { scope });
    expect(await refusal("replace", { path: `${id}@2-3`, text: "x" }, { scope })).toBe("overlap");
    // What was written by an edit of the message was not there before it.
    expect(await refusal("replace", { path: "a.txt", find: "longer", text: "x" }, { scope })).toBe("text_not_found");
    await scope.end("commit");
    expect(text("a.txt")).toBe("a\nlonger\none\nnew\n2\n3\n");
    expect(await refusal("replace", { path: id, text: "x" })).toBe("retired_reference");
    expect(await refusal("replace", { path: last.id, text: "x" })).toBe("retired_reference");
  });

  it("copies what was there before it", async () => {
    const { call, ide, text } = await desk({ "a.txt": "one\ntwo\n", "b.txt": "[]\n" });
    const { id } = await call("read", { path: "a.txt" });
    const scope = ide.scope("message");
    await call("replace", { path: `${id}@1`, text: "1" }, { scope });
    await call("copy", { path: `${id}@2`, to: "b.txt", toFind: "[]" }, { scope });
    await scope.end("commit");
    expect([text("a.txt"), text("b.txt")]).toEqual(["1\ntwo\n", "two\n"]);
  });

  it("goes on after a file was written whole, or by others, and is read anew", async () => {
    const { call, ide, refusal, text, write } = await desk({ "a.txt": "one\n" });
    const { id } = await call("read", { path: "a.txt" });
    const scope = ide.scope("message");
    await call("replace", { path: `${id}@1`, text: "1" }, { scope });
    await call("write", { path: "a.txt", content: "uno\n" }, { scope });
    await call("replace", { path: "a.txt", find: "uno", text: "eins" }, { scope });
    expect(text("a.txt")).toBe("eins\n");
    write("a.txt", "foreign\n");
    expect(await refusal("replace", { path: `${id}@1`, text: "x" }, { scope })).toBe("retired_reference");
    await call("replace", { path: "a.txt", find: "foreign", text: "other" }, { scope });
    await scope.end("commit");
    expect(text("a.txt")).toBe("other\n");
  });

  it("made together come to the same bytes as one script", async () => {
    const edits = [
      ["one", "a\nlonger\none"],
      ["three", "3"],
      ["two", ""],
    ] as const;
    const run = async (mode: "script" | "message"): Promise<string | undefined> => {
      const { call, ide, refusal, text } = await desk({ "a.txt": "one\ntwo\nthree\n" });
      const found = await Promise.all(edits.map(([query]) => call("search", { path: "a.txt", query })));
      const whole = await call("read", { path: "a.txt" });
      const scope = ide.scope(mode);
      for (const [index, [, put]] of edits.entries()) {
        await call("replace", { path: found[index]?.text, text: put }, { scope });
      }
      expect(await refusal("replace", { path: whole.id, text: "x" }, { scope })).toBe("overlap");
      await scope.end("commit");
      return text("a.txt");
    };
    expect(await run("message")).toBe("a\nlonger\none\n\n3\n");
    expect(await run("script")).toBe("a\nlonger\none\n\n3\n");
  });
});

describe("processing after an edit", () => {
  it("runs once a file at a script's end, retires what came before, and is told of", async () => {
    const { call, ide, refusal, text } = await desk(
      { "a.js": "one\ntwo\n", "b.txt": "one\n" },
      { postEdit: runFormatters([semicolons]) },
    );
    const scope = ide.scope("script");
    const edit = await call("replace", { path: "a.js", find: "one", text: "1" }, { scope });
    await call("replace", { path: "b.txt", find: "one", text: "1" }, { scope });
    await call("read", { path: "a.js" }, { scope });
    // A boundary saves, and formats nothing.
    expect(text("a.js")).toBe("1\ntwo\n");
    const report = await scope.end("commit");
    expect([text("a.js"), text("b.txt")]).toEqual(["1;\ntwo;\n", "1\n"]);
    expect(report.text).toMatch(/^a\.js: .*node.* rewrote it: read it again before the next edit$/mu);
    expect(await refusal("replace", { path: edit.id, text: "x" })).toBe("retired_reference");
    await call("undo", { path: "a.js" });
    expect(text("a.js")).toBe("one\ntwo\n");
  });

  it("runs after a direct edit, and inside of write before it answers", async () => {
    const { call, text } = await desk({ "a.js": "one\n" }, { postEdit: runFormatters([semicolons]) });
    const direct = await call("replace", { path: "a.js", find: "one", text: "1" });
    expect([text("a.js"), bodyOf(direct.text).includes("rewrote it")]).toEqual(["1;\n", true]);
    const written = await call("write", { path: "b.js", content: "x\n" });
    expect(text("b.js")).toBe("x;\n");
    await call("replace", { path: written.text, text: "y;\n" });
    expect(text("b.js")).toBe("y;\n");
  });

  it("runs once for a file that was written whole", async () => {
    const seen: string[] = [];
    const postEdit: PostEdit = {
      run: ({ relative }) => {
        seen.push(relative);
        return Promise.resolve([]);
      },
    };
    const { call, ide } = await desk({ "a.txt": "one\n" }, { postEdit });
    const scope = ide.scope("script");
    await call("write", { path: "b.txt", content: "x\n" }, { scope });
    await call("replace", { path: "a.txt", find: "one", text: "1" }, { scope });
    await call("read", { path: "a.txt" }, { scope });
    await call("replace", { path: "a.txt", find: "1", text: "uno" }, { scope });
    await scope.end("commit");
    expect(seen).toEqual(["b.txt", "a.txt"]);
  });

  it.each([
    ["fails", [process.execPath, "-e", "process.exit(3)"], 10_000, "failed: ended with 3; the edit stays"],
    ["is not there", ["no-such-program"], 10_000, "failed: could not be run (ENOENT); the edit stays"],
    [
      "hangs",
      [process.execPath, "-e", "setInterval(() => {}, 1000)", "{file}"],
      1,
      "failed: took longer than 1 ms; the edit stays",
    ],
  ])("that %s leaves the edit, and is named", async (_, command, maxMs, failure) => {
    const postEdit = runFormatters([{ matches: () => true, command }], { maxMs });
    const { call, text } = await desk({ "a.txt": "one\n" }, { postEdit });
    const answer = await call("replace", { path: "a.txt", find: "one", text: "1" });
    expect(bodyOf(answer.text)).toContain(failure);
    expect(text("a.txt")).toBe("1\n");
  });

  it("can be cancelled", async () => {
    const controller = new AbortController();
    const endless = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
    const postEdit = runFormatters([{ matches: () => true, command: endless }]);
    const running = postEdit.run({ path: "x", relative: "x" }, process.cwd(), controller.signal);
    controller.abort();
    expect(await running).toMatchObject([{ failure: "cancelled" }]);
  });
});

describe("a failed call", () => {
  it("has a label of its own, and names nothing to work on", async () => {
    const { ide, refusal } = await desk();
    const error = await ide.run("read", { path: "none" }).catch((caught: unknown) => caught);
    const { id, text } = ide.issueFailure("read", error);
    expect(labelOf(text)).toContain('tool="read" failed="not_found"');
    expect(bodyOf(text)).toBe("error: not_found: there is no none; look for it with search");
    expect(await refusal("read", { path: id })).toBe("not_consumable");
    expect(ide.issueFailure("read", new Error("defect")).text).toContain("error: defect");
  });
});

describe("what others do", () => {
  it("is found by a sweep", async () => {
    const { call, ide, path, refusal } = await desk({ "a.txt": "one\n" });
    const { id } = await call("read", { path: "a.txt" });
    writeFileSync(path("a.txt"), "two\n");
    expect(await ide.sweep()).toBe(1);
    expect(await refusal("read", { path: id })).toBe("retired_reference");
  });

  it("to an answer on its way is sealed in, and anything else refused", async () => {
    const { call, ide, refusal } = await desk({ "a.txt": "one\n" });
    const { id, text } = await call("read", { path: "a.txt" });
    ide.seal(id, `${text}[note]`);
    expect(await refusal("read", { path: text })).toBe("altered_result");
    expect((await call("read", { path: `${text}[note]` })).id).not.toBe(id);
  });
});
