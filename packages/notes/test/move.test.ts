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
import { beforeEach, describe, expect, it } from "vitest";
import { BLOCK, type NoteFixture, noteFixture, OLD } from "./note-fixture.ts";
import { PROJECT, refusal, SESSION, type StoreFixture } from "./store-fixture.ts";

let fixture: NoteFixture;

beforeEach(async () => {
  fixture = await noteFixture();
});

describe("a move", () => {
  it("takes the note away from its old address, with every byte of its metadata, and advances the time of update", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "body", `${BLOCK}v: 1.20 # x\n`);
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
    fixture.noteFile(`${PROJECT}/a.md`);
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
    fixture.noteFile(`${PROJECT}/a.md`);
    const { change } = await fixture.store.update("@project/a", [], { renameTo: "@human/a" });
    expect(change).toEqual({
      kind: "metadata",
      before: `---\n${BLOCK}---\nold text`,
      after: fixture.text("human/a.md"),
    });
  });

  it("inside the session leaves a note with the project that it belongs to", async () => {
    fixture.noteFile(`${SESSION}/a.md`, "old text", `${BLOCK}project: other-11111111\n`);
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
    fixture.noteFile("human/a.md");
    fixture.noteFile("human/live.md", "live");
    fixture.noteFile("human/crumpled.md", "spent", `${BLOCK}crumpledAt: ${OLD}\n`);
    const paths = ["human/a.md", "human/live.md", "human/crumpled.md"];
    const before = paths.map((path) => fixture.bytesOf(path));
    const options = { renameTo: `@human/${destination}`, origin: "user" as const, crumpled: true };
    expect((await refusal(fixture.store.update("@human/a", edits, options))).code).toBe(code);
    expect(paths.map((path) => fixture.bytesOf(path))).toEqual(before);
    expect(readdirSync(join(fixture.home, "human"))).toHaveLength(3);
  });

  it("refuses a missing source, also where a note is at the destination", async () => {
    fixture.noteFile("human/b.md", "b");
    const before = fixture.bytesOf("human/b.md");
    expect(await refusal(fixture.store.rename("@human/a", "@human/b"))).toMatchObject({
      code: "not_found",
      address: "@human/a.md",
    });
    expect(fixture.bytesOf("human/b.md")).toBe(before);
  });

  it("to a second name of the same file, which no link tells, is none: both names stay", async () => {
    fixture.noteFile("human/a.md");
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
    fixture.noteFile("human/a.md");
    expect((await fixture.store.rename("@human/a", "todo")).meta.project).toBe("app-0a1b2c3d");
    expect(fixture.text(`${SESSION}/todo.md`)).toContain("project: app-0a1b2c3d\n");
    expect((await fixture.store.rename("todo", "other")).meta.project).toBe("app-0a1b2c3d");
    expect((await fixture.store.rename("other", "@human/a")).meta.project).toBeUndefined();
    expect(fixture.text("human/a.md")).not.toContain("project:");
  });

  it("refuses a live note at the destination, and replaces a crumpled one", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "a");
    fixture.noteFile(`${PROJECT}/b.md`, "b");
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
    fixture.noteFile(`${PROJECT}/a.md`, "a");
    fixture.given(`${PROJECT}/b.md`, Buffer.from([0xe9]));
    expect((await refusal(fixture.store.rename("@project/a", "@project/b"))).code).toBe("not_utf8");
    expect(readFileSync(join(fixture.home, PROJECT, "b.md"))).toEqual(Buffer.from([0xe9]));
  });

  it("that fails at the destination names the destination", async () => {
    fixture.noteFile("human/a.md", "a");
    fixture.noteFile("human/b.md", "b");
    expect(await refusal(fixture.store.rename("@human/a", "@human/b.md/c"))).toMatchObject({
      code: "io",
      address: "@human/b.md/c.md",
      message: expect.stringContaining("cannot write @human/b.md/c.md: "),
    });
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["a.md", "b.md"]);
  });

  it("to another name of the same file applies what else was asked, and keeps the source", async () => {
    fixture.noteFile("human/a.md");
    symlinkSync("a.md", join(fixture.home, "human", "link.md"));
    linkSync(join(fixture.home, "human", "a.md"), join(fixture.home, "human", "hard.md"));
    expect(
      await fixture.store.update("@human/a", [{ oldText: "old", newText: "new" }], { renameTo: "@human/link" }),
    ).toMatchObject({ moved: false, address: "@human/a.md", applied: 1 });
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["a.md", "hard.md", "link.md"]);
    expect((await fixture.store.read("@human/link"))?.body).toBe("new text");
  });

  it("of a link takes the link away and leaves its target", async () => {
    fixture.noteFile("human/shared/real.md", "body");
    symlinkSync("shared/real.md", join(fixture.home, "human", "a.md"));
    expect((await fixture.store.rename("@human/a", "@human/b")).address).toBe("@human/b.md");
    expect(readdirSync(join(fixture.home, "human")).toSorted()).toEqual(["b.md", "shared"]);
    expect(fixture.text("human/shared/real.md")).toContain("body");
  });

  it("to a link writes through it", async () => {
    fixture.noteFile("human/a.md", "body");
    mkdirSync(join(fixture.home, "human", "shared"));
    symlinkSync("shared/later.md", join(fixture.home, "human", "b.md"));
    await fixture.store.rename("@human/a", "@human/b");
    expect(readlinkSync(join(fixture.home, "human", "b.md"))).toBe("shared/later.md");
    expect(lstatSync(join(fixture.home, "human", "shared", "later.md")).isFile()).toBe(true);
  });

  it("keeps the mode of the note", async () => {
    const { chmodSync } = await import("node:fs");
    chmodSync(fixture.noteFile("human/a.md"), 0o640);
    await fixture.store.rename("@human/a", "@project/a");
    expect(statSync(join(fixture.home, PROJECT, "a.md")).mode & 0o777).toBe(0o640);
  });
});
