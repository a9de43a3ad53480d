import { linkSync, lstatSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bodyOf, desk, labelOf } from "./ide-fixture.ts";

describe("results passed on", () => {
  it("unchanged, from read to search to select to replace, edit just what was found", async () => {
    const { say, text } = await desk({ "notes.txt": "alpha  old \nold and new\n" });
    const source = await say("read", { path: "notes.txt" });
    const matches = await say("search", { path: source, query: " old " });
    const selected = await say("select", { path: matches, operation: { kind: "trim", side: "both" } });
    expect(await say("replace", { path: selected, text: "new" })).toContain("applied, +1 -1");
    expect(text("notes.txt")).toBe("alpha  new \nold and new\n");
  });

  it.each([
    ["whole answers", (answer: { text: string }) => answer.text, (answer: { text: string }) => answer.text],
    ["bare ids", (answer: { id: string }) => answer.id, (answer: { id: string }) => answer.id],
    ["an item", (answer: { id: string }) => answer.id, (answer: { id: string }) => `${answer.id}#1`],
  ])("as %s carry ranges and no coordinates", async (_, pass, passHit) => {
    const { call, text } = await desk({ "a.txt": "alpha beta\n" });
    const source = await call("read", { path: "a.txt" });
    const hits = await call("search", { path: pass(source), query: "beta" });
    const replaced = await call("replace", { path: passHit(hits), text: "B" });
    expect(text("a.txt")).toBe("alpha B\n");
    expect(new Set([source.id, hits.id, replaced.id]).size).toBe(3);
    expect(await call("search", { path: replaced.text, query: "B" })).toMatchObject({
      answer: { record: { hits: 1 } },
    });
  });

  it("resolve by their own label, though the file holds a copy of another", async () => {
    const { call, say, text, write } = await desk({ "a.txt": "first\n" });
    const first = await call("read", { path: "a.txt" });
    write("b.txt", `${first.text}second\n`);
    const outer = await call("read", { path: "b.txt" });
    expect(bodyOf(outer.text)).toBe(`${first.text}second\n`);
    await say("delete", { path: outer.text });
    expect([text("a.txt"), text("b.txt")]).toEqual(["first\n", ""]);
  });

  it("that were changed, made up, or name nothing, are refused", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "x\n", "b.txt": "y\n" });
    const source = await call("read", { path: "a.txt" });
    expect(await refusal("replace", { path: source.text.replace("x\n", "z\n"), text: "B" })).toBe("altered_result");
    expect(await refusal("replace", { path: "00000000-0000-4000-8000-000000000000", text: "B" })).toBe(
      "unknown_reference",
    );
    const compared = await call("diff", { before: "a.txt", after: "b.txt" });
    const removed = await call("delete", { path: "b.txt" });
    expect(await refusal("replace", { path: compared.text, text: "B" })).toBe("not_consumable");
    expect(await refusal("replace", { path: removed.id, text: "B" })).toBe("not_consumable");
    const emptied = await call("delete", { path: source.id });
    expect(await refusal("insert", { path: emptied.id, text: "B", where: "after" })).toBe("not_consumable");
    expect(text("a.txt")).toBe("");
  });

  it("with a record that is not as its tool says are not to be used", async () => {
    const { ide, refusal } = await desk({ "a.txt": "x\n" });
    const answer = await ide.run("read", { path: "a.txt" });
    const record = { ...answer.record, text: "x\n" };
    expect(await refusal("replace", { path: ide.issue({ ...answer, record }).id, text: "y" })).toBe("not_consumable");
    expect(await refusal("replace", { path: ide.issue(answer).id, text: "y" })).toBe("no refusal");
  });

  it("retire when the file changes, and by the edit itself", async () => {
    const { call, refusal, write } = await desk({ "a.txt": "one two\n" });
    const source = await call("read", { path: "a.txt" });
    const hit = await call("search", { path: source.id, query: "one" });
    await call("replace", { path: hit.id, text: "1" });
    expect(await refusal("replace", { path: source.id, text: "x" })).toBe("retired_reference");
    const again = await call("read", { path: "a.txt" });
    write("a.txt", "foreign\n");
    expect(await refusal("replace", { path: again.id, text: "x" })).toBe("stale_source");
  });

  it("belong to one session and one registry", async () => {
    const { call, ide, refusal } = await desk({ "a.txt": "x\n" });
    const { id } = await call("read", { path: "a.txt" });
    ide.clear();
    expect(await refusal("read", { path: id })).toBe("unknown_reference");
    const other = await desk();
    expect(await other.refusal("read", { path: id })).toBe("unknown_reference");
  });

  it("stand for all that was asked for, however little is shown", async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join("");
    const { say, text } = await desk({ "a.txt": lines });
    const source = await say("read", { path: "a.txt" });
    expect(bodyOf(source).split("\n")).toHaveLength(2_001);
    expect(labelOf(source)).toContain('lines="1-2000/5000" next="2001" cut="yes" holds="1-5000"');
    await say("delete", { path: source });
    expect(text("a.txt")).toBe("");
  });

  it("of a search that is not complete cannot be edited as a whole, but item by item", async () => {
    const { call, refusal, text } = await desk({ "a.txt": "x x x\n" }, { limits: { hits: 2 } });
    const hits = await call("search", { path: "a.txt", query: "x" });
    expect(labelOf(hits.text)).toContain('complete="no"');
    expect(await refusal("replace", { path: hits.text, text: "y" })).toBe("incomplete");
    // What was not found cannot be found in what was.
    const inner = await call("search", { path: hits.text, query: "x" });
    expect(labelOf(inner.text)).toContain('complete="no"');
    expect(await refusal("replace", { path: inner.text, text: "y" })).toBe("incomplete");
    await call("replace", { path: `${hits.id}#1`, text: "y" });
    expect(text("a.txt")).toBe("y x x\n");
  });
});

describe("names of one file", () => {
  it("in one script come to one write, and stay what they are", async () => {
    const { call, ide, path, text, write } = await desk({ "t.txt": "one\ntwo\n", "h.txt": "three\n" });
    symlinkSync("t.txt", path("link"));
    linkSync(path("h.txt"), path("h2.txt"));
    write("x", "");
    const scope = ide.scope("script");
    await call("replace", { path: "link", find: "one", text: "1" }, { scope });
    await call("replace", { path: "t.txt", find: "two", text: "2" }, { scope });
    await call("replace", { path: "h.txt", find: "three", text: "3" }, { scope });
    await call("insert", { path: "h2.txt", find: "three", text: "<", where: "before" }, { scope });
    const report = await scope.end("commit");
    expect(report).toMatchObject({ failed: false, effect: "applied" });
    expect([text("t.txt"), text("h2.txt")]).toEqual(["1\n2\n", "<3\n"]);
    expect([lstatSync(path("link")).isSymbolicLink(), statSync(path("h.txt")).nlink]).toEqual([true, 2]);
  });
});
