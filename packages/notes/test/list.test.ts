import { chmodSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { isRoot, NOBODY, withStatus } from "./list-fixture.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

const addresses = async (glob?: string, crumpled?: boolean): Promise<string[]> =>
  (await fixture.store.list({ glob, crumpled })).map(({ address }) => address).toSorted();

/** One note in every kind of notebook. */
function everywhere(): void {
  const places = [
    `${SESSION}/s.md`,
    `${SESSION}/todo/t.md`,
    `${PROJECT}/p.md`,
    "human/h.md",
    "agents/pi/i.md",
    "models/some-model/m.md",
    "pi/session/other/s.md",
    "project/other-11111111/p.md",
    "agents/other/i.md",
    "models/other/m.md",
  ];
  for (const place of places) fixture.given(place, "text");
}

const DEFAULT = ["@human/h.md", "@model/m.md", "@project/p.md", "@self/i.md", "s.md", "todo/t.md"];

describe("the notes that a glob selects", () => {
  it.each<[string | undefined, string[]]>([
    [undefined, DEFAULT],
    ["@default", DEFAULT],
    [
      "**",
      [...DEFAULT, "@agents/other/i.md", "@models/other/m.md", "@projects/other-11111111/p.md", "@sessions/other/s.md"],
    ],
    ["**/p.md", ["@project/p.md", "@projects/other-11111111/p.md"]],
    ["**/s.md", ["@sessions/other/s.md", "s.md"]],
    ["@project/**", ["@project/p.md"]],
    ["@projects/app-0a1b2c3d/**", ["@project/p.md"]],
    ["@projects/*/**", ["@project/p.md", "@projects/other-11111111/p.md"]],
    ["@sessions/*/**", ["@sessions/other/s.md", "s.md", "todo/t.md"]],
    ["@sessions/session-1/*.md", ["s.md"]],
    ["@self/*", ["@self/i.md"]],
    ["@agents/pi/*", ["@self/i.md"]],
    ["@agents/*/*", ["@agents/other/i.md", "@self/i.md"]],
    ["@model/*", ["@model/m.md"]],
    ["@models/some-model/*", ["@model/m.md"]],
    ["@models/*/*", ["@model/m.md", "@models/other/m.md"]],
    ["@projects/other-11111111/**", ["@projects/other-11111111/p.md"]],
    ["@sessions/other/**", ["@sessions/other/s.md"]],
    ["@{self,model}/*", ["@model/m.md", "@self/i.md"]],
    ["{@default,@agents/other/**}", [...DEFAULT, "@agents/other/i.md"]],
    ["@*/*.md", ["@human/h.md", "@model/m.md", "@project/p.md", "@self/i.md"]],
    ["*", ["s.md"]],
    ["*/*", ["todo/t.md"]],
    ["?.md", ["s.md"]],
    ["[@]project/*", []],
    ["*project/*", []],
    ["s", []],
  ])("%j selects %j", async (glob, expected) => {
    everywhere();
    expect(await addresses(glob)).toEqual(expected.toSorted());
    const found = await fixture.store.search([], { glob });
    expect(found.map(({ address }) => address)).toEqual(expected.toSorted());
  });

  it("are not selected by anything else: a scope, or whose they are, selects nothing", async () => {
    everywhere();
    const query = { scope: "human", who: "other", agent: "other" } as object;
    expect((await fixture.store.list(query)).map(({ address }) => address).toSorted()).toEqual(DEFAULT);
    expect((await fixture.store.search(["text"], query)).map(({ address }) => address)).toEqual(DEFAULT);
  });

  it.each([
    ["@default/**", "invalid_glob", "@default stands alone"],
    ["{@default/x,a}", "invalid_glob", "@default stands alone"],
    ["@head/**", "unknown_scope", "use @project/**"],
    ["@(project|human)/**", "unknown_scope", "names no notebook"],
    ["a\\b", "invalid_glob", "backslash"],
    ["", "invalid_glob", "empty"],
  ])("refuses %j with %s and says what would do", async (glob, code, says) => {
    expect(await refusal(fixture.store.list({ glob }))).toMatchObject({ code, message: expect.stringContaining(says) });
    expect((await refusal(fixture.store.search(["x"], { glob }))).code).toBe(code);
  });

  it("matches names of odd letters as letters", async () => {
    for (const name of ["(copy).md", "copy.md", "#x.md", "!x.md", "release@v1.md", "a@(b).md", ".hidden.md"])
      fixture.given(`${SESSION}/${name}`, "");
    expect(await addresses("(copy).md")).toEqual(["(copy).md"]);
    expect(await addresses("#x.md")).toEqual(["#x.md"]);
    expect(await addresses("!x.md")).toEqual(["!x.md"]);
    expect(await addresses("release@v1.md")).toEqual(["release@v1.md"]);
    expect(await addresses("a@(b).md")).toEqual(["a@(b).md"]);
    expect(await addresses("*hidden*")).toEqual([".hidden.md"]);
  });

  it("finds a composed name for one that lies decomposed", async () => {
    fixture.given(`${SESSION}/cafe\u0301.md`, "caf\u00e9");
    expect(await addresses("*caf\u00e9*")).toEqual(["caf\u00e9.md"]);
    expect(await addresses("*cafe\u0301*")).toEqual(["caf\u00e9.md"]);
    expect((await fixture.store.search(["caf\u00e9"])).map(({ address }) => address)).toEqual(["caf\u00e9.md"]);
  });

  it.runIf(isRoot)("opens no folder in which it cannot match", async () => {
    fixture.given(`${SESSION}/a/x.md`, "");
    fixture.given(`${SESSION}/b/x.md`, "");
    const closed = {
      found: ["a/x.md"],
      status: { namespacesUnavailable: [], notesUnavailable: [{ address: "b/", code: "io" }] },
    };
    chmodSync(join(fixture.home, ".."), 0o755);
    chmodSync(join(fixture.home, SESSION, "b"), 0);
    process.seteuid?.(NOBODY);
    try {
      expect(await withStatus(fixture.store, "*/*")).toEqual(closed);
      expect((await withStatus(fixture.store, "a/*")).status.notesUnavailable).toEqual([]);
    } finally {
      process.seteuid?.(0);
    }
  });

  it.runIf(isRoot)("names every notebook where the home itself is closed", async () => {
    fixture.given("human/a.md", "");
    chmodSync(join(fixture.home, ".."), 0o755);
    chmodSync(fixture.home, 0);
    process.seteuid?.(NOBODY);
    try {
      expect((await withStatus(fixture.store)).status.namespacesUnavailable).toEqual([
        "@human",
        "@model",
        "@project",
        "@self",
        "@sessions/session-1",
      ]);
    } finally {
      process.seteuid?.(0);
    }
  });

  it.runIf(isRoot)("is refused where the way to the home is closed, without its path", async () => {
    chmodSync(join(fixture.home, ".."), 0);
    process.seteuid?.(NOBODY);
    try {
      const error = await refusal(fixture.store.list());
      expect(error).toMatchObject({
        code: "io",
        message: expect.stringMatching(/^cannot read the notes: permission denied.*\(EACCES\)$/u),
      });
      expect(error.message).not.toContain(fixture.home);
    } finally {
      process.seteuid?.(0);
    }
  });
});

describe("a row", () => {
  it("has address, scope, path, metadata, body and its size in bytes", async () => {
    fixture.given(
      `${PROJECT}/deep/a.md`,
      "---\norigin: user\ncreatedAt: 2020-01-01T00:00:00.000Z\nupdatedAt: 2020-01-02T00:00:00.000Z\ntitle: x\n---\né",
    );
    expect(await fixture.store.list()).toEqual([
      {
        address: "@project/deep/a.md",
        scope: "project",
        path: "deep/a.md",
        meta: {
          origin: "user",
          createdAt: "2020-01-01T00:00:00.000Z",
          updatedAt: "2020-01-02T00:00:00.000Z",
          accessCount: 0,
          extra: { title: "x" },
        },
        body: "é",
        bytes: 2,
      },
    ]);
  });

  it("tells the kind of its notebook, whoever's it is", async () => {
    everywhere();
    const scopes = Object.fromEntries(
      (await fixture.store.list({ glob: "**" })).map(({ address, scope, path }) => [address, `${scope} ${path}`]),
    );
    expect(scopes).toEqual({
      "s.md": "session s.md",
      "todo/t.md": "session todo/t.md",
      "@sessions/other/s.md": "session s.md",
      "@project/p.md": "project p.md",
      "@projects/other-11111111/p.md": "project p.md",
      "@human/h.md": "human h.md",
      "@self/i.md": "agent i.md",
      "@agents/other/i.md": "agent i.md",
      "@model/m.md": "model m.md",
      "@models/other/m.md": "model m.md",
    });
  });

  it("is there for each of any number of notes, with its whole body: nothing is parted into pages or cut", async () => {
    const body = "needle\n".repeat(5000);
    fixture.given("human/long.md", body);
    for (let index = 0; index < 1200; index++) fixture.given(`human/${index}.md`, "needle");
    const rows = await fixture.store.list();
    expect(rows).toHaveLength(1201);
    expect(rows.find(({ path }) => path === "long.md")).toMatchObject({ body, bytes: body.length });
    const found = await fixture.store.search(["needle"]);
    expect(found).toHaveLength(1201);
    expect(found.find(({ path }) => path === "long.md")?.matches).toHaveLength(5000);
  });

  it("comes in the order of updates, the last first, then by address", async () => {
    const at = (time: string): string => `---\nupdatedAt: ${time}\n---\n`;
    fixture.given("human/old.md", at("2020-01-01"));
    fixture.given("human/b.md", at("2021-01-01"));
    fixture.given("human/a.md", at("2021-01-01"));
    fixture.given("human/new.md", at("2022-01-01"));
    expect((await fixture.store.list()).map(({ path }) => path)).toEqual(["new.md", "a.md", "b.md", "old.md"]);
  });

  it("is of crumpled notes only where that is asked, and of the others else", async () => {
    fixture.given("human/a.md", "---\ncrumpledAt: 2020-01-01\n---\n");
    fixture.given("human/b.md", "");
    expect([await addresses(), await addresses(undefined, true)]).toEqual([["@human/b.md"], ["@human/a.md"]]);
    const found = await Promise.all([undefined, false, true].map((crumpled) => fixture.store.search([], { crumpled })));
    expect(found.map((rows) => rows.map(({ address }) => address))).toEqual([
      ["@human/b.md"],
      ["@human/b.md"],
      ["@human/a.md"],
    ]);
  });

  it("counts no access", async () => {
    const file = fixture.given("human/a.md", "---\norigin: self\n---\nx");
    const { ino } = statSync(file);
    await fixture.store.list();
    await fixture.store.search(["x"]);
    expect(statSync(file).ino).toBe(ino);
  });
});

describe("links in the home", () => {
  it("are followed, and one that leads in a circle is walked once", async () => {
    fixture.given("human/a/x.md", "x");
    symlinkSync("..", join(fixture.home, "human", "a", "up"));
    symlinkSync("a", join(fixture.home, "human", "b"));
    expect(await addresses("@human/**")).toEqual(["@human/a/x.md", "@human/b/x.md"]);
  });

  it("that lead to each other in more ways than can be counted are followed within bounds, and what is beyond is named", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `f${index}`);
    for (const name of names) {
      fixture.given(`human/${name}/x.md`, "x");
      for (const other of names)
        if (other !== name) symlinkSync(`../${other}`, join(fixture.home, "human", name, other));
    }
    const { found, status } = await withStatus(fixture.store, "@human/**");
    expect(found.length).toBeLessThanOrEqual(8 * 16);
    for (const name of names) expect(found).toContain(`@human/${name}/x.md`);
    expect(status.notesUnavailable.length).toBeGreaterThan(0);
  });

  it("that dangle are nothing", async () => {
    fixture.given("human/a.md", "x");
    symlinkSync("nowhere.md", join(fixture.home, "human", "b.md"));
    expect(await withStatus(fixture.store)).toEqual({
      found: ["@human/a.md"],
      status: { namespacesUnavailable: [], notesUnavailable: [] },
    });
  });
});

it("lists and searches with another store's notes in one home", async () => {
  const other = createNotesStore(identityIn(fixture.home, { agent: "other" }));
  await other.write("@self/a", "found by all");
  expect(await addresses("@agents/other/**")).toEqual(["@agents/other/a.md"]);
  expect((await fixture.store.search(["FOUND"], { glob: "**" })).map(({ address }) => address)).toEqual([
    "@agents/other/a.md",
  ]);
});
