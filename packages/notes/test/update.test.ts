import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

const OLD = "2020-01-01T00:00:00.000Z";
const BLOCK = `origin: self\ncreatedAt: ${OLD}\nupdatedAt: ${OLD}\n`;

let fixture: StoreFixture;
beforeEach(async () => {
  fixture = await storeFixture();
});
const noteFile = (path: string, body = "old text", block = BLOCK): string =>
  fixture.given(path, `---\n${block}---\n${body}`);
const bytesOf = (path: string): string => `${statSync(join(fixture.home, path)).ino} ${fixture.text(path)}`;

describe("an update of the body", () => {
  it("replaces text, advances the time of update, and tells both bodies", async () => {
    noteFile(`${PROJECT}/a.md`);
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
    noteFile(`${PROJECT}/a.md`, "a b");
    const before = bytesOf(`${PROJECT}/a.md`);
    expect(
      await refusal(
        fixture.store.update("@project/a", [
          { oldText: "a", newText: "c" },
          { oldText: "a", newText: "d" },
        ]),
      ),
    ).toMatchObject({ code: "no_match", editIndex: 1, address: "@project/a.md" });
    expect(bytesOf(`${PROJECT}/a.md`)).toBe(before);
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
    noteFile(`${PROJECT}/a.md`, "a a a a");
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
      noteFile(`${PROJECT}/a.md`);
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
    noteFile(`${PROJECT}/a.md`);
    const before = bytesOf(`${PROJECT}/a.md`);
    expect(
      (await refusal(fixture.store.update("@project/a", [{ oldText: "old", newText: "x".repeat(1_048_576) }]))).code,
    ).toBe("too_large");
    expect(bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });
});

describe("an update of the metadata", () => {
  it("changes the origin and tells the whole file", async () => {
    noteFile(`${PROJECT}/a.md`);
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
    noteFile(`${PROJECT}/a.md`);
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
    noteFile(`${PROJECT}/a.md`, "old text", BLOCK + crumpled);
    await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }]);
    await fixture.store.update("@project/a", [], { origin: "user" });
    const { meta } = await fixture.store.update("@project/a", [], { renameTo: "@human/b", crumpled: undefined });
    expect(meta.crumpledAt).toBe(OLD);
    expect(fixture.text("human/b.md")).toContain(crumpled);
  });

  it("that brings a note back leaves its time of update as it is", async () => {
    noteFile(`${PROJECT}/a.md`, "old text", `${BLOCK}crumpledAt: ${OLD}\n`);
    const { meta, change } = await fixture.store.update("@project/a", [], { crumpled: false });
    expect([meta.updatedAt, change.kind]).toEqual([OLD, "metadata"]);
    expect(fixture.text(`${PROJECT}/a.md`)).toBe(`---\n${BLOCK}---\nold text`);
  });

  it("together with one of the body tells the whole file", async () => {
    noteFile(`${PROJECT}/a.md`);
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
    noteFile(`${PROJECT}/a.md`);
    const before = bytesOf(`${PROJECT}/a.md`);
    expect(await fixture.store.update("@project/a", edits, options)).toMatchObject({
      change: { kind: "none" },
      moved: false,
      meta: { updatedAt: OLD },
    });
    expect(bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });

  it("succeeds and leaves the file untouched: crumpling what is crumpled", async () => {
    noteFile(`${PROJECT}/a.md`, "old text", `${BLOCK}crumpledAt: ${OLD}\n`);
    const before = bytesOf(`${PROJECT}/a.md`);
    expect(await fixture.store.update("@project/a", [], { crumpled: true })).toMatchObject({
      change: { kind: "none", before: "old text", after: "old text" },
      meta: { crumpledAt: OLD, updatedAt: OLD },
    });
    expect(bytesOf(`${PROJECT}/a.md`)).toBe(before);
  });

  it("refuses where nothing was asked", async () => {
    noteFile(`${PROJECT}/a.md`);
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

describe("a move", () => {
  it("takes the note away from its old address, with every byte of its metadata, and advances the time of update", async () => {
    noteFile(`${PROJECT}/a.md`, "body", `${BLOCK}v: 1.20 # x\n`);
    const { address, moved, meta, change } = await fixture.store.update("@project/a", [], {
      renameTo: "@human/deep/b",
    });
    expect({ address, moved, kind: change.kind }).toEqual({
      address: "@human/deep/b.md",
      moved: true,
      kind: "metadata",
    });
    expect(existsSync(join(fixture.home, PROJECT, "a.md"))).toBe(false);
    expect(fixture.text("human/deep/b.md")).toBe(
      `---\norigin: self\ncreatedAt: ${OLD}\nupdatedAt: ${meta.updatedAt}\nv: 1.20 # x\n---\nbody`,
    );
  });

  it("comes with edits, origin and crumpling in one go", async () => {
    noteFile(`${PROJECT}/a.md`);
    const updated = await fixture.store.update("@project/a", [{ oldText: "old", newText: "new" }], {
      renameTo: "@project/b",
      origin: "user",
      crumpled: true,
    });
    expect(updated).toMatchObject({
      moved: true,
      applied: 1,
      change: { kind: "body" },
      meta: { origin: "user", crumpledAt: expect.any(String) },
    });
  });

  it("tells the whole file of before and after", async () => {
    noteFile(`${PROJECT}/a.md`);
    const { change } = await fixture.store.update("@project/a", [], { renameTo: "@human/a" });
    expect(change).toEqual({
      kind: "metadata",
      before: `---\n${BLOCK}---\nold text`,
      after: fixture.text("human/a.md"),
    });
  });

  it("inside the session leaves a note with the project that it belongs to", async () => {
    noteFile(`${SESSION}/a.md`, "old text", `${BLOCK}project: other-11111111\n`);
    expect((await fixture.store.rename("a", "deep/b")).meta.project).toBe("other-11111111");
    expect(fixture.text(`${SESSION}/deep/b.md`)).toContain("project: other-11111111\n");
  });

  it.each<[string, Parameters<StoreFixture["store"]["update"]>[1], string, string]>([
    ["an edit that matches nothing", [{ oldText: "none", newText: "x" }], "crumpled", "no_match"],
    [
      "an edit behind one that matches",
      [
        { oldText: "old", newText: "new" },
        { oldText: "old", newText: "x" },
      ],
      "free",
      "no_match",
    ],
    ["a body that gets too large", [{ oldText: "old", newText: "x".repeat(1_048_576) }], "crumpled", "too_large"],
    ["a live note at the destination", [{ oldText: "old", newText: "new" }], "live", "already_exists"],
  ])("is not done at all for %s", async (_what, edits, destination, code) => {
    noteFile("human/a.md");
    noteFile("human/live.md", "live");
    noteFile("human/crumpled.md", "spent", `${BLOCK}crumpledAt: ${OLD}\n`);
    const paths = ["human/a.md", "human/live.md", "human/crumpled.md"];
    const before = paths.map(bytesOf);
    const options = { renameTo: `@human/${destination}`, origin: "user" as const, crumpled: true };
    expect((await refusal(fixture.store.update("@human/a", edits, options))).code).toBe(code);
    expect(paths.map(bytesOf)).toEqual(before);
    expect(readdirSync(join(fixture.home, "human"))).toHaveLength(3);
  });

  it("refuses a missing source, also where a note is at the destination", async () => {
    noteFile("human/b.md", "b");
    const before = bytesOf("human/b.md");
    expect(await refusal(fixture.store.rename("@human/a", "@human/b"))).toMatchObject({
      code: "not_found",
      address: "@human/a.md",
    });
    expect(bytesOf("human/b.md")).toBe(before);
  });

  it("to a second name of the same file, which no link tells, is none: both names stay", async () => {
    noteFile("human/a.md");
    linkSync(join(fixture.home, "human", "a.md"), join(fixture.home, "human", "hard.md"));
    expect(await fixture.store.rename("@human/a", "@human/hard")).toMatchObject({
      address: "@human/a.md",
      replacedCrumpledTarget: false,
      meta: { updatedAt: OLD },
    });
    const updated = await fixture.store.update("@human/a", [{ oldText: "old", newText: "new" }], {
      renameTo: "@human/hard",
    });
    expect(updated).toMatchObject({ moved: false, change: { kind: "body", after: "new text" } });
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["a.md", "hard.md"]);
    expect((await fixture.store.read("@human/a"))?.body).toBe("new text");
  });

  it("gives a note that comes into the session to the project, and takes it from one that leaves", async () => {
    noteFile("human/a.md");
    expect((await fixture.store.rename("@human/a", "todo")).meta.project).toBe("app-0a1b2c3d");
    expect(fixture.text(`${SESSION}/todo.md`)).toContain("project: app-0a1b2c3d\n");
    expect((await fixture.store.rename("todo", "other")).meta.project).toBe("app-0a1b2c3d");
    expect((await fixture.store.rename("other", "@human/a")).meta.project).toBeUndefined();
    expect(fixture.text("human/a.md")).not.toContain("project:");
  });

  it("refuses a live note at the destination, and replaces a crumpled one", async () => {
    noteFile(`${PROJECT}/a.md`, "a");
    noteFile(`${PROJECT}/b.md`, "b");
    expect(await refusal(fixture.store.rename("@project/a", "@project/b"))).toMatchObject({
      code: "already_exists",
      address: "@project/b.md",
    });
    expect([fixture.text(`${PROJECT}/a.md`), fixture.text(`${PROJECT}/b.md`)].map((text) => text.at(-1))).toEqual([
      "a",
      "b",
    ]);
    await fixture.store.update("@project/b", [], { crumpled: true });
    expect(await fixture.store.rename("@project/a", "@project/b")).toMatchObject({
      address: "@project/b.md",
      replacedCrumpledTarget: true,
    });
    expect(fixture.text(`${PROJECT}/b.md`).at(-1)).toBe("a");
  });

  it("refuses a destination that cannot be read, whatever it is", async () => {
    noteFile(`${PROJECT}/a.md`, "a");
    fixture.given(`${PROJECT}/b.md`, Buffer.from([0xe9]));
    expect((await refusal(fixture.store.rename("@project/a", "@project/b"))).code).toBe("not_utf8");
    expect(readFileSync(join(fixture.home, PROJECT, "b.md"))).toEqual(Buffer.from([0xe9]));
  });

  it("that fails at the destination names the destination", async () => {
    noteFile("human/a.md", "a");
    noteFile("human/b.md", "b");
    expect(await refusal(fixture.store.rename("@human/a", "@human/b.md/c"))).toMatchObject({
      code: "io",
      address: "@human/b.md/c.md",
      message: expect.stringContaining("cannot write @human/b.md/c.md: "),
    });
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["a.md", "b.md"]);
  });

  it("to another name of the same file applies what else was asked, and keeps the source", async () => {
    noteFile("human/a.md");
    symlinkSync("a.md", join(fixture.home, "human", "link.md"));
    linkSync(join(fixture.home, "human", "a.md"), join(fixture.home, "human", "hard.md"));
    expect(
      await fixture.store.update("@human/a", [{ oldText: "old", newText: "new" }], { renameTo: "@human/link" }),
    ).toMatchObject({ moved: false, address: "@human/a.md", applied: 1 });
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["a.md", "hard.md", "link.md"]);
    expect((await fixture.store.read("@human/link"))?.body).toBe("new text");
  });

  it("of a link takes the link away and leaves its target", async () => {
    noteFile("human/shared/real.md", "body");
    symlinkSync("shared/real.md", join(fixture.home, "human", "a.md"));
    expect((await fixture.store.rename("@human/a", "@human/b")).address).toBe("@human/b.md");
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["b.md", "shared"]);
    expect(fixture.text("human/shared/real.md")).toContain("body");
  });

  it("to a link writes through it", async () => {
    noteFile("human/a.md", "body");
    mkdirSync(join(fixture.home, "human", "shared"));
    symlinkSync("shared/later.md", join(fixture.home, "human", "b.md"));
    await fixture.store.rename("@human/a", "@human/b");
    expect(readlinkSync(join(fixture.home, "human", "b.md"))).toBe("shared/later.md");
    expect(lstatSync(join(fixture.home, "human", "shared", "later.md")).isFile()).toBe(true);
  });

  it("keeps the mode of the note", async () => {
    const { chmodSync } = await import("node:fs");
    chmodSync(noteFile("human/a.md"), 0o640);
    await fixture.store.rename("@human/a", "@project/a");
    expect(statSync(join(fixture.home, PROJECT, "a.md")).mode & 0o777).toBe(0o640);
  });
});

describe("who may be changed", () => {
  it.each(["@projects/app-0a1b2c3d/a", "@sessions/session-1/a", "@projects/other-11111111/a"])(
    "%s refuses every mutation: it is addressed by its name",
    async (address) => {
      noteFile(`${PROJECT}/a.md`);
      noteFile(`${SESSION}/a.md`);
      noteFile("human/b.md");
      for (const options of [{ crumpled: true }, { origin: "user" as const }, { renameTo: "@human/c" }])
        expect((await refusal(fixture.store.update(address, [], options))).code).toBe("read_only");
      expect((await refusal(fixture.store.update(address, [{ oldText: "old", newText: "x" }]))).code).toBe("read_only");
      expect((await refusal(fixture.store.rename("@human/b", address))).code).toBe("read_only");
    },
  );

  it.each(["@agents/other/a", "@models/other/a"])(
    "%s can be crumpled and brought back, and nothing else",
    async (address) => {
      const path = `${address.slice(1)}.md`;
      noteFile(path);
      expect((await fixture.store.update(address, [], { crumpled: true })).meta.crumpledAt).toMatch(/Z$/u);
      expect((await fixture.store.update(address, [], { crumpled: false })).meta.crumpledAt).toBeUndefined();
      for (const options of [
        { origin: "user" as const },
        { renameTo: "@human/c" },
        { crumpled: true, origin: "user" as const },
      ])
        expect((await refusal(fixture.store.update(address, [], options))).code).toBe("read_only");
      expect((await refusal(fixture.store.update(address, [{ oldText: "old", newText: "x" }]))).code).toBe("read_only");
      noteFile("human/b.md");
      expect((await refusal(fixture.store.rename("@human/b", address))).code).toBe("read_only");
      expect(fixture.text(path)).toContain("old text");
    },
  );
});

describe("a file that is no note", () => {
  it.each<[string, Uint8Array]>([
    ["not_utf8", Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a)],
    ["too_large", Buffer.alloc(1_048_577, "a")],
  ])("is refused with %s by every change, and left byte for byte", async (code, bytes) => {
    const file = fixture.given("human/a.md", bytes);
    for (const change of [
      () => fixture.store.update("@human/a", [{ oldText: "a", newText: "b" }]),
      () => fixture.store.update("@human/a", [], { crumpled: true }),
      () => fixture.store.update("@human/a", [], { origin: "user" }),
      () => fixture.store.rename("@human/a", "@human/b"),
      () => fixture.store.write("@human/a", "new"),
    ])
      expect(await refusal(change())).toMatchObject({ code, address: "@human/a.md" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(join(fixture.home, "human"))).toEqual(["a.md"]);
  });
});

describe("updates at once", () => {
  it("of one note through eight stores and both spellings of its address all survive", async () => {
    noteFile(`${PROJECT}/a.md`, "start\n");
    const updates = Array.from({ length: 20 }, (_, index) =>
      createNotesStore(identityIn(fixture.home)).update(index % 2 === 0 ? "@project/a" : "@project/a.md", [
        { oldText: "start\n", newText: `start\nline ${index}\n` },
      ]),
    );
    await Promise.all(updates);
    const lines = fixture
      .text(`${PROJECT}/a.md`)
      .split("\n")
      .filter((line) => line.startsWith("line "));
    expect(lines.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index}`).toSorted());
  });

  it("move two notes past each other without waiting for ever", async () => {
    noteFile("human/a.md", "a");
    noteFile("human/b.md", "b");
    const moves = Array.from({ length: 10 }, (_, index) =>
      fixture.store.rename(index % 2 === 0 ? "@human/a" : "@human/b", index % 2 === 0 ? "@human/b" : "@human/a"),
    );
    const outcomes = await Promise.allSettled(moves);
    expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
    expect([fixture.text("human/a.md").at(-1), fixture.text("human/b.md").at(-1)]).toEqual(["a", "b"]);
  });

  it("are seen by a list and a search that were asked for after them", async () => {
    noteFile(`${PROJECT}/a.md`);
    const update = fixture.store.update("@project/a", [{ oldText: "old", newText: "fresh" }]);
    const [rows, found] = await Promise.all([fixture.store.list(), fixture.store.search(["fresh"])]);
    expect(rows.map(({ body }) => body)).toEqual(["fresh text"]);
    expect(found).toHaveLength(1);
    await update;
  });

  it("that crumple a note, or bring one back, decide which list it is in", async () => {
    noteFile("human/a.md");
    noteFile("human/b.md", "spent", `${BLOCK}crumpledAt: ${OLD}\n`);
    const updates = [
      fixture.store.update("@human/a", [], { crumpled: true }),
      fixture.store.update("@human/b", [], { crumpled: false }),
    ];
    const lists = await Promise.all([
      fixture.store.list(),
      fixture.store.list({ crumpled: true }),
      fixture.store.search(["old"], { crumpled: true }),
    ]);
    expect(lists.map((rows) => rows.map(({ address }) => address))).toEqual([
      ["@human/b.md"],
      ["@human/a.md"],
      ["@human/a.md"],
    ]);
    await Promise.all(updates);
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
    noteFile("human/a.md", "old text", `${own}\n`);
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
