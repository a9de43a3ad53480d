import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { TIME } from "./note-fixture.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

describe("write", () => {
  it("makes a markdown file with frontmatter and the body as it was given", async () => {
    const { address, meta, outcome } = await fixture.store.write("@project/decisions", "Use a shared library.", {
      origin: "user",
    });
    expect({ address, outcome, origin: meta.origin }).toEqual({
      address: "@project/decisions.md",
      outcome: "created",
      origin: "user",
    });
    expect(meta.createdAt).toMatch(TIME);
    expect(fixture.text(`${PROJECT}/decisions.md`)).toBe(
      `---\norigin: user\ncreatedAt: ${meta.createdAt}\nupdatedAt: ${meta.createdAt}\n---\nUse a shared library.`,
    );
  });

  it("gives a new note the origin self", async () => {
    expect((await fixture.store.write("a", "")).meta.origin).toBe("self");
  });

  it("records the project of a session's note, and of no other", async () => {
    expect((await fixture.store.write("a", "")).meta.project).toBe("app-0a1b2c3d");
    expect((await fixture.store.write("@human/a", "")).meta.project).toBeUndefined();
    expect(fixture.text(`${SESSION}/a.md`)).toContain("project: app-0a1b2c3d\n");
  });

  it("keeps origin, time of creation, project and unknown metadata of the note that it overwrites, byte for byte", async () => {
    const block =
      "# mine\norigin: user # asked\ncreatedAt: 2020-01-01T00:00:00.000Z\nproject: other-11111111\ndate: 2026-03-16 # due\nv: 1.20\ntags: [a,  b]\n";
    const file = fixture.given(`${SESSION}/a.md`, `---\n${block}---\nold`);
    const { meta, outcome } = await fixture.store.write("a.md", "new");
    expect(outcome).toBe("overwritten");
    expect(readFileSync(file, "utf8")).toBe(`---\n${block}updatedAt: ${meta.updatedAt}\n---\nnew`);
  });

  it("changes no line but the time of update of a live note that it overwrites", async () => {
    const old = "2020-01-01T00:00:00.000Z";
    const block = `project: other-11111111\norigin: user\n\nlastAccessed: ${old}\naccessCount: 3\nupdatedAt: ${old} # late\ncreatedAt: ${old}\n`;
    const file = fixture.given(`${SESSION}/a.md`, `---\n${block}---\nold`);
    const { meta } = await fixture.store.write("a", "new");
    expect(meta.updatedAt > old).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(
      `---\n${block.replace(`updatedAt: ${old}`, `updatedAt: ${meta.updatedAt}`)}---\nnew`,
    );
  });

  it.each(["created", "overwritten", "uncrumpled"])(
    "answers with the metadata that a list then tells, also where the note was %s",
    async (expected) => {
      const block = `title: x\norigin: user${expected === "uncrumpled" ? "\ncrumpledAt: 2026-01-01" : ""}`;
      if (expected !== "created") fixture.given(`${PROJECT}/a.md`, `---\n${block}\ncreatedAt: 2020-01-01\n---\nold`);
      const { meta, outcome } = await fixture.store.write("@project/a", "new");
      expect(outcome).toBe(expected);
      expect((await fixture.store.list()).map((row) => row.meta)).toEqual([meta]);
    },
  );

  it("lays the five notebooks into folders of their own, and no other file beside them", async () => {
    for (const address of ["deep/a", "@project/a", "@human/a.md", "@self/a", "@model/a"])
      await fixture.store.write(address, address);
    const files = readdirSync(fixture.home, { recursive: true, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    );
    expect(files.map((entry) => join(entry.parentPath, entry.name)).toSorted()).toEqual(
      [
        join(fixture.home, "agents", "pi", "a.md"),
        join(fixture.home, "human", "a.md"),
        join(fixture.home, "models", "some-model", "a.md"),
        join(fixture.home, SESSION, "deep", "a.md"),
        join(fixture.home, PROJECT, "a.md"),
      ].toSorted(),
    );
  });

  it.each([
    ["@agents/pi/a", "@self/a.md"],
    ["@models/some-model/a", "@model/a.md"],
  ])("takes %s for %s: an own notebook that is called by its name", async (address, canonical) => {
    expect((await fixture.store.write(address, "old")).address).toBe(canonical);
    const updated = await fixture.store.update(address, [{ oldText: "old", newText: "new" }], { origin: "user" });
    expect(updated).toMatchObject({ address: canonical, meta: { origin: "user" } });
    expect((await fixture.store.read(canonical))?.body).toBe("new");
  });

  it("changes the origin of an existing note where it is given", async () => {
    await fixture.store.write("a", "x", { origin: "external" });
    expect((await fixture.store.write("a", "y", { origin: "user" })).meta.origin).toBe("user");
    expect((await fixture.store.write("a", "z")).meta.origin).toBe("user");
  });

  it("uncrumples", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, "---\norigin: self\ncrumpledAt: 2026-01-01T00:00:00.000Z\n---\nold");
    const { outcome, meta } = await fixture.store.write("@project/a", "new");
    expect({ outcome, crumpledAt: meta.crumpledAt }).toEqual({ outcome: "uncrumpled", crumpledAt: undefined });
    expect(readFileSync(file, "utf8")).not.toContain("crumpledAt");
  });

  it("writes down what a person's own file did not tell: it came from elsewhere, and when", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, "mine\n");
    utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
    const { meta } = await fixture.store.write("@project/a", "new");
    expect({ origin: meta.origin, createdAt: meta.createdAt }).toEqual({
      origin: "external",
      createdAt: "2021-01-01T00:00:00.000Z",
    });
    expect(readFileSync(file, "utf8")).toMatch(
      /^---\norigin: external\ncreatedAt: 2021-01-01T00:00:00\.000Z\nupdatedAt: .*\n---\nnew$/u,
    );
  });

  it("keeps line ends and byte order mark of the block", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, "\ufeff---\r\norigin: user\r\n---\r\nold");
    await fixture.store.write("@project/a", "new");
    expect(readFileSync(file, "utf8")).toMatch(
      /^\ufeff---\r\norigin: user\r\ncreatedAt: [^\n]*\r\nupdatedAt: [^\n]*\r\n---\r\nnew$/u,
    );
  });

  it("makes files that only their owner may read, and keeps the mode of an existing one", async () => {
    await fixture.store.write("@project/a", "x");
    expect(statSync(join(fixture.home, PROJECT, "a.md")).mode & 0o777).toBe(0o600);
    const file = fixture.given(`${PROJECT}/b.md`, "x");
    const { chmodSync } = await import("node:fs");
    chmodSync(file, 0o664);
    await fixture.store.write("@project/b", "y");
    expect(statSync(file).mode & 0o777).toBe(0o664);
  });

  it("takes a note of exactly 1 MiB with its frontmatter, and refuses one byte more before anything is written", async () => {
    const { meta } = await fixture.store.write("@project/a", "");
    const frame = Buffer.byteLength(fixture.text(`${PROJECT}/a.md`));
    await fixture.store.write("@project/a", "x".repeat(1_048_576 - frame));
    const before = fixture.text(`${PROJECT}/a.md`);
    const error = await refusal(fixture.store.write("@project/a", "x".repeat(1_048_576 - frame + 1)));
    expect(error).toMatchObject({
      code: "too_large",
      address: "@project/a.md",
      message: expect.stringContaining("@project/a.md has 1048577 bytes"),
    });
    expect(fixture.text(`${PROJECT}/a.md`)).toBe(before);
    expect(meta.origin).toBe("self");
  });

  it("has the last word where it was asked last, and a read sees the write before it, without waiting between", async () => {
    for (let round = 0; round < 20; round++) {
      const writes = Array.from({ length: 6 }, (_, index) => fixture.store.write("@project/a", `${round}.${index}`));
      const [read, other] = await Promise.all([
        fixture.store.read("@project/a"),
        createNotesStore(identityIn(fixture.home)).read("@project/a.md"),
        ...writes,
      ]);
      expect([read?.body, other?.body]).toEqual([`${round}.5`, `${round}.5`]);
    }
  });

  it("takes its options as they were in the moment of the call", async () => {
    const options: { origin: "self" | "user" } = { origin: "user" };
    const written = fixture.store.write("@project/a", "x", options);
    options.origin = "self";
    expect((await written).meta.origin).toBe("user");
  });

  it("refuses an origin that is none", async () => {
    expect((await refusal(fixture.store.write("a", "x", { origin: "robot" as "self" }))).code).toBe("invalid_text");
    expect(existsSync(fixture.home)).toBe(false);
  });

  it("keeps a line of its own that it cannot read", async () => {
    const file = fixture.given(
      `${PROJECT}/a.md`,
      "---\norigin: https://example.invalid\ncreatedAt: last Tuesday\n---\nold",
    );
    await fixture.store.write("@project/a", "new");
    expect(readFileSync(file, "utf8")).toMatch(
      /^---\norigin: https:\/\/example\.invalid\ncreatedAt: last Tuesday\nupdatedAt: .*\n---\nnew$/u,
    );
  });

  it("can be done again and again without the block growing", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, '---\n{"title": "x", "crumpledAt": "2026-01-01T00:00:00Z"}\n---\nb');
    for (let times = 0; times < 3; times++) await fixture.store.write("@project/a", "b");
    const { size } = statSync(file);
    await fixture.store.write("@project/a", "b");
    expect(statSync(file).size).toBe(size);
  });

  it("refuses where the block has no line that can be changed by itself, and changes nothing", async () => {
    const whole = '---\na: "\\"\nupdatedAt: "q"\n---\nold';
    fixture.given(`${PROJECT}/a.md`, whole);
    expect(await refusal(fixture.store.write("@project/a", "new"))).toMatchObject({
      code: "read_only",
      message: expect.stringContaining("`key: value`"),
    });
    expect((await fixture.store.read("@project/a"))?.body).toBe("old");
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
    expect((await refusal(fixture.store.write(address, "x"))).code).toBe(code);
    expect(existsSync(fixture.home)).toBe(false);
  });

  it("refuses content with a lone surrogate and creates nothing", async () => {
    expect(await refusal(fixture.store.write("a", "x\ud800"))).toMatchObject({
      code: "invalid_text",
      message: expect.stringContaining("a.md"),
    });
    expect(existsSync(fixture.home)).toBe(false);
  });

  it("leaves a file that is not UTF-8 as it is", async () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
    const file = fixture.given(`${PROJECT}/a.md`, bytes);
    expect((await refusal(fixture.store.write("@project/a", "b"))).code).toBe("not_utf8");
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("refuses where adding its lines would make the block too long to be one, and changes nothing", async () => {
    const file = fixture.given(`${PROJECT}/a.md`, `---\na: ${"x".repeat(16 * 1024 - 4)}\n---\nold`);
    const before = readFileSync(file, "utf8");
    expect(await refusal(fixture.store.write("@project/a", "new"))).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("frontmatter of @project/a.md"),
    });
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});
