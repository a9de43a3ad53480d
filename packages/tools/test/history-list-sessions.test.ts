import { openLiveSession } from "@notesoup/history";
import {
  checkArguments,
  type HistoryListArguments,
  type HistoryListResult,
  historyListTool,
  OUTPUT_BUDGET_BYTES,
  resultOf,
} from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { historyList, historyToolContext, type HistoryToolContext } from "../src/index.ts";
import {
  eventRows,
  historyFixture,
  type HistoryFixture,
  listed,
  liveContext,
  PiRecords,
  prompts,
  seqsOf,
  START,
  visited,
  withUnreadable,
} from "./history-fixture.ts";
import { code, fits } from "./notes-fixture.ts";

let session: PiRecords;

let history: HistoryFixture;

beforeEach(async () => {
  session = new PiRecords();
  history = await historyFixture();
});

/** A context in which the session is the live one, as it is now. */
const now = (): HistoryToolContext => liveContext(session);

describe("a session that is named", () => {
  it("stands by its canonical name on the result, its rows and its recipes, even where it is the live one", async () => {
    session.user("a needle");
    session.run("c1", {}, "1");
    session.run("c2", {}, "2");
    session.user("b");
    const context = historyToolContext({
      live: () => openLiveSession(session.live),
      corpus: () => history.corpus(session.live),
    });
    const name = "pi:live-session";
    for (const selector of [name, "live-session", "live-s"]) {
      const page = await listed(context, { session: selector, limit: 2 });
      expect(page).toMatchObject({
        session: name,
        items: [{ expand: { session: name } }, { session: name, seq: 5 }],
        page_older: { session: name },
      });
      const found = await listed(context, { session: selector, query: "needle" });
      expect(eventRows(found)[0]?.neighborhood).toMatchObject({ session: name });
      expect(await visited(context, { session: selector, limit: 1 })).toEqual(session.addresses);
    }
    expect(JSON.stringify(await listed(context, { limit: 1 }))).not.toContain("session");
  });

  it("tells what of it could not be read, only where there is any", async () => {
    session.user("a");
    history.given(session, `${session.file}no json\n`);
    const answer = await historyList(history.context, { session: "live-session" });
    expect(resultOf(answer.outcome)).toMatchObject({ damage: { lines: 1, bytes: 7 } });
    history.given(session);
    expect(await listed(history.context, { session: "live-session" })).not.toHaveProperty("damage");
  });
});

describe("all sessions", () => {
  const list = (args: HistoryListArguments = {}): Promise<HistoryListResult> =>
    listed(history.context, { session: "*", ...args });

  it("are listed by an event each, the last active first, with their names and without pages", async () => {
    const first = new PiRecords("session-1");
    first.context("boot");
    first.user("the first prompt");
    first.user("another");
    history.given(first);
    const second = new PiRecords("session-2");
    second.context("no prompt yet");
    history.given(second);
    const page = await list();
    expect(page).toEqual({
      items: [
        expect.objectContaining({ session: "pi:session-2", seq: 0, role: "context", text: "no prompt yet" }),
        expect.objectContaining({ session: "pi:session-1", seq: 1, role: "user", text: "the first prompt" }),
      ],
      page_older: null,
      page_newer: null,
    });
    expect(await list({ roles: [] })).toEqual(page);
    expect(Check(historyListTool.success, page)).toBe(true);
    expect((await list({ session: "claude:*" })).items).toEqual([]);
  });

  it("are searched for a text, and each hit names its session, also in what stands around it", async () => {
    for (const id of ["session-1", "session-2", "session-3"]) {
      const made = prompts(2, id);
      if (id !== "session-2") made.run("c1", {}, "a needle");
      history.given(made);
    }
    const call: HistoryListArguments = { session: "pi:*", query: "needle" };
    const hits = eventRows(await listed(history.context, call));
    expect(hits.map(({ session: name, seq }) => [name, seq])).toEqual([
      ["pi:session-3", 2],
      ["pi:session-1", 2],
    ]);
    for (const hit of hits) {
      expect(hit.neighborhood).toMatchObject({ session: hit.session });
      const around = await listed(history.context, { ...call, ...hit.neighborhood });
      expect([around.session, seqsOf(around)]).toEqual([hit.session, [0, 1, 2]]);
    }
  });

  it("that were left out are counted", async () => {
    for (const id of ["session-1", "session-2", "session-3"]) history.given(prompts(2, id));
    expect(await list()).not.toHaveProperty("more");
    expect((await list({ limit: 1 })).more).toEqual({ sessions: 2 });
    expect((await list({ limit: 1, query: "prompt" })).more).toEqual({ sessions: 2, hits: true });
    expect((await list({ limit: 2, query: "prompt" })).more).toEqual({ sessions: 2 });
    expect((await list({ limit: 5, query: "prompt" })).more).toEqual({ hits: true });
    expect(await list({ limit: 6, query: "prompt" })).not.toHaveProperty("more");
  });

  it("of which the rows do not all fit are counted by session, or their hits by number if nothing is unread", async () => {
    for (let index = 0; index < 30; index++) {
      const made = new PiRecords(`session-${index}`);
      made.user(`needle ${"界".repeat(900)}`);
      made.user("needle");
      history.given(made);
    }
    const large: HistoryListArguments = { max_chars_per_item: 1000, limit: 200 };
    const browsed = await list(large);
    expect(browsed.items.length).toBeGreaterThan(5);
    expect(browsed.more).toEqual({ sessions: 30 - browsed.items.length });
    const found = await list({ ...large, query: "needle" });
    expect(found.more).toEqual({ hits: 60 - found.items.length });
    const unread = await list({ ...large, query: "needle", limit: 50 });
    expect(unread.more).toEqual({ sessions: 5, hits: true });
    for (const page of [browsed, found, unread]) expect(fits(page, renderHistoryList, (text) => text)).toBe(true);
  });

  it("that cannot be read are skipped, and named with a code", async () => {
    for (const id of ["session-1", "session-2"]) history.given(prompts(1, id));
    const context = historyToolContext({
      corpus: () => withUnreadable(history.corpus(), (name) => name === "pi:session-2"),
    });
    for (const args of [{}, { query: "prompt" }]) {
      const answer = await historyList(context, { session: "*", ...args });
      expect(resultOf(answer.outcome)).toMatchObject({
        items: [{ session: "pi:session-1" }],
        sessions_unreadable: [{ session: "pi:session-2", code: "session_unreadable" }],
      });
      expect(resultOf(answer.outcome)).not.toHaveProperty("more_unreadable");
      expect(answer.text).toContain("\nunreadable session pi:session-2 · session_unreadable");
    }
    expect(code(await historyList(context, { session: "session-2" }))).toBe("session_unreadable");
  });

  it("that cannot be read are named up to 20, and counted beyond, with room for one row before them", async () => {
    const long = "x".repeat(180);
    for (let index = 10; index < 35; index++) history.given(prompts(1, `${long}-${index}`));
    const good = new PiRecords("good-session");
    good.user("y".repeat(OUTPUT_BUDGET_BYTES - 1500));
    history.given(good);
    const context = historyToolContext({
      corpus: () => withUnreadable(history.corpus(), (name) => name !== "pi:good-session"),
    });
    const page = await listed(context, { session: "*" });
    expect([page.items.length, page.sessions_unreadable?.length, page.more_unreadable]).toEqual([1, 20, 5]);
    const tight = await listed(context, { session: "*", max_chars_per_item: OUTPUT_BUDGET_BYTES });
    const named = tight.sessions_unreadable?.length ?? 0;
    expect(tight.items).toHaveLength(1);
    expect(named).toBeGreaterThan(0);
    expect(named).toBeLessThan(20);
    expect(named + (tight.more_unreadable ?? 0)).toBe(25);
  });

  it("take no bounds by seq: wildcard_bounds", async () => {
    for (const args of [{ before_seq: 5 }, { after_seq: 5 }, { after_seq: -1, before_seq: 9 }])
      expect(code(await historyList(history.context, { session: "*", ...args }))).toBe("wildcard_bounds");
  });

  it("are within a span of time too", async () => {
    history.given(prompts(3, "session-1"));
    const since = new Date(START + 2000).toISOString();
    expect(eventRows(await list({ since })).map(({ seq }) => seq)).toEqual([2]);
    expect(eventRows(await list({ since, query: "prompt" })).map(({ seq }) => seq)).toEqual([2]);
  });
});

describe("a refused list", () => {
  it.each<[string, object]>([
    ["invalid_range", { limit: 0 }],
    ["invalid_range", { limit: 201 }],
    ["invalid_range", { limit: 1.5 }],
    ["invalid_range", { limit: "5" }],
    ["invalid_range", { max_chars_per_item: 0 }],
    ["invalid_range", { max_chars_per_item: Number.NaN }],
    ["invalid_range", { before_seq: 1.5 }],
    ["invalid_range", { after_seq: "1" }],
    ["invalid_range", { after_seq: 5, before_seq: 5 }],
    ["invalid_range", { after_seq: 5, before_seq: 4 }],
    ["invalid_range", { since: "2026-01-02", until: "2026-01-02" }],
    ["invalid_range", { since: "2026-01-02", until: "2026-01-01" }],
    ["invalid_range", { query: "x".repeat(10_001) }],
    ["invalid_range", { query: ["x".repeat(9_999), "", "yy"] }],
    ["invalid_time", { since: "soon" }],
    ["invalid_text", { query: 5 }],
    ["invalid_text", { query: ["a", null] }],
    ["invalid_text", { roles: "user" }],
    ["invalid_text", { roles: ["user", "system"] }],
    ["invalid_text", { roles: [5] }],
    ["invalid_text", { from: "last" }],
    ["invalid_text", { session: 5 }],
  ])("opens nothing where its arguments are wrong: %s, %j", async (expected, args) => {
    const opened = (): never => {
      throw new Error("opened");
    };
    const answer = await historyList(historyToolContext({ live: opened, corpus: opened }), args);
    expect(code(answer)).toBe(expected);
    expect(answer.text).not.toContain("\n");
  });

  it("has no session where there is none of the name, or the host has none to give", async () => {
    history.given(prompts(1, "session-a"));
    history.given(prompts(1, "session-b"));
    expect(code(await historyList(history.context, { session: "nowhere" }))).toBe("session_not_found");
    expect(code(await historyList(history.context, { session: "sess" }))).toBe("session_not_found");
    const ambiguous = await historyList(history.context, { session: "session" });
    expect(code(ambiguous)).toBe("ambiguous_session");
    expect(ambiguous.text).toMatch(/pi:session-b.*pi:session-a/u);
    const withoutLive = await historyList(history.context, {});
    expect(code(withoutLive)).toBe("session_not_found");
    expect(withoutLive.text).toContain("name one");
    expect(code(await historyList(now(), { session: "*" }))).toBe("session_not_found");
  });

  it("takes what a query may have at the most, and bounds that leave room for one event", async () => {
    session = prompts(3);
    expect((await listed(now(), { query: ["x".repeat(10_000), ""] })).items).toEqual([]);
    expect(seqsOf(await listed(now(), { after_seq: 0, before_seq: 2, limit: 200 }))).toEqual([1]);
    expect(seqsOf(await listed(now(), { after_seq: 0, before_seq: 1 }))).toEqual([]);
    expect(checkArguments(historyListTool, { query: ["x"], limit: 200 }).ok).toBe(true);
  });
});
