import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { HistoryCorpus } from "../src/corpus.ts";
import { PlainBytes } from "../src/session-bytes.ts";
import { listAcrossSessions, type WildcardPage, type WildcardQuery } from "../src/wildcard.ts";
import { claudeSession, dshSession, piSession, TestHome } from "./corpus-fixture.ts";

const list = (corpus: HistoryCorpus, query: Partial<WildcardQuery> = {}): Promise<WildcardPage> =>
  listAcrossSessions(corpus, { harness: undefined, queries: [], limit: 100, maxChars: 100, ...query });
const rowsOf = ({ rows }: WildcardPage): string[] =>
  rows.map(({ session, event, text }) => `${session} ${event.seq} ${text}`);

const homeOfThree = async (): Promise<TestHome> => {
  const home = await TestHome.create();
  await home.pi("one", piSession(["first needle", "second", "third needle"]), 30);
  await home.claude("two", claudeSession(["hello", "needle here"]), 20);
  await home.dsh("three", dshSession(["a needle"]), 10);
  return home;
};

describe("a query over sessions with a text to search for", () => {
  it("gives the hits of all of them, the last active first, in a session the newest first", async () => {
    const page = await list((await homeOfThree()).corpus(), { queries: ["NEEDLE"] });
    expect(rowsOf(page)).toEqual([
      "pi:one 2 third needle",
      "pi:one 0 first needle",
      "claude:two 1 needle here",
      "dsh:three 0 a needle",
    ]);
    expect(page.rows[0]?.matchOffsetChars).toBe(6);
    expect(page).toMatchObject({ unreadable: [], moreSessions: 0, hasMoreHits: false });
  });

  it("gives those of one harness, of a role, and of a time", async () => {
    const corpus = (await homeOfThree()).corpus();
    expect(rowsOf(await list(corpus, { queries: ["needle"], harness: "claude" }))).toEqual([
      "claude:two 1 needle here",
    ]);
    expect(rowsOf(await list(corpus, { queries: ["needle"], roles: ["assistant"] }))).toEqual([]);
    expect(rowsOf(await list(corpus, { queries: ["needle"], since: Date.UTC(2026, 11, 1) }))).toEqual([]);
  });

  it.each([
    [4, { moreSessions: 0, hasMoreHits: false }],
    [3, { moreSessions: 1, hasMoreHits: false }],
    [2, { moreSessions: 2, hasMoreHits: false }],
    [1, { moreSessions: 2, hasMoreHits: true }],
  ])("stops at %d hits, and tells what it has not looked at: %j", async (limit, more) => {
    const page = await list((await homeOfThree()).corpus(), { queries: ["needle"], limit });
    expect(page.rows).toHaveLength(limit);
    expect(page).toMatchObject(more);
  });

  it("finds what the bytes cannot tell, and nothing where nothing is", async () => {
    const corpus = (await homeOfThree()).corpus();
    expect(await list(corpus, { queries: ["n n"], limit: 5 })).toMatchObject({ rows: [] });
    expect(rowsOf(await list(corpus, { queries: ["t n"], limit: 5 }))).toEqual(["pi:one 0 first needle"]);
  });
});

describe("a query over sessions without a text to search for", () => {
  it("gives the first prompt of each, else its first event", async () => {
    const home = await homeOfThree();
    await home.pi("four", piSession(["only words of the model", "more"], {}, "assistant"), 40);
    await home.pi("empty", piSession([]), 50);
    for (const query of [{}, { queries: [""] }, { roles: [] }]) {
      expect(rowsOf(await list(home.corpus(), query))).toEqual([
        "pi:four 0 only words of the model",
        "pi:one 0 first needle",
        "claude:two 0 hello",
        "dsh:three 0 a needle",
      ]);
    }
  });

  it("gives the first of the roles that are asked for", async () => {
    const home = await homeOfThree();
    await home.pi("four", piSession(["words of the model"], {}, "assistant"), 40);
    expect(rowsOf(await list(home.corpus(), { roles: ["assistant"] }))).toEqual(["pi:four 0 words of the model"]);
  });

  it("ends when enough sessions have given one, and counts those that were not looked at", async () => {
    const page = await list((await homeOfThree()).corpus(), { limit: 2 });
    expect(rowsOf(page)).toHaveLength(2);
    expect(page).toMatchObject({ moreSessions: 1, hasMoreHits: false });
  });
});

describe("a session that cannot be read", () => {
  it.each([[["needle"]], [[]]])("is named, and the others are looked into, searching for %j", async (queries) => {
    const home = await homeOfThree();
    await home.dsh("newer", dshSession(["needle"], { version: 9 }), 25);
    const page = await list(home.corpus(), { queries });
    expect(page.unreadable).toEqual([{ session: "dsh:newer", code: "session_unreadable" }]);
    expect(new Set(page.rows.map(({ session }) => session))).toEqual(new Set(["pi:one", "claude:two", "dsh:three"]));
  });

  it("is named, where it was there when they were found and is not any more", async () => {
    const home = await homeOfThree();
    const path = await home.claude("gone", claudeSession(["needle"]), 25);
    const corpus = home.corpus();
    const sessions = await corpus.sessions();
    await rm(path);
    const found = {
      ...corpus,
      sessions: () => Promise.resolve(sessions),
      open: corpus.open.bind(corpus),
      mayHold: corpus.mayHold.bind(corpus),
      select: corpus.select.bind(corpus),
    };
    for (const queries of [["needle"], []]) {
      const page = await list(found, { queries });
      expect(page.unreadable).toEqual([{ session: "claude:gone", code: "session_unreadable" }]);
    }
  });
});

describe("what a fork has copied", () => {
  const original = piSession(["a needle"]);
  const clone = (parent: string): ReturnType<typeof piSession> => [
    {
      type: "session",
      version: 3,
      id: "clone",
      timestamp: "2026-11-30T11:00:00.000Z",
      cwd: "/work",
      parentSession: parent,
    },
    ...original.slice(1),
    {
      type: "message",
      id: "own",
      parentId: "e0",
      timestamp: "2026-11-30T12:00:00.000Z",
      message: { role: "user", content: "own needle" },
    },
  ];

  it("is shown once, at its origin, and what the fork has of its own there", async () => {
    const home = await TestHome.create();
    const parent = await home.pi("origin", original, 10);
    await home.pi("clone", clone(parent), 20);
    expect(rowsOf(await list(home.corpus(), { queries: ["needle"] }))).toEqual([
      "pi:clone 1 own needle",
      "pi:origin 0 a needle",
    ]);
  });

  it("is shown in the fork, where the origin says it on another branch, or cannot be read", async () => {
    const home = await TestHome.create();
    const parent = await home.pi("origin", original, 10);
    await home.pi("clone", clone(parent), 20);
    const other = { ...piSession(["another way"])[1], id: "other", parentId: null };
    await home.pi("origin", [...original, other], 10);
    expect(rowsOf(await list(home.corpus(), { queries: ["needle"] }))).toEqual([
      "pi:clone 1 own needle",
      "pi:clone 0 a needle",
    ]);
    await home.dsh("unreadable", dshSession(["a pin"], { version: 9 }), 1);
    await home.dsh("fork", dshSession(["a pin", "own pin"], { parentSession: "unreadable", seedLength: 1 }), 2);
    expect(rowsOf(await list(home.corpus(), { queries: ["pin"] }))).toEqual(["dsh:fork 1 own pin", "dsh:fork 0 a pin"]);
  });

  it("is shown in the fork, where the origin is not there", async () => {
    const home = await TestHome.create();
    await home.pi("clone", clone("/nowhere/2026-11-30T10-00-00-000Z_origin.jsonl"), 20);
    expect(rowsOf(await list(home.corpus(), { queries: ["needle"] }))).toEqual([
      "pi:clone 1 own needle",
      "pi:clone 0 a needle",
    ]);
  });

  it("is shown in a session that is its own parent, and in two that name each other", async () => {
    const home = await TestHome.create();
    const path = (id: string): string => join(home.root, `pi/--work--/2026-11-30T10-00-00-000Z_${id}.jsonl`);
    await home.pi("self", piSession(["a needle"], { parentSession: path("self") }), 10);
    await home.pi("one", piSession(["a needle"], { parentSession: path("other") }), 20);
    await home.pi("other", piSession(["a needle"], { parentSession: path("one") }), 30);
    expect(rowsOf(await list(home.corpus(), { queries: ["needle"] }))).toEqual([
      "pi:other 0 a needle",
      "pi:one 0 a needle",
      "pi:self 0 a needle",
    ]);
  });

  it("is shown at the origin, where the origin is a fork itself, and where its file was moved", async () => {
    const home = await TestHome.create();
    await home.pi("origin", original, 10);
    await home.pi("middle", clone("/moved/2026-11-30T10-00-00-000Z_origin.jsonl"), 20);
    await home.pi("last", clone("/moved/2026-11-30T10-00-00-000Z_middle.jsonl"), 30);
    expect(rowsOf(await list(home.corpus(), { queries: ["needle"] }))).toEqual([
      "pi:last 1 own needle",
      "pi:middle 1 own needle",
      "pi:origin 0 a needle",
    ]);
  });

  it("has each document of the origin read once, however many copies there are of one time", async () => {
    const home = await TestHome.create();
    const said = piSession(Array.from({ length: 300 }, (_, at) => `needle ${at}`));
    const parent = await home.pi("origin", said, 10);
    await home.pi("clone", [{ ...said[0], parentSession: parent }, ...said.slice(1)], 20);
    const reads = vi.spyOn(PlainBytes.prototype, "read");
    const page = await list(home.corpus(), { queries: ["needle"], limit: 400 });
    const { length } = reads.mock.calls;
    reads.mockRestore();
    expect(page.rows).toHaveLength(300);
    expect(new Set(page.rows.map(({ session }) => session))).toEqual(new Set(["pi:origin"]));
    expect(length).toBeLessThan(3 * 300 + 100);
  });

  it("is not looked through without end: behind a thousand copies, more hits may be left", async () => {
    const home = await TestHome.create();
    const said = piSession(Array.from({ length: 1100 }, (_, at) => `needle ${at}`));
    const parent = await home.pi("origin", said, 10);
    await home.pi("clone", [{ ...said[0], parentSession: parent }, ...said.slice(1)], 20);
    const page = await list(home.corpus(), { queries: ["needle"], limit: 2000 });
    expect(page.rows.filter(({ session }) => session === "pi:origin")).toHaveLength(1100);
    expect(page).toMatchObject({ hasMoreHits: true, moreSessions: 0 });
  });
});
