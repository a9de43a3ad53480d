import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { inTurn } from "../src/turns.ts";
import { identityIn } from "./identities.ts";
import { PROJECT, refusal, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
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
