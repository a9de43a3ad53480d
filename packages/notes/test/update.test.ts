import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { BLOCK, type NoteFixture, noteFixture, OLD } from "./note-fixture.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: NoteFixture;

beforeEach(async () => {
  fixture = await noteFixture();
});

describe("an update of the body", () => {
  it("replaces text, advances the time of update, and tells both bodies", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const updated = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }]);
    expect(updated).toMatchObject({
      address: "@project/a.md",
      applied: 1,
      resolvedScope: "project",
      moved: false,
      replacedCrumpledTarget: false,
      change: { kind: "body", before: "old text", after: "new text" },
      meta: { createdAt: OLD },
    });
    expect(updated.meta.updatedAt > OLD).toBe(true);
    expect(fixture.text(`${PROJECT}/a.md`)).toBe(
      `---\n${BLOCK.replace(`updatedAt: ${OLD}`, `updatedAt: ${updated.meta.updatedAt}`)}---\nnew text`,
    );
  });

  it("works on what the edits before have left, and saves nothing where one fails", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "a b");
    const before = fixture.bytesOf(`${PROJECT}/a.md`);
    expect(
      await refusal(
        fixture.store.update("@project/a", [
          { oldText: "a", newText: "c" },
          { oldText: "a", newText: "d" },
        ]),
      ),
    ).toMatchObject({ code: "no_match", editIndex: 1, address: "@project/a.md" });
    expect(fixture.bytesOf(`${PROJECT}/a.md`)).toBe(before);
    expect(
      (
        await fixture.store.update("@project/a", [
          { oldText: "a", newText: "c" },
          { oldText: "c b", newText: "d" },
        ])
      ).applied,
    ).toBe(2);
  });

  it("replaces every match where it is asked to", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "a a a a");
    expect((await refusal(fixture.store.update("@project/a", [{ oldText: "a", newText: "b" }]))).lineNumbers).toEqual([
      1,
    ]);
    expect(
      await fixture.store.update("@project/a", [{ oldText: "a a", newText: "b" }], { replaceAll: true }),
    ).toMatchObject({ applied: 2, change: { after: "b b" } });
  });

  it("tells the whole file of before and after where it changes more than the body", async () => {
    for (const [options, path] of [
      [{ crumpled: true }, `${PROJECT}/a.md`],
      [{ renameTo: "@project/b" }, `${PROJECT}/b.md`],
      [{ renameTo: "@human/c", origin: "user" as const, crumpled: true }, "human/c.md"],
    ] as const) {
      fixture.noteFile(`${PROJECT}/a.md`);
      const { change } = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }], options);
      expect(change).toEqual({ kind: "body", before: `---\n${BLOCK}---\nold text`, after: fixture.text(path) });
      expect(change.after).toMatch(/---\nnew text$/u);
    }
  });

  it("adds a block above a person's own file, and keeps every byte of it", async () => {
    fixture.given(`${PROJECT}/a.md`, "\ufeff---\r\n**NORTH STAR OFFICE**\r\n---\r\nold\r\n");
    const { meta } = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }]);
    expect(fixture.text(`${PROJECT}/a.md`)).toBe(
      `\ufeff---\norigin: external\ncreatedAt: ${meta.createdAt}\nupdatedAt: ${meta.updatedAt}\n---\n---\r\n**NORTH STAR OFFICE**\r\n---\r\nnew\r\n`,
    );
  });

  it("refuses what would be too large, before anything is saved", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const before = fixture.bytesOf(`${PROJECT}/a.md`);
    expect(
      (await refusal(fixture.store.update("@project/a", [{ oldText: "old", newText: "x".repeat(1_048_576) }]))).code,
    ).toBe("too_large");
    expect(fixture.bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });
});

describe("an update of the metadata", () => {
  it("changes the origin and tells the whole file", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const { change, meta } = await fixture.store.update("@project/a", [], { origin: "user" });
    expect(meta.origin).toBe("user");
    expect(meta.updatedAt > OLD).toBe(true);
    expect(change).toEqual({
      kind: "metadata",
      before: `---\n${BLOCK}---\nold text`,
      after: fixture.text(`${PROJECT}/a.md`),
    });
  });

  it("crumples and brings back without advancing the time of update, and keeps the first time of crumpling", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const crumpled = await fixture.store.update("@project/a", undefined, { crumpled: true });
    expect(crumpled.meta).toMatchObject({ updatedAt: OLD, crumpledAt: expect.stringMatching(/Z$/u) });
    const again = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }], { crumpled: true });
    expect(again.meta.crumpledAt).toBe(crumpled.meta.crumpledAt);
    expect(again.change.kind).toBe("body");
    const back = await fixture.store.update("@project/a", [], { crumpled: false });
    expect(back.meta.crumpledAt).toBeUndefined();
    expect(fixture.text(`${PROJECT}/a.md`)).not.toContain("crumpledAt");
  });

  it("that does not speak of crumpling leaves it as it is: with edits, another origin, and a move", async () => {
    const crumpled = `crumpledAt: ${OLD}\n`;
    fixture.noteFile(`${PROJECT}/a.md`, "old text", BLOCK + crumpled);
    await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }]);
    await fixture.store.update("@project/a", [], { origin: "user" });
    const { meta } = await fixture.store.update("@project/a", [], { renameTo: "@human/b", crumpled: undefined });
    expect(meta.crumpledAt).toBe(OLD);
    expect(fixture.text("human/b.md")).toContain(crumpled);
  });

  it("that brings a note back leaves its time of update as it is", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "old text", `${BLOCK}crumpledAt: ${OLD}\n`);
    const { meta, change } = await fixture.store.update("@project/a", [], { crumpled: false });
    expect([meta.updatedAt, change.kind]).toEqual([OLD, "metadata"]);
    expect(fixture.text(`${PROJECT}/a.md`)).toBe(`---\n${BLOCK}---\nold text`);
  });

  it("together with one of the body tells the whole file", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const { change } = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }], {
      origin: "user",
    });
    expect(change).toEqual({
      kind: "body",
      before: `---\n${BLOCK}---\nold text`,
      after: fixture.text(`${PROJECT}/a.md`),
    });
  });

  it("keeps the age of a file that has no lines for it", async () => {
    fixture.given(`${PROJECT}/a.md`, "mine");
    const age = (await fixture.store.read("@project/a"))?.meta;
    const { meta } = await fixture.store.update("@project/a", [], { crumpled: true });
    expect([meta.createdAt, meta.updatedAt, meta.origin]).toEqual([age?.createdAt, age?.updatedAt, "external"]);
  });
});

describe("an update that changes nothing", () => {
  it.each<[string, Parameters<StoreFixture["store"]["update"]>[1], Parameters<StoreFixture["store"]["update"]>[2]]>([
    ["an edit to the same text", [{ oldText: "old", newText: "old" }], {}],
    ["the same origin", [], { origin: "self" }],
    ["bringing back what is not crumpled", [], { crumpled: false }],
    ["a move to itself", [], { renameTo: "@project/a.md" }],
    ["a move to itself by another spelling", [], { renameTo: "@project/a" }],
  ])("succeeds and leaves the file untouched: %s", async (_what, edits, options) => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const before = fixture.bytesOf(`${PROJECT}/a.md`);
    expect(await fixture.store.update("@project/a", edits, options)).toMatchObject({
      change: { kind: "none" },
      moved: false,
      meta: { updatedAt: OLD },
    });
    expect(fixture.bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });

  it("succeeds and leaves the file untouched: crumpling what is crumpled", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "old text", `${BLOCK}crumpledAt: ${OLD}\n`);
    const before = fixture.bytesOf(`${PROJECT}/a.md`);
    expect(await fixture.store.update("@project/a", [], { crumpled: true })).toMatchObject({
      change: { kind: "none", before: "old text", after: "old text" },
      meta: { crumpledAt: OLD, updatedAt: OLD },
    });
    expect(fixture.bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });

  it("refuses where nothing was asked", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    for (const options of [undefined, {}, { replaceAll: true }])
      expect((await refusal(fixture.store.update("@project/a", [], options))).code).toBe("nothing_to_do");
  });

  it("refuses a missing note", async () => {
    expect(await refusal(fixture.store.update("@project/a", [], { crumpled: true }))).toMatchObject({
      code: "not_found",
      address: "@project/a.md",
    });
    expect(existsSync(fixture.home)).toBe(false);
  });
});

describe("any body and any block of a person's own", () => {
  it("keep order, quoting, comments, blank lines and keys that mean nothing here, at every step", async () => {
    const own = [
      "# mine",
      "date: 2026-03-16 # due",
      "v: 1.20",
      "",
      "t: 10:00",
      "created_at: 2001-01-01",
      "updated_at: 2001-01-01",
      "last_accessed: 2001-01-01",
      "access_count: 99",
      "crumpled_at: 2001-01-01",
      "scope: x",
      "type: 'y'",
      "tags: [a,  b]",
      "__proto__: {x: 1}",
      "<<: {__proto__: {x: 1}}",
      'z: "\\x41"',
    ].join("\n");
    const KNOWN = /^(?:origin|createdAt|updatedAt|lastAccessed|accessCount|crumpledAt|project): .*\n/gmu;
    const { store } = fixture;
    fixture.noteFile("human/a.md", "old text", `${own}\n`);
    const assertKept = (path: string, body: string): void =>
      expect(fixture.text(path).replaceAll(KNOWN, "")).toBe(`---\n${own}\n---\n${body}`);
    const keys = own.match(/^[^#:\n]+(?=: )/gmu)?.toSorted();

    const [row] = await store.list();
    expect(Object.keys(row?.meta.extra ?? {}).toSorted()).toEqual(keys);
    expect(row?.meta).toMatchObject({ accessCount: 0, origin: "external" });
    expect(row?.meta.createdAt).not.toContain("2001");
    await store.read("@human/a");
    assertKept("human/a.md", "old text");
    await store.update("@human/a", [{ oldText: "old", newText: "new" }], { origin: "user" });
    assertKept("human/a.md", "new text");
    await store.update("@human/a", [], { crumpled: true });
    assertKept("human/a.md", "new text");
    await store.rename("@human/a", "todo");
    assertKept(`${SESSION}/todo.md`, "new text");
    await store.update("todo", [], { crumpled: false, renameTo: "@project/a" });
    assertKept(`${PROJECT}/a.md`, "new text");
    await store.write("@project/a", "whole");
    assertKept(`${PROJECT}/a.md`, "whole");
    expect(Object.keys((await store.read("@project/a"))?.meta.extra ?? {}).toSorted()).toEqual(keys);
    expect({}).not.toHaveProperty("x");
  });

  it("survive update, crumple and rename byte for byte", async () => {
    const body = fc.string({
      unit: fc.constantFrom("---\n", "\r\n", "\n", "a", "\ufeff", "😀", "$&", "\\1", "\0"),
      minLength: 1,
      maxLength: 10,
    });
    const block = fc
      .array(
        fc.constantFrom(
          "date: 2026-03-16 # due",
          "v: 1.20",
          "t: 10:00",
          "tags: [a,  b]",
          "# mine",
          "",
          "q: 'x'",
          "m:\n  n: 1",
        ),
        { maxLength: 5 },
      )
      .map((lines) => lines.map((line) => `${line}\n`).join(""));
    await fc.assert(
      fc.asyncProperty(body, block, async (text, own) => {
        const fresh = await storeFixture();
        const { store, home } = fresh;
        fresh.given("human/a.md", `---\ntitle: x\n${own}---\n${text}MARK`);
        await store.update("@human/a", [], { crumpled: true });
        await store.update("@human/a", [{ oldText: "MARK", newText: "DONE" }], { crumpled: false });
        await store.rename("@human/a", "@human/b");
        const after = readFileSync(join(home, "human", "b.md"), "utf8");
        expect((await store.read("@human/b"))?.body).toBe(`${text}DONE`);
        expect(after.endsWith(`---\n${text}DONE`)).toBe(true);
        const lines = after.slice(0, after.length - text.length).split("\n");
        for (const line of own.split("\n").filter((one) => one !== "")) expect(lines).toContain(line);
      }),
      { numRuns: 60 },
    );
  });
});
