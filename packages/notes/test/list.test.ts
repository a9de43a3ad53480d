import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore, type NoteQueryStatus } from "../src/index.ts";
import { inTurn } from "../src/turns.ts";
import { identityIn } from "./identities.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let fixture: StoreFixture;
beforeEach(async () => {
  fixture = await storeFixture();
});
const addresses = async (glob?: string, crumpled?: boolean): Promise<string[]> =>
  (await fixture.store.list({ glob, crumpled })).map(({ address }) => address).toSorted();
async function withStatus(glob?: string): Promise<{ found: string[]; status: NoteQueryStatus }> {
  const statuses: NoteQueryStatus[] = [];
  const rows = await fixture.store.list({ glob, onStatus: (status) => void statuses.push(status) });
  const [status] = statuses;
  if (status === undefined || statuses.length !== 1) throw new Error("onStatus is called once");
  return { found: rows.map(({ address }) => address).toSorted(), status };
}
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
      expect(await withStatus("*/*")).toEqual(closed);
      expect((await withStatus("a/*")).status.notesUnavailable).toEqual([]);
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
      expect((await withStatus()).status.namespacesUnavailable).toEqual([
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

describe("what cannot be read", () => {
  it("is named, and the rest is given", async () => {
    for (let index = 0; index < 10; index++) fixture.given(`human/good${index}.md`, "x");
    fixture.given("human/bad.md", Buffer.from([0x61, 0xe9]));
    fixture.given("human/large.md", "x".repeat(1_048_577));
    mkdirSync(join(fixture.home, "human", "folder.md"));
    const { found, status } = await withStatus();
    expect(found.filter((address) => address.includes("good"))).toHaveLength(10);
    expect(status).toEqual({
      namespacesUnavailable: [],
      notesUnavailable: [
        { address: "@human/bad.md", code: "not_utf8" },
        { address: "@human/large.md", code: "too_large" },
      ],
    });
  });

  it("is named by a search too, once, before the search resolves", async () => {
    fixture.given("human/good.md", "x");
    fixture.given("human/bad.md", Buffer.from([0x78, 0xe9]));
    fixture.given("human/large.md", "x".repeat(1_048_577));
    const told: (NoteQueryStatus | string)[] = [];
    const rows = await fixture.store.search(["x"], { onStatus: (status) => void told.push(status) });
    told.push("resolved");
    expect(rows.map(({ address }) => address)).toEqual(["@human/good.md"]);
    expect(told).toEqual([
      {
        namespacesUnavailable: [],
        notesUnavailable: [
          { address: "@human/bad.md", code: "not_utf8" },
          { address: "@human/large.md", code: "too_large" },
        ],
      },
      "resolved",
    ]);
  });

  it("because it is too large is listed with its size", async () => {
    fixture.given("human/large.md", "x".repeat(2_000_000));
    expect(await fixture.store.list()).toMatchObject([{ address: "@human/large.md", bytes: 2_000_000, body: "" }]);
    expect(await fixture.store.search([])).toEqual([]);
  });

  it("because a link leads out of the home is named and not followed", async () => {
    const outside = await temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "secret");
    fixture.given("human/a.md", "x");
    symlinkSync(outside, join(fixture.home, "human", "skills"));
    symlinkSync(join(outside, "secret.md"), join(fixture.home, "human", "s.md"));
    mkdirSync(join(fixture.home, "agents"));
    symlinkSync(outside, join(fixture.home, "agents", "pi"));
    const { found, status } = await withStatus();
    expect(found).toEqual(["@human/a.md"]);
    expect(status).toEqual({
      namespacesUnavailable: ["@self"],
      notesUnavailable: [
        { address: "@human/s.md", code: "outside_home" },
        { address: "@human/skills", code: "outside_home" },
      ],
    });
    expect(await fixture.store.search(["secret"])).toEqual([]);
  });

  it("because its name is another form of another's is named as shadowed", async () => {
    fixture.given("human/cafe\u0301.md", "decomposed");
    fixture.given("human/caf\u00e9.md", "composed");
    const { status } = await withStatus();
    expect(status.notesUnavailable).toEqual([{ address: "@human/caf\u00e9.md", code: "shadowed" }]);
    expect((await fixture.store.list()).map(({ body }) => body)).toEqual(["composed"]);
  });

  it("because its name is none that an address can hold is named", async () => {
    fixture.given("human/a:b.md", "x");
    fixture.given("human/con.md", "x");
    fixture.given(`${SESSION}/@x.md`, "x");
    expect((await withStatus()).status.notesUnavailable.map(({ address, code }) => `${address} ${code}`)).toEqual([
      "@human/a:b.md invalid_address",
      "@human/con.md invalid_address",
      "@x.md invalid_address",
    ]);
  });

  it("because its name on disk is not UTF-8 is named", async () => {
    fixture.given("human/a.md", "x");
    writeFileSync(
      Buffer.concat([Buffer.from(join(fixture.home, "human", "b")), Buffer.from([0xff]), Buffer.from(".md")]),
      "x",
    );
    expect(await withStatus()).toEqual({
      found: ["@human/a.md"],
      status: { namespacesUnavailable: [], notesUnavailable: [{ address: "@human/b\ufffd.md", code: "not_utf8" }] },
    });
  });

  it("because a file is in the place of the home is refused", async () => {
    writeFileSync(fixture.home, "a file");
    expect(await refusal(fixture.store.list())).toMatchObject({
      code: "io",
      message: expect.stringContaining("(ENOTDIR)"),
    });
  });

  it("is named only where the glob could match it", async () => {
    fixture.given("human/cafe\u0301.md", "decomposed");
    fixture.given("human/caf\u00e9.md", "composed");
    fixture.given("human/good.md", "x");
    expect((await withStatus("@human/good.md")).status.notesUnavailable).toEqual([]);
  });

  it("is not what is missing: a missing folder is an empty notebook", async () => {
    expect(await withStatus("**")).toEqual({ found: [], status: { namespacesUnavailable: [], notesUnavailable: [] } });
  });

  it.runIf(isRoot)("because its folder is closed is named by its namespace, and the others are given", async () => {
    fixture.given("human/a.md", "x");
    fixture.given(`${PROJECT}/a.md`, "x");
    fixture.given(`${SESSION}/deep/a.md`, "x");
    for (const path of ["", "human", "project", "pi", "pi/session", SESSION])
      chmodSync(join(fixture.home, path), 0o755);
    chmodSync(join(fixture.home, ".."), 0o755);
    chmodSync(join(fixture.home, PROJECT), 0);
    chmodSync(join(fixture.home, SESSION, "deep"), 0);
    chmodSync(join(fixture.home, "human", "a.md"), 0o644);
    process.seteuid?.(NOBODY);
    try {
      expect(await withStatus()).toEqual({
        found: ["@human/a.md"],
        status: { namespacesUnavailable: ["@project"], notesUnavailable: [{ address: "deep/", code: "io" }] },
      });
    } finally {
      process.seteuid?.(0);
    }
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
    const { found, status } = await withStatus("@human/**");
    expect(found.length).toBeLessThanOrEqual(8 * 16);
    for (const name of names) expect(found).toContain(`@human/${name}/x.md`);
    expect(status.notesUnavailable.length).toBeGreaterThan(0);
  });

  it("that dangle are nothing", async () => {
    fixture.given("human/a.md", "x");
    symlinkSync("nowhere.md", join(fixture.home, "human", "b.md"));
    expect(await withStatus()).toEqual({
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

describe("a query", () => {
  const found = async (glob?: string): Promise<string[]> => {
    const [rows, hits] = await Promise.all([fixture.store.list({ glob }), fixture.store.search(["body"], { glob })]);
    expect(hits.map(({ address }) => address)).toEqual(rows.map(({ address }) => address).toSorted());
    return hits.map(({ address }) => address);
  };

  it.each<[string, string | undefined]>([
    ["@project/new.md", undefined],
    ["@human/deep/new.md", "@human/**"],
    ["new.md", "*.md"],
  ])("finds a note that was asked to be made before it: %s", async (address, glob) => {
    const writing = fixture.store.write(address, "body");
    expect(await found(glob)).toEqual([address]);
    await writing;
  });

  it("finds the note of another identity that was asked to be made before it, in a notebook that is not there yet", async () => {
    const other = createNotesStore(identityIn(fixture.home, { sessionId: "other" }));
    const writing = other.write("new", "body");
    expect(await found("**")).toEqual(["@sessions/other/new.md"]);
    await writing;
  });

  it.each<[string, string]>([
    ["@human/a.md", "@project/b.md"],
    ["@project/b.md", "@human/a.md"],
    ["z.md", "a/deep/a.md"],
  ])("finds a note that was asked to be moved before it in its new place: %s to %s", async (from, to) => {
    await fixture.store.write(from, "body");
    const moving = fixture.store.rename(from, to);
    expect(await found()).toEqual([to]);
    await moving;
  });

  it("is answered also where what was asked for before it is refused", async () => {
    await fixture.store.write("a", "body");
    const refused = refusal(fixture.store.rename("missing", "b"));
    expect(await found()).toEqual(["a.md"]);
    expect((await refused).code).toBe("not_found");
  });

  it("waits for nothing that is asked for after it, and for nothing in another home", async () => {
    await fixture.store.write("a", "body");
    const [before, after, elsewhere] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const holds = [
      inTurn([join(fixture.home, "human", "before.md")], () => before.promise),
      inTurn([join(`${fixture.home}-2`, "human", "a.md")], () => elsewhere.promise),
    ];
    const queries = Promise.all([fixture.store.list(), fixture.store.search(["body"])]);
    holds.push(
      inTurn([join(fixture.home, "human", "before.md")], () => after.promise),
      inTurn([join(fixture.home, "human", "after.md")], () => after.promise),
    );
    let isAnswered = false;
    const answered = queries.then((rows) => {
      isAnswered = true;
      return rows;
    });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    before.resolve();
    expect((await answered).map((rows) => rows.map(({ address }) => address))).toEqual([["a.md"], ["a.md"]]);
    for (const { resolve } of [after, elsewhere]) resolve();
    await Promise.all(holds);
  });

  it("whose glob is none is refused before anything is waited for", async () => {
    const held = Promise.withResolvers<void>();
    const hold = inTurn([join(fixture.home, "human", "a.md")], () => held.promise);
    expect((await refusal(fixture.store.list({ glob: "" }))).code).toBe("invalid_glob");
    expect((await refusal(fixture.store.search(["x"], { glob: "@head/**" }))).code).toBe("unknown_scope");
    held.resolve();
    await hold;
  });

  it("is taken as it was in the moment of the call", async () => {
    fixture.given("human/a.md", "body");
    fixture.given(`${PROJECT}/b.md`, "body");
    const query = { glob: "@human/**" };
    const queries = [fixture.store.list(query), fixture.store.search(["body"], query)];
    query.glob = "@project/**";
    for (const rows of await Promise.all(queries)) expect(rows.map(({ address }) => address)).toEqual(["@human/a.md"]);
  });
});

describe("a search", () => {
  it("gives a row a note, by address, with a match a line", async () => {
    fixture.given("human/b.md", "one error\nfine\nERROR again, error\r\n");
    fixture.given("human/a.md", "İİ error 😀 here");
    fixture.given("human/c.md", "nothing");
    expect((await fixture.store.search(["error"])).map(({ address, matches }) => [address, matches])).toEqual([
      ["@human/a.md", [{ line: 1, text: "İİ error 😀 here", offsetChars: 3 }]],
      [
        "@human/b.md",
        [
          { line: 1, text: "one error", offsetChars: 4 },
          { line: 3, text: "ERROR again, error", offsetChars: 15 },
        ],
      ],
    ]);
  });

  it("gives a row of address, scope, path, metadata and matches, without the body", async () => {
    fixture.given(
      `${PROJECT}/deep/a.md`,
      "---\norigin: user\ncreatedAt: 2020-01-01T00:00:00.000Z\nupdatedAt: 2020-01-02T00:00:00.000Z\ntitle: x\n---\n\nbody",
    );
    expect(await fixture.store.search(["body"])).toEqual([
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
        matches: [{ line: 2, text: "body", offsetChars: 1 }],
      },
    ]);
  });

  it.each([[[]], [[""]], [["", ""]]])("for %j gives every selected note without matches", async (queries) => {
    fixture.given("human/a.md", "x");
    expect((await fixture.store.search(queries)).map(({ address, matches }) => [address, matches])).toEqual([
      ["@human/a.md", []],
    ]);
  });

  it("searches the body, not the frontmatter", async () => {
    fixture.given("human/a.md", "---\ntitle: needle\n---\nhay");
    expect(await fixture.store.search(["needle"])).toEqual([]);
  });
});
