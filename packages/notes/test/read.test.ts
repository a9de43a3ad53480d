import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore, NoteError, type NotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

let home: string;

let store: NotesStore;

beforeEach(async () => {
  home = join(await temporaryFolder(), "notes");
  store = createNotesStore(identityIn(home));
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

const fileOf = (...path: string[]): string => join(home, ...path);

const project = (name: string): string => fileOf("project", "app-0a1b2c3d", name);

const text = (path: string): string => readFileSync(path, "utf8");

/** Puts a file where a person would have put it. */
function given(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function refusal(promise: Promise<unknown>): Promise<NoteError> {
  const error: unknown = await promise.then(
    () => new Error("did not refuse"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof NoteError)) throw error;
  return error;
}

describe("read", () => {
  it("tells a missing note from a failure", async () => {
    expect(await store.read("@project/none")).toBeUndefined();
  });

  it("gives body, metadata and scope", async () => {
    await store.write("@self/a", "x", { origin: "user" });
    expect(await store.read("@agents/pi/a.md")).toMatchObject({
      address: "@self/a.md",
      body: "x",
      resolvedScope: "agent",
      meta: { origin: "user" },
    });
  });

  it("counts the access in the file and changes nothing else in it", async () => {
    const block =
      "origin: self\ncreatedAt: 2020-01-01T00:00:00.000Z\nupdatedAt: 2020-01-01T00:00:00.000Z\ndate: 2026-03-16 # due\nv: 1.20\nt: 10:00\n";
    const file = given(project("a.md"), `---\n${block}---\nbody\r\n`);
    expect((await store.read("@project/a"))?.meta.accessCount).toBe(1);
    const second = await store.read("@project/a");
    expect(second?.meta).toMatchObject({
      accessCount: 2,
      updatedAt: "2020-01-01T00:00:00.000Z",
      lastAccessed: expect.stringMatching(TIME),
    });
    expect(text(file)).toBe(`---\n${block}lastAccessed: ${second?.meta.lastAccessed}\naccessCount: 2\n---\nbody\r\n`);
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
    const file = given(fileOf(...folder, "a.md"), "---\norigin: self\n---\nx");
    await store.read(address);
    expect(text(file)).toMatch(/^---\norigin: self\nlastAccessed: .*\naccessCount: 1\n---\nx$/u);
  });

  it.each(["---\norigin: self\n---\nbody", "body"])(
    "leaves a byte order mark out of the body and in the file: %j behind one",
    async (content) => {
      const file = given(project("a.md"), `\ufeff${content}`);
      expect((await store.read("@project/a"))?.body).toBe("body");
      expect(text(file).startsWith(`\ufeff${content.slice(0, 3)}`)).toBe(true);
      await store.update("@project/a", [{ oldText: "body", newText: "new" }]);
      expect((await store.read("@project/a"))?.body).toBe("new");
      expect(text(file).lastIndexOf("\ufeff")).toBe(0);
    },
  );

  it.each([
    ["@projects/app-0a1b2c3d/a", ["project", "app-0a1b2c3d", "a.md"]],
    ["@sessions/session-1/a", ["pi", "session", "session-1", "a.md"]],
  ])("leaves the file of %s untouched: it is addressed by its name", async (address, path) => {
    const file = given(fileOf(...path), "---\norigin: self\n---\nx");
    const before = statSync(file);
    expect((await store.read(address))?.meta.accessCount).toBe(0);
    expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("leaves a person's own file without frontmatter untouched", async () => {
    const file = given(project("a.md"), "---\n**NORTH STAR OFFICE**\n---\nbody\n");
    const { ino } = statSync(file);
    expect(await store.read("@project/a")).toMatchObject({
      body: "---\n**NORTH STAR OFFICE**\n---\nbody\n",
      meta: { origin: "external", accessCount: 0 },
    });
    expect(statSync(file).ino).toBe(ino);
  });

  it("does not make a note younger by reading it, where the file's time is its age", async () => {
    const file = given(project("a.md"), "---\ntitle: x\n---\nbody");
    utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
    await store.read("@project/a");
    const { meta } = (await store.read("@project/a")) ?? {};
    expect(meta).toMatchObject({
      accessCount: 2,
      updatedAt: "2021-01-01T00:00:00.000Z",
      createdAt: "2021-01-01T00:00:00.000Z",
    });
  });

  it("refuses a file that is not UTF-8, and leaves it", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
    const file = given(project("a.md"), bytes);
    expect(await refusal(store.read("@project/a"))).toMatchObject({
      code: "not_utf8",
      message: expect.stringContaining("@project/a.md is not valid UTF-8"),
    });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("refuses a file of more than 1 MiB", async () => {
    given(project("a.md"), "x".repeat(1_048_577));
    expect((await refusal(store.read("@project/a"))).code).toBe("too_large");
  });

  it("succeeds where the count would pass the note's size, and leaves the file", async () => {
    const frame = "---\norigin: self\n---\n";
    const file = given(project("a.md"), frame + "x".repeat(1_048_576 - frame.length));
    expect((await store.read("@project/a"))?.meta.accessCount).toBe(0);
    expect(statSync(file).size).toBe(1_048_576);
  });

  it("refuses a folder or a pipe in place of a note instead of waiting for it", async () => {
    mkdirSync(project("folder.md"), { recursive: true });
    const { execFileSync } = await import("node:child_process");
    execFileSync("mkfifo", [project("pipe.md")]);
    expect((await refusal(store.read("@project/folder"))).code).toBe("io");
    expect(await refusal(store.read("@project/pipe"))).toMatchObject({
      code: "io",
      message: expect.stringContaining("not a regular file"),
    });
  });
});
