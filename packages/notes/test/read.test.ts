import { mkdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { TIME } from "./note-fixture.ts";
import { PROJECT, refusal, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

describe("read", () => {
  it("tells a missing note from a failure", async () => {
    expect(await fixture.store.read("@project/none")).toBeUndefined();
  });

  it("gives body, metadata and scope", async () => {
    await fixture.store.write("@self/a", "x", { origin: "user" });
    expect(await fixture.store.read("@agents/pi/a.md")).toMatchObject({
      address: "@self/a.md",
      body: "x",
      resolvedScope: "agent",
      meta: { origin: "user" },
    });
  });

  it("counts the access in the file and changes nothing else in it", async () => {
    const block =
      "origin: self\ncreatedAt: 2020-01-01T00:00:00.000Z\nupdatedAt: 2020-01-01T00:00:00.000Z\ndate: 2026-03-16 # due\nv: 1.20\nt: 10:00\n";
    const file = fixture.given(`${PROJECT}/a.md`, `---\n${block}---\nbody\r\n`);
    expect((await fixture.store.read("@project/a"))?.meta.accessCount).toBe(1);
    const second = await fixture.store.read("@project/a");
    expect(second?.meta).toMatchObject({
      accessCount: 2,
      updatedAt: "2020-01-01T00:00:00.000Z",
      lastAccessed: expect.stringMatching(TIME),
    });
    expect(readFileSync(file, "utf8")).toBe(
      `---\n${block}lastAccessed: ${second?.meta.lastAccessed}\naccessCount: 2\n---\nbody\r\n`,
    );
  });

  it.each([
    ["a", ["pi", "session", "session-1"]],
    ["@project/a", ["project", "app-0a1b2c3d"]],
    ["@human/a", ["human"]],
    ["@self/a", ["agents", "pi"]],
    ["@model/a", ["models", "some-model"]],
    ["@agents/other/a", ["agents", "other"]],
    ["@models/other/a", ["models", "other"]],
  ])("counts the access of %s", async (address, folder) => {
    const file = fixture.given(join(...folder, "a.md"), "---\norigin: self\n---\nx");
    await fixture.store.read(address);
    expect(readFileSync(file, "utf8")).toMatch(/^---\norigin: self\nlastAccessed: .*\naccessCount: 1\n---\nx$/u);
  });

  it.each(["---\norigin: self\n---\nbody", "body"])(
    "leaves a byte order mark out of the body and in the file: %j behind one",
    async (content) => {
      const file = fixture.given(`${PROJECT}/a.md`, `\ufeff${content}`);
      expect((await fixture.store.read("@project/a"))?.body).toBe("body");
      expect(readFileSync(file, "utf8").startsWith(`\ufeff${content.slice(0, 3)}`)).toBe(true);
      await fixture.store.update("@project/a", [{ oldText: "body", newText: "new" }]);
      expect((await fixture.store.read("@project/a"))?.body).toBe("new");
      expect(readFileSync(file, "utf8").lastIndexOf("\ufeff")).toBe(0);
    },
  );

  it.each([
    ["@projects/app-0a1b2c3d/a", ["project", "app-0a1b2c3d", "a.md"]],
    ["@sessions/session-1/a", ["pi", "session", "session-1", "a.md"]],
  ])("leaves the file of %s untouched: it is addressed by its name", async (address, path) => {
    const file = fixture.given(join(...path), "---\norigin: self\n---\nx");
    const before = statSync(file);
    expect((await fixture.store.read(address))?.meta.accessCount).toBe(0);
    expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("leaves a person's own file without frontmatter untouched", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, "---\n**NORTH STAR OFFICE**\n---\nbody\n");
    const { ino } = statSync(file);
    expect(await fixture.store.read("@project/a")).toMatchObject({
      body: "---\n**NORTH STAR OFFICE**\n---\nbody\n",
      meta: { origin: "external", accessCount: 0 },
    });
    expect(statSync(file).ino).toBe(ino);
  });

  it("does not make a note younger by reading it, where the file's time is its age", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, "---\ntitle: x\n---\nbody");
    utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
    await fixture.store.read("@project/a");
    const { meta } = (await fixture.store.read("@project/a")) ?? {};
    expect(meta).toMatchObject({
      accessCount: 2,
      updatedAt: "2021-01-01T00:00:00.000Z",
      createdAt: "2021-01-01T00:00:00.000Z",
    });
  });

  it("refuses a file that is not UTF-8, and leaves it", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
    const file = fixture.given(`${PROJECT}/a.md`, bytes);
    expect(await refusal(fixture.store.read("@project/a"))).toMatchObject({
      code: "not_utf8",
      message: expect.stringContaining("@project/a.md is not valid UTF-8"),
    });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("refuses a file of more than 1 MiB", async () => {
    fixture.given(`${PROJECT}/a.md`, "x".repeat(1_048_577));
    expect((await refusal(fixture.store.read("@project/a"))).code).toBe("too_large");
  });

  it("succeeds where the count would pass the note's size, and leaves the file", async () => {
    const frame = "---\norigin: self\n---\n";
    const file = fixture.given(`${PROJECT}/a.md`, frame + "x".repeat(1_048_576 - frame.length));
    expect((await fixture.store.read("@project/a"))?.meta.accessCount).toBe(0);
    expect(statSync(file).size).toBe(1_048_576);
  });

  it("refuses a folder or a pipe in place of a note instead of waiting for it", async () => {
    mkdirSync(join(fixture.home, PROJECT, "folder.md"), { recursive: true });
    const { execFileSync } = await import("node:child_process");
    execFileSync("mkfifo", [join(fixture.home, PROJECT, "pipe.md")]);
    expect((await refusal(fixture.store.read("@project/folder"))).code).toBe("io");
    expect(await refusal(fixture.store.read("@project/pipe"))).toMatchObject({
      code: "io",
      message: expect.stringContaining("not a regular file"),
    });
  });
});
