import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
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

describe("write", () => {
  it("makes a markdown file with frontmatter and the body as it was given", async () => {
    const { address, meta, outcome } = await store.write("@project/decisions", "Use a shared library.", {
      origin: "user",
    });
    expect({ address, outcome, origin: meta.origin }).toEqual({
      address: "@project/decisions.md",
      outcome: "created",
      origin: "user",
    });
    expect(meta.createdAt).toMatch(TIME);
    expect(text(project("decisions.md"))).toBe(
      `---\norigin: user\ncreatedAt: ${meta.createdAt}\nupdatedAt: ${meta.createdAt}\n---\nUse a shared library.`,
    );
  });

  it("gives a new note the origin self", async () => {
    expect((await store.write("a", "")).meta.origin).toBe("self");
  });

  it("records the project of a session's note, and of no other", async () => {
    expect((await store.write("a", "")).meta.project).toBe("app-0a1b2c3d");
    expect((await store.write("@human/a", "")).meta.project).toBeUndefined();
    expect(text(fileOf("pi", "session", "session-1", "a.md"))).toContain("project: app-0a1b2c3d\n");
  });

  it("keeps origin, time of creation, project and unknown metadata of the note that it overwrites, byte for byte", async () => {
    const block =
      "# mine\norigin: user # asked\ncreatedAt: 2020-01-01T00:00:00.000Z\nproject: other-11111111\ndate: 2026-03-16 # due\nv: 1.20\ntags: [a,  b]\n";
    const file = given(fileOf("pi", "session", "session-1", "a.md"), `---\n${block}---\nold`);
    const { meta, outcome } = await store.write("a.md", "new");
    expect(outcome).toBe("overwritten");
    expect(text(file)).toBe(`---\n${block}updatedAt: ${meta.updatedAt}\n---\nnew`);
  });

  it("changes no line but the time of update of a live note that it overwrites", async () => {
    const old = "2020-01-01T00:00:00.000Z";
    const block = `project: other-11111111\norigin: user\n\nlastAccessed: ${old}\naccessCount: 3\nupdatedAt: ${old} # late\ncreatedAt: ${old}\n`;
    const file = given(fileOf("pi", "session", "session-1", "a.md"), `---\n${block}---\nold`);
    const { meta } = await store.write("a", "new");
    expect(meta.updatedAt > old).toBe(true);
    expect(text(file)).toBe(`---\n${block.replace(`updatedAt: ${old}`, `updatedAt: ${meta.updatedAt}`)}---\nnew`);
  });

  it.each(["created", "overwritten", "uncrumpled"])(
    "answers with the metadata that a list then tells, also where the note was %s",
    async (expected) => {
      const block = `title: x\norigin: user${expected === "uncrumpled" ? "\ncrumpledAt: 2026-01-01" : ""}`;
      if (expected !== "created") given(project("a.md"), `---\n${block}\ncreatedAt: 2020-01-01\n---\nold`);
      const { meta, outcome } = await store.write("@project/a", "new");
      expect(outcome).toBe(expected);
      expect((await store.list()).map((row) => row.meta)).toEqual([meta]);
    },
  );

  it("lays the five notebooks into folders of their own, and no other file beside them", async () => {
    for (const address of ["deep/a", "@project/a", "@human/a.md", "@self/a", "@model/a"])
      await store.write(address, address);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
    expect(files.map((entry) => join(entry.parentPath, entry.name)).toSorted()).toEqual(
      [
        fileOf("agents", "pi", "a.md"),
        fileOf("human", "a.md"),
        fileOf("models", "some-model", "a.md"),
        fileOf("pi", "session", "session-1", "deep", "a.md"),
        project("a.md"),
      ].toSorted(),
    );
  });

  it.each([
    ["@agents/pi/a", "@self/a.md"],
    ["@models/some-model/a", "@model/a.md"],
  ])("takes %s for %s: an own notebook that is called by its name", async (address, canonical) => {
    expect((await store.write(address, "old")).address).toBe(canonical);
    const updated = await store.update(address, [{ oldText: "old", newText: "new" }], { origin: "user" });
    expect(updated).toMatchObject({ address: canonical, meta: { origin: "user" } });
    expect((await store.read(canonical))?.body).toBe("new");
  });

  it("changes the origin of an existing note where it is given", async () => {
    await store.write("a", "x", { origin: "external" });
    expect((await store.write("a", "y", { origin: "user" })).meta.origin).toBe("user");
    expect((await store.write("a", "z")).meta.origin).toBe("user");
  });

  it("uncrumples", async () => {
    const file = given(project("a.md"), "---\norigin: self\ncrumpledAt: 2026-01-01T00:00:00.000Z\n---\nold");
    const { outcome, meta } = await store.write("@project/a", "new");
    expect({ outcome, crumpledAt: meta.crumpledAt }).toEqual({ outcome: "uncrumpled", crumpledAt: undefined });
    expect(text(file)).not.toContain("crumpledAt");
  });

  it("writes down what a person's own file did not tell: it came from elsewhere, and when", async () => {
    const file = given(project("a.md"), "mine\n");
    utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
    const { meta } = await store.write("@project/a", "new");
    expect({ origin: meta.origin, createdAt: meta.createdAt }).toEqual({
      origin: "external",
      createdAt: "2021-01-01T00:00:00.000Z",
    });
    expect(text(file)).toMatch(
      /^---\norigin: external\ncreatedAt: 2021-01-01T00:00:00\.000Z\nupdatedAt: .*\n---\nnew$/u,
    );
  });

  it("keeps line ends and byte order mark of the block", async () => {
    const file = given(project("a.md"), "\ufeff---\r\norigin: user\r\n---\r\nold");
    await store.write("@project/a", "new");
    expect(text(file)).toMatch(/^\ufeff---\r\norigin: user\r\ncreatedAt: [^\n]*\r\nupdatedAt: [^\n]*\r\n---\r\nnew$/u);
  });

  it("makes files that only their owner may read, and keeps the mode of an existing one", async () => {
    await store.write("@project/a", "x");
    expect(statSync(project("a.md")).mode & 0o777).toBe(0o600);
    const file = given(project("b.md"), "x");
    const { chmodSync } = await import("node:fs");
    chmodSync(file, 0o664);
    await store.write("@project/b", "y");
    expect(statSync(file).mode & 0o777).toBe(0o664);
  });

  it("takes a note of exactly 1 MiB with its frontmatter, and refuses one byte more before anything is written", async () => {
    const { meta } = await store.write("@project/a", "");
    const frame = Buffer.byteLength(text(project("a.md")));
    await store.write("@project/a", "x".repeat(1_048_576 - frame));
    const before = text(project("a.md"));
    const error = await refusal(store.write("@project/a", "x".repeat(1_048_576 - frame + 1)));
    expect(error).toMatchObject({
      code: "too_large",
      address: "@project/a.md",
      message: expect.stringContaining("@project/a.md has 1048577 bytes"),
    });
    expect(text(project("a.md"))).toBe(before);
    expect(meta.origin).toBe("self");
  });

  it("has the last word where it was asked last, and a read sees the write before it, without waiting between", async () => {
    for (let round = 0; round < 20; round++) {
      const writes = Array.from({ length: 6 }, (_, index) => store.write("@project/a", `${round}.${index}`));
      const [read, other] = await Promise.all([
        store.read("@project/a"),
        createNotesStore(identityIn(home)).read("@project/a.md"),
        ...writes,
      ]);
      expect([read?.body, other?.body]).toEqual([`${round}.5`, `${round}.5`]);
    }
  });

  it("takes its options as they were in the moment of the call", async () => {
    const options: { origin: "self" | "user" } = { origin: "user" };
    const written = store.write("@project/a", "x", options);
    options.origin = "self";
    expect((await written).meta.origin).toBe("user");
  });

  it("refuses an origin that is none", async () => {
    expect((await refusal(store.write("a", "x", { origin: "robot" as "self" }))).code).toBe("invalid_text");
    expect(existsSync(home)).toBe(false);
  });

  it("keeps a line of its own that it cannot read", async () => {
    const file = given(project("a.md"), "---\norigin: https://example.invalid\ncreatedAt: last Tuesday\n---\nold");
    await store.write("@project/a", "new");
    expect(text(file)).toMatch(
      /^---\norigin: https:\/\/example\.invalid\ncreatedAt: last Tuesday\nupdatedAt: .*\n---\nnew$/u,
    );
  });

  it("can be done again and again without the block growing", async () => {
    const file = given(project("a.md"), '---\n{"title": "x", "crumpledAt": "2026-01-01T00:00:00Z"}\n---\nb');
    for (let times = 0; times < 3; times++) await store.write("@project/a", "b");
    const { size } = statSync(file);
    await store.write("@project/a", "b");
    expect(statSync(file).size).toBe(size);
  });

  it("refuses where the block has no line that can be changed by itself, and changes nothing", async () => {
    const whole = '---\na: "\\"\nupdatedAt: "q"\n---\nold';
    given(project("a.md"), whole);
    expect(await refusal(store.write("@project/a", "new"))).toMatchObject({
      code: "read_only",
      message: expect.stringContaining("`key: value`"),
    });
    expect((await store.read("@project/a"))?.body).toBe("old");
  });

  it.each([
    ["@projects/app-0a1b2c3d/a", "read_only"],
    ["@sessions/session-1/a", "read_only"],
    ["@agents/other/a", "read_only"],
    ["@models/other/a", "read_only"],
    ["@head", "unknown_scope"],
    ["../a", "invalid_address"],
    ["a\udfff", "invalid_text"],
  ])("refuses %s with %s and creates nothing", async (address, code) => {
    expect((await refusal(store.write(address, "x"))).code).toBe(code);
    expect(existsSync(home)).toBe(false);
  });

  it("refuses content with a lone surrogate and creates nothing", async () => {
    expect(await refusal(store.write("a", "x\ud800"))).toMatchObject({
      code: "invalid_text",
      message: expect.stringContaining("a.md"),
    });
    expect(existsSync(home)).toBe(false);
  });

  it("leaves a file that is not UTF-8 as it is", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
    const file = given(project("a.md"), bytes);
    expect((await refusal(store.write("@project/a", "b"))).code).toBe("not_utf8");
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("refuses where adding its lines would make the block too long to be one, and changes nothing", async () => {
    const file = given(project("a.md"), `---\na: ${"x".repeat(16 * 1024 - 4)}\n---\nold`);
    const before = text(file);
    expect(await refusal(store.write("@project/a", "new"))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("frontmatter of @project/a.md"),
    });
    expect(text(file)).toBe(before);
  });
});

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

/** As a caller gives it whose types nobody checks. */
function untyped(value: unknown): never {
  return value as never;
}

/** An object that cannot even be shown as text. */
const bare: unknown = Object.create(null);

describe("what cannot be done", () => {
  it.each([null, 5, "zz", {}, { oldText: 1, newText: "x" }])(
    "is an edit by %j: it is refused as no text, with its index",
    async (edit) => {
      await store.write("a", "body");
      expect(await refusal(store.update("a", untyped([edit])))).toMatchObject({ code: "invalid_text", editIndex: 0 });
    },
  );

  it("is to write or search for what is far too long: that is refused by its length, in a short message", async () => {
    const long = `\ud800${"x".repeat(3_000_000)}`;
    for (const refused of [store.write("a", long), store.search([long])]) {
      const error = await refusal(refused);
      expect(error.code).toBe("too_large");
      expect(error.message.length).toBeLessThan(250);
    }
    expect((await refusal(store.write("a", long))).message).toContain("a.md has at least 3000001 bytes");
  });

  it.each<[string, (of: NotesStore) => Promise<unknown>, string]>([
    ["a write", (of) => of.write("../a", "x"), "invalid_address"],
    ["a write of no text", (of) => of.write("a", 5 as unknown as string), "invalid_text"],
    ["a read", (of) => of.read("@head"), "unknown_scope"],
    ["an update", (of) => of.update("", [], { crumpled: true }), "invalid_address"],
    ["a rename", (of) => of.rename("a", "a\\b"), "invalid_address"],
    ["a rename of nothing", (of) => of.rename("a", "b"), "not_found"],
    ["a list", (of) => of.list({ glob: "" }), "invalid_glob"],
    ["a search", (of) => of.search(["x"], { glob: "[b-a]" }), "invalid_glob"],
    ["a write with null for options", (of) => of.write("a", "x", untyped(null)), "invalid_text"],
    ["a write with text for options", (of) => of.write("a", "x", untyped("user")), "invalid_text"],
    ["a write with an origin without a form", (of) => of.write("a", "x", untyped({ origin: bare })), "invalid_text"],
    ["an update that crumples by text", (of) => of.update("a", [], untyped({ crumpled: "false" })), "invalid_text"],
    ["an update that crumples by null", (of) => of.update("a", [], untyped({ crumpled: null })), "invalid_text"],
    ["an update of all by a number", (of) => of.update("a", [], untyped({ replaceAll: 1 })), "invalid_text"],
    ["an update to null", (of) => of.update("a", [], untyped({ renameTo: null })), "invalid_address"],
    ["an update with text for edits", (of) => of.update("a", untyped("zz")), "invalid_text"],
    ["an update with null for edits", (of) => of.update("a", untyped(null)), "invalid_text"],
    ["an update with null for options", (of) => of.update("a", [], untyped(null)), "invalid_text"],
    ["an update with too many edits", (of) => of.update("a", untyped(Array(100_001))), "too_large"],
    ["a list of null", (of) => of.list(untyped(null)), "invalid_text"],
    ["a list of text", (of) => of.list(untyped("@human/**")), "invalid_text"],
    ["a list of crumpled by text", (of) => of.list(untyped({ crumpled: "false" })), "invalid_text"],
    ["a list of null for a glob", (of) => of.list(untyped({ glob: null })), "invalid_glob"],
    ["a list that tells its status to no function", (of) => of.list(untyped({ onStatus: true })), "invalid_text"],
    ["a search for text that is no list", (of) => of.search(untyped("library")), "invalid_text"],
    ["a search for nothing at all", (of) => of.search(untyped(undefined)), "invalid_text"],
    ["a search for a number", (of) => of.search(untyped(["a", 1])), "invalid_text"],
    ["a search for undefined", (of) => of.search(untyped(["a", undefined])), "invalid_text"],
    ["a search for a gap", (of) => of.search(untyped(Array(3))), "invalid_text"],
    ["a search with null for a query", (of) => of.search(["a"], untyped(null)), "invalid_text"],
    ["a search for too many texts", (of) => of.search(Array.from({ length: 100_001 }, () => "")), "too_large"],
    ["a read of a number", (of) => of.read(untyped(5)), "invalid_address"],
  ])("rejects with a code, and is not thrown: %s", async (_what, call, code) => {
    let rejected: Promise<unknown> | undefined;
    expect(() => {
      rejected = call(store);
    }).not.toThrow();
    expect((await refusal(rejected ?? Promise.resolve())).code).toBe(code);
  });
});

describe("a file of a person's own", () => {
  it.each([
    ["that begins with a banner", "---\n**NORTH STAR OFFICE**\n---\nbody\n"],
    ["whose block is a scalar", "---\nNORTH STAR OFFICE\n---\nbody\n"],
    ["whose block is code", "---js\n({pwn: globalThis.pwned = 1})\n---\nbody\n"],
    ["whose block is too long", `---\na: ${"x".repeat(16 * 1024)}\n---\nbody\n`],
    ["without a block", "body"],
  ])(
    "%s is listed, found and read as one body, not written to, and gets a block above it when it is changed",
    async (_what, content) => {
      const file = given(project("a.md"), content);
      utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
      const { ino } = statSync(file);
      const meta = {
        origin: "external",
        createdAt: "2021-01-01T00:00:00.000Z",
        updatedAt: "2021-01-01T00:00:00.000Z",
        accessCount: 0,
        extra: {},
      };
      expect(await store.list()).toMatchObject([{ address: "@project/a.md", body: content, meta }]);
      expect((await store.search(["body"])).map((row) => row.meta)).toEqual([meta]);
      expect(await store.read("@project/a")).toMatchObject({ body: content, meta });
      expect([statSync(file).ino, text(file)]).toEqual([ino, content]);
      expect(globalThis).not.toHaveProperty("pwned");

      const updated = await store.update("@project/a", [{ oldText: "body", newText: "new" }]);
      expect(text(file)).toBe(
        `---\norigin: external\ncreatedAt: ${meta.createdAt}\nupdatedAt: ${updated.meta.updatedAt}\n---\n${content.replace("body", "new")}`,
      );
    },
  );

  it("keeps a value that unfolds beyond measure, which is named in its place", async () => {
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x]",
      ...Array.from("abcdefgh", (name, index) => {
        const next = "bcdefghi"[index] ?? "";
        return `${next}: &${next} [${Array(8).fill(`*${name}`).join(", ")}]`;
      }),
      "m: &m {self: *m}",
    ];
    const file = given(project("a.md"), `---\n${bomb.join("\n")}\nplain: 1\n---\nbody`);
    const extra = { i: "[omitted: too large]", m: "[omitted: too large]", plain: 1 };
    expect(await store.list()).toMatchObject([{ meta: { extra } }]);
    expect(await store.search(["body"])).toMatchObject([{ meta: { extra } }]);
    expect(await store.read("@project/a")).toMatchObject({ body: "body", meta: { extra, accessCount: 1 } });
    await store.write("@project/a", "new");
    for (const line of bomb) expect(text(file).split("\n")).toContain(line);
  });

  it("keeps every byte but the counting lines through reads, and body and metadata through a write, whatever its block", async () => {
    const fragment = fc.constantFrom(
      "title: x",
      "? x:",
      "- a",
      "a: &e",
      "b: *e",
      "c: !!str",
      "{",
      "}",
      "{a: 1,",
      "d: # not yet",
      "'q': \"z\"",
      "k: |",
      "  text",
      'updatedAt: ""',
      'accessCount: "q',
      "crumpledAt:",
      "createdAt: 2020-01-01",
      "e: a\rf: b",
      "g: a\u2028h: b",
      "i: x\u00a0",
      "...",
      "# c",
      "",
      "[a,",
      "]",
      "key: [x, y]",
      "%YAML 1.2",
      "\tt: 1",
      "lastAccessed: x",
      "accessCount: 7",
      "<<: {z: 1}",
    );
    const block = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));
    let counted = 0;
    let written = 0;
    await fc.assert(
      fc.asyncProperty(block, fc.constantFrom("\n", "\r\n"), async (lines, end) => {
        const file = given(project("own.md"), `---\n${lines}\n---\nbody`.replaceAll("\n", end));
        const before = text(file);
        const first = await store.read("@project/own");
        const second = await store.read("@project/own");
        expect([second?.body, second?.meta.extra]).toEqual([first?.body, first?.meta.extra]);
        if (text(file) !== before) {
          counted++;
          expect(second?.meta.accessCount).toBe((first?.meta.accessCount ?? 0) + 1);
          const foreign = before
            .split("\n")
            .filter((line) => !/(?:lastAccessed|accessCount)|^\{|\}\r?$|not yet/u.test(line));
          for (const line of foreign) expect(text(file).split("\n")).toContain(line);
        }
        const outcome = await store.write("@project/own", "new").catch((error: unknown) => error);
        if (outcome instanceof NoteError) {
          expect(outcome.code).toBe("read_only");
          return;
        }
        written++;
        expect(await store.read("@project/own")).toMatchObject({ body: "new", meta: { extra: first?.meta.extra } });
      }),
      { numRuns: 250 },
    );
    expect({ counted: counted > 25, written: written > 60 }).toEqual({ counted: true, written: true });
  });
});

describe("a body", () => {
  it("survives writing, reading, and overwriting byte for byte, whatever it is", async () => {
    const anyBody = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("---\n", "\r\n", "\n", "\r", "a: 1\n", "\ufeff", "😀", "\0", "é", "e\u0301"),
        maxLength: 12,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyBody, anyBody, async (first, second) => {
        fc.pre(first.isWellFormed() && second.isWellFormed());
        for (const body of [first, second]) {
          await store.write("@project/any", body);
          expect((await store.read("@project/any"))?.body).toBe(body);
          expect(
            readFileSync(project("any.md"))
              .subarray(-Buffer.byteLength(body) || Infinity)
              .toString("utf8"),
          ).toBe(body);
        }
      }),
      { numRuns: 150 },
    );
  });
});
