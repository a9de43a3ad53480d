import { openLiveSession } from "@notesoup/history";
import {
  checkArguments,
  type HistoryItem,
  type HistoryListArguments,
  type HistoryListResult,
  historyListTool,
  OUTPUT_BUDGET_BYTES,
  resultOf,
} from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import { countCodePoints } from "@notesoup/text";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { historyList, historyToolContext, type HistoryToolContext } from "../src/index.ts";
import {
  awkwardTexts,
  eventRows,
  historyFixture,
  type HistoryFixture,
  isFolded,
  listed,
  liveContext,
  pagesOf,
  PiRecords,
  read,
  sessionOf,
  START,
  steps,
  visited,
  withUnreadable,
} from "./history-fixture.ts";
import { bytes, code, decorators, fits } from "./notes-fixture.ts";

let session: PiRecords;
let history: HistoryFixture;
beforeEach(async () => {
  session = new PiRecords();
  history = await historyFixture();
});

/** A context in which the session is the live one, as it is now. */
const now = (): HistoryToolContext => liveContext(session);

const seqs = (page: HistoryListResult): (number | string)[] =>
  page.items.map((item) => (isFolded(item) ? `${item.folded.from_seq}–${item.folded.to_seq}` : item.seq));

/** A session of so many prompts, `prompt 0` and so on. */
function prompts(count: number, id?: string): PiRecords {
  const made = new PiRecords(id);
  for (let index = 0; index < count; index++) made.user(`prompt ${index}`);
  return made;
}

describe("history_list of the live session", () => {
  it("lists events ascending by seq with the beginnings of their documents, and names no session", async () => {
    session.user("Remember: plain files.");
    session.assistant("Noted.");
    session.run("c1", { command: "ls" }, "a.txt", { fullOutputPath: "/tmp/out.log" });
    const answer = await historyList(now(), { max_chars_per_item: 10 });
    expect(resultOf(answer.outcome)).toEqual({
      items: [
        { seq: 0, role: "user", created_at: "2026-01-01T00:00:00.000Z", text: "Remember: ", more_chars: 12 },
        { seq: 1, role: "assistant", created_at: "2026-01-01T00:00:01.000Z", text: "Noted." },
        {
          seq: 2,
          role: "tool",
          created_at: "2026-01-01T00:00:02.000Z",
          tool: "bash",
          tool_status: "ok",
          output_truncated: true,
          full_output_path: "/tmp/out.log",
          text: "bash · ok\n",
          more_chars: expect.any(Number),
        },
      ],
      page_older: null,
      page_newer: null,
    });
    expect(Check(historyListTool.result, resultOf(answer.outcome))).toBe(true);
    expect(answer.text).toBe(renderHistoryList(resultOf(answer.outcome) as HistoryListResult));
  });

  it("folds what stands between two messages, and a fold of one event is the event", async () => {
    session.user("go");
    session.run("c1", {}, "1");
    session.context("reminder");
    session.run("c2", {}, "2", { tool: "__proto__" });
    session.assistant("done");
    session.context("alone");
    const page = await listed(now(), {});
    expect(seqs(page)).toEqual([0, "1–4", 6, 7]);
    expect(page.items[1]).toEqual({
      folded: { from_seq: 1, to_seq: 4, events: 3, tools: { bash: 1, context: 1, ["__proto__"]: 1 } },
      expand: { after_seq: 0, before_seq: 5, roles: ["tool", "context"], from: "oldest" },
    });
    expect(await visited(now(), {})).toEqual(session.addresses);
  });

  it.each<[string, HistoryListArguments]>([
    ["roles", { roles: ["tool", "context"] }],
    ["a query", { query: "out" }],
  ])("does not fold with %s", async (_, args) => {
    session.run("c1", {}, "out");
    session.run("c2", {}, "out");
    expect(seqs(await listed(now(), args))).toEqual([0, 2]);
  });

  it.each<HistoryListArguments>([{ query: "" }, { query: [] }, { query: ["", ""] }, { roles: [] }])(
    "folds, for nothing is searched or filtered, with %j",
    async (args) => {
      session.run("c1", {}, "out");
      session.run("c2", {}, "out");
      expect(seqs(await listed(now(), args))).toEqual(["0–2"]);
    },
  );

  it("has no rows of a session in which nothing has happened", async () => {
    const answer = await historyList(now(), {});
    expect(resultOf(answer.outcome)).toEqual({ items: [], page_older: null, page_newer: null });
    expect(answer.text).toBe("no events found");
  });

  it("counts 20 rows from the newest where nothing else is said, and the other end where it is", async () => {
    session = prompts(30);
    const newest = await listed(now(), {});
    expect([newest.items.length, seqs(newest)[0], seqs(newest).at(-1)]).toEqual([20, 10, 29]);
    expect(seqs(await listed(now(), { from: "oldest", limit: 2 }))).toEqual([0, 1]);
    expect(seqs(await listed(now(), { after_seq: 4, before_seq: 8 }))).toEqual([5, 6, 7]);
  });
});

describe("the recipes of a page", () => {
  it("carry both bounds of the range that they continue, open ones as the session has them", async () => {
    session = prompts(10);
    expect(await listed(now(), { limit: 3 })).toMatchObject({
      page_older: { from: "newest", after_seq: -1, before_seq: 7 },
      page_newer: null,
    });
    expect(await listed(now(), { limit: 3, from: "oldest" })).toMatchObject({
      page_older: null,
      page_newer: { from: "oldest", after_seq: 2, before_seq: 10 },
    });
    expect(await listed(now(), { limit: 3, after_seq: 1, before_seq: 8 })).toMatchObject({
      page_older: { from: "newest", after_seq: 1, before_seq: 5 },
    });
    expect(await listed(now(), { limit: 3, after_seq: 1, before_seq: 8, from: "oldest" })).toMatchObject({
      page_newer: { from: "oldest", after_seq: 4, before_seq: 8 },
    });
  });

  it("are null exactly where the call's range has no more rows on that side", async () => {
    session = prompts(10);
    const ends = async (args: HistoryListArguments): Promise<boolean[]> => {
      const { page_older: older, page_newer: newer } = await listed(now(), args);
      return [older !== null, newer !== null];
    };
    expect(await ends({ limit: 10 })).toEqual([false, false]);
    expect(await ends({ limit: 9 })).toEqual([true, false]);
    expect(await ends({ limit: 9, from: "oldest" })).toEqual([false, true]);
    expect(await ends({ limit: 3, after_seq: 3, before_seq: 7 })).toEqual([false, false]);
    expect(await ends({ limit: 1, query: "prompt 3" })).toEqual([false, false]);
    expect(await ends({ limit: 1, query: ["prompt 3", "prompt 5"] })).toEqual([true, false]);
  });

  it("of a live session that goes on list what there was when they were given", async () => {
    session = prompts(4);
    const call: HistoryListArguments = { limit: 2, from: "oldest" };
    const { page_newer: recipe } = await listed(now(), call);
    session.user("later");
    expect(seqs(await listed(now(), { ...call, ...recipe, limit: 9 }))).toEqual([2, 3]);
  });

  it.each<HistoryListArguments>([
    { limit: 7 },
    { limit: 7, from: "oldest" },
    { limit: 200 },
    { limit: 200, from: "oldest" },
    { limit: 11, from: "oldest", after_seq: 1000, before_seq: 2000 },
  ])("visit each event of a session of 5,000 exactly once: %j", async (call) => {
    for (let index = 0; session.addresses.length < 5000; index++) {
      if (index % 7 === 0) session.user(`prompt ${index}`);
      else if (index % 5 === 0) session.assistant(`words ${index}`);
      else if (index % 11 === 0) session.context(`context ${index}`);
      else session.run(`call-${index}`, { index }, `output ${index}`);
    }
    const { after_seq: after = -1, before_seq: before = Number.POSITIVE_INFINITY } = call;
    const expected = session.addresses.filter((seq) => seq > after && seq < before);
    expect(await visited(now(), call)).toEqual(expected);
  });

  it("visit each event exactly once, whatever happened and however the page is cut", async () => {
    const calls = fc.record(
      {
        limit: fc.integer({ min: 1, max: 12 }),
        max_chars_per_item: fc.constantFrom(1, 50, 40_000),
        from: fc.constantFrom("newest" as const, "oldest" as const),
        after_seq: fc.integer({ min: -2, max: 10 }),
        before_seq: fc.integer({ min: 11, max: 60 }),
        roles: fc.subarray(["user", "assistant", "tool", "context"] as const),
        since: fc.integer({ min: 0, max: 10 }).map((second) => new Date(START + second * 1000).toISOString()),
        until: fc.integer({ min: 11, max: 21 }).map((second) => new Date(START + second * 1000).toISOString()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(steps, calls, decorators, async (happening, call, decorate) => {
        const context = liveContext(sessionOf(happening), { decorate });
        const events = [...openLiveSession(sessionOf(happening).live).events].filter(
          ({ seq, role, time }) =>
            seq > (call.after_seq ?? -1) &&
            seq < (call.before_seq ?? Number.POSITIVE_INFINITY) &&
            (call.roles === undefined || call.roles.length === 0 || call.roles.includes(role)) &&
            (call.since === undefined || (time !== null && time >= Date.parse(call.since))) &&
            (call.until === undefined || (time !== null && time < Date.parse(call.until))),
        );
        expect(await visited(context, call)).toEqual(events.map(({ seq }) => seq));
        for await (const { page } of pagesOf(context, call)) {
          expect(page.items.length).toBeLessThanOrEqual(call.limit ?? 20);
          expect(fits(page, renderHistoryList, decorate)).toBe(true);
          expect(Check(historyListTool.success, page)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("that expand a fold list exactly its events, in pages of the call's limit and within its times", async () => {
    session.user("go");
    for (let index = 0; index < 7; index++) session.run(`c${index}`, {}, "x");
    session.assistant("done");
    const call: HistoryListArguments = { limit: 3, since: new Date(START + 4000).toISOString() };
    const [fold] = (await listed(now(), call)).items;
    if (fold === undefined || !isFolded(fold)) throw new Error("not folded");
    const expanded = { ...call, ...fold.expand };
    expect((await listed(now(), expanded)).items).toHaveLength(3);
    const seqsOfFold = await visited(now(), expanded);
    expect(seqsOfFold).toHaveLength(fold.folded.events);
    expect([seqsOfFold[0], seqsOfFold.at(-1)]).toEqual([fold.folded.from_seq, fold.folded.to_seq]);
  });

  it("of a hit list what stands around it, whatever the call searched and from whichever end", async () => {
    session = prompts(3);
    session.run("c1", {}, "needle");
    session.user("last");
    for (const call of [
      { query: "needle", roles: ["tool"] },
      { query: ["needle"], from: "oldest", limit: 1 },
    ] satisfies HistoryListArguments[]) {
      const [hit] = eventRows(await listed(now(), call));
      expect(hit?.neighborhood).toEqual({ after_seq: -1, before_seq: 13, query: [], roles: [] });
      expect(await visited(now(), { ...call, ...hit?.neighborhood })).toEqual([0, 1, 2, 3, 5]);
    }
  });

  it("of a hit far inside leave out what is far from it", async () => {
    session = prompts(100);
    const call: HistoryListArguments = { query: "prompt 50" };
    const [hit] = eventRows(await listed(now(), call));
    const around = await listed(now(), { ...call, ...hit?.neighborhood });
    expect(around).toMatchObject({ page_older: null, page_newer: null });
    expect([seqs(around)[0], seqs(around).at(-1)]).toEqual([41, 59]);
  });
});

describe("a search", () => {
  it("ignores case and empty texts, and any of several is enough", async () => {
    session.user("An Étude");
    session.user("a note");
    session.user("nothing");
    expect(seqs(await listed(now(), { query: ["", "étude", "NOTE"] }))).toEqual([0, 1]);
  });

  it("says where the match is in the document that a read delivers", async () => {
    await fc.assert(
      fc.asyncProperty(awkwardTexts, awkwardTexts, fc.integer({ min: 1, max: 60 }), async (before, after, maxChars) => {
        session = new PiRecords();
        const seq = session.run("c1", {}, `${before} Needle ${after.repeat(20)}`);
        const call: HistoryListArguments = { query: "needle", max_chars_per_item: maxChars };
        const [hit] = eventRows(await listed(now(), call));
        const offset = hit?.match_offset_chars ?? -1;
        expect((await read(now(), { seq, offset_chars: offset, limit_chars: 6 })).text).toBe("Needle");
        const { text: document, total_chars: total } = await read(now(), { seq });
        expect(document).toContain(hit?.text);
        expect(countCodePoints(hit?.text ?? "") + (hit?.more_chars ?? 0)).toBe(total);
        if (maxChars >= 8) expect(hit?.text).toContain("Needle");
      }),
    );
  });
});

describe("the time of an event", () => {
  const only = async (args: HistoryListArguments): Promise<(number | string)[]> => seqs(await listed(now(), args));

  it("is taken from since on, and before until", async () => {
    session = prompts(4);
    const at = (milliseconds: number): string => new Date(START + milliseconds).toISOString();
    expect(await only({ since: at(2000) })).toEqual([2, 3]);
    expect(await only({ since: at(2001) })).toEqual([3]);
    expect(await only({ until: at(2000) })).toEqual([0, 1]);
    expect(await only({ until: at(2001) })).toEqual([0, 1, 2]);
    expect(await only({ since: at(1000), until: at(3000) })).toEqual([1, 2]);
  });

  it("matches neither bound where it was not recorded", async () => {
    session.user("no time", { time: null });
    session.user("a time");
    expect(await only({})).toEqual([0, 1]);
    expect(await only({ since: "1970-01-01" })).toEqual([1]);
    expect(await only({ until: "9999-01-01" })).toEqual([1]);
    expect(eventRows(await listed(now(), {}))[0]?.created_at).toBeNull();
  });

  it.each<[string, number]>([
    ["2026-11-30T19:04:18.197Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
    ["2026-11-30T19:04:18,197Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
    ["2026-11-30T19:04:18Z", Date.UTC(2026, 10, 30, 19, 4, 18)],
    ["2026-11-30T19:04Z", Date.UTC(2026, 10, 30, 19, 4)],
    ["2026-11-30T24:00:00Z", Date.UTC(2026, 11, 1)],
    ["2026-11-30T19:04+05:30", Date.UTC(2026, 10, 30, 13, 34)],
    ["2026-11-30T19:04:18-0230", Date.UTC(2026, 10, 30, 21, 34, 18)],
    ["2026-11-30T01:04:18+02", Date.UTC(2026, 10, 29, 23, 4, 18)],
    ["2026-11-30T19:04:18.197", new Date(2026, 10, 30, 19, 4, 18, 197).getTime()],
    ["2026-11-30T19:04", new Date(2026, 10, 30, 19, 4).getTime()],
    ["2026-11-30", new Date(2026, 10, 30).getTime()],
    ["2024-02-29", new Date(2024, 1, 29).getTime()],
    // Finer than what is recorded: an event of that millisecond was before it.
    ["2026-11-30T19:04:18.1961Z", Date.UTC(2026, 10, 30, 19, 4, 18, 197)],
  ])("is compared with %s exactly, local where no zone is given", async (given, time) => {
    session.user("before", { time: time - 1 });
    session.user("then", { time });
    expect(await only({ since: given })).toEqual([1]);
    expect(await only({ until: given })).toEqual([0]);
  });

  it.each([
    "yesterday",
    "",
    "2026",
    "2026-11",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "2025-02-29",
    "2026-11-30 19:04",
    "2026-11-30T25:00",
    "2026-11-30T24:01",
    "2026-11-30T19:60",
    "2026-11-30T19:04:60Z",
    "2026-11-30T19",
    "2026-11-30T19:04:18+24:00",
    "2026-11-30T19:04:18+02:60",
    "2026-11-30Z",
    "2026-11-30\n",
    "+002026-11-30",
    "1764529458",
    1_764_529_458,
    null,
  ])("cannot be compared with %j: invalid_time", async (given) => {
    for (const name of ["since", "until"]) {
      const answer = await historyList(now(), { [name]: given });
      expect(code(answer)).toBe("invalid_time");
      expect(answer.text).toContain(`${name} is`);
    }
  });
});

describe("the size of a page", () => {
  const rowOf = (page: HistoryListResult, from: "newest" | "oldest"): HistoryItem | undefined =>
    from === "newest" ? page.items.at(-1) : page.items[0];

  it("is within 32 KiB in both forms, and the largest that is, whatever the text and the decoration", async () => {
    await fc.assert(
      fc.asyncProperty(
        awkwardTexts,
        fc.integer({ min: 100, max: 4000 }),
        fc.constantFrom("newest" as const, "oldest" as const),
        decorators,
        async (text, maxChars, from, decorate) => {
          session = new PiRecords();
          for (let index = 0; index < 60; index++) session.user(`${index} ${text.repeat(1 + ((index * 37) % 150))}`);
          const context = liveContext(session, { decorate });
          const call: HistoryListArguments = { limit: 50, max_chars_per_item: maxChars, from };
          const pages: HistoryListResult[] = [];
          for await (const { page, call: of } of pagesOf(context, call)) {
            const answer = await historyList(context, of);
            expect(bytes(answer.text)).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
            expect(answer.text).toBe(decorate(renderHistoryList(page)));
            expect(bytes(JSON.stringify(resultOf(answer.outcome)))).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
            pages.push(page);
          }
          for (const [index, page] of pages.entries()) {
            const next = pages[index + 1];
            const row = next && rowOf(next, from);
            // The next page may be the last one, and then its recipe would have fallen away.
            if (next === undefined || row === undefined || page.items.length === 50 || pages.length === index + 2)
              continue;
            const items = from === "newest" ? [row, ...page.items] : [...page.items, row];
            expect(fits({ ...page, items }, renderHistoryList, decorate)).toBe(false);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("takes the rows from the end that the page counts from, and its recipe the others", async () => {
    for (let index = 0; index < 20; index++) session.user(`${index} ${"界".repeat(2000)}`);
    for (const from of ["newest", "oldest"] as const) {
      const page = await listed(now(), { from, max_chars_per_item: 3000 });
      expect(page.items.length).toBeGreaterThan(2);
      expect(page.items.length).toBeLessThan(20);
      expect(rowOf(page, from)).toMatchObject({ seq: from === "newest" ? 19 : 0 });
      expect(page[from === "newest" ? "page_older" : "page_newer"]).not.toBeNull();
      expect(await visited(now(), { from, max_chars_per_item: 3000 })).toEqual(session.addresses);
    }
  });

  it("is refused where not even its first row fits, and the bound that the message names leaves that out", async () => {
    session.user("before");
    session.user("x".repeat(OUTPUT_BUDGET_BYTES));
    session.user("behind");
    for (const [from, bound] of [
      ["newest", "before_seq=1"],
      ["oldest", "after_seq=1"],
    ] as const) {
      const call: HistoryListArguments = { from, max_chars_per_item: Number.MAX_SAFE_INTEGER };
      const first = await listed(now(), call);
      const recipe = first.page_older ?? first.page_newer;
      const answer = await historyList(now(), { ...call, ...recipe });
      expect(code(answer)).toBe("page_too_large");
      expect(answer.text).toContain("lower max_chars_per_item");
      expect(answer.text).toContain(bound);
      const [name, seq] = bound.split("=");
      const past = await listed(now(), { ...call, ...recipe, [name ?? ""]: Number(seq) });
      expect(eventRows(past).map(({ text }) => text)).toEqual([from === "newest" ? "before" : "behind"]);
    }
  });

  it("leaves out, of several sessions, a row that does not fit alone, and names its session", async () => {
    const huge = new PiRecords("huge");
    huge.user("x".repeat(OUTPUT_BUDGET_BYTES * 2), { time: START + 1e9 });
    history.given(prompts(1, "plain"));
    history.given(huge);
    const wild = historyToolContext({ corpus: () => history.corpus() });
    const page = await listed(wild, { session: "*", max_chars_per_item: Number.MAX_SAFE_INTEGER });
    expect(eventRows(page).map(({ text }) => text)).toEqual(["prompt 0"]);
    expect(page.sessions_unreadable).toEqual([{ session: "pi:huge", code: "page_too_large" }]);
  });

  it("is refused where the host's addition leaves no room", async () => {
    const decorate = (text: string): string => text.padStart(OUTPUT_BUDGET_BYTES + 1);
    expect(code(await historyList(liveContext(session, { decorate }), {}))).toBe("page_too_large");
    history.given(prompts(1));
    const wild = historyToolContext({ corpus: () => history.corpus(), decorate });
    expect(code(await historyList(wild, { session: "*" }))).toBe("page_too_large");
  });
});

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
      expect([around.session, seqs(around)]).toEqual([hit.session, [0, 1, 2]]);
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
    expect(seqs(await listed(now(), { after_seq: 0, before_seq: 2, limit: 200 }))).toEqual([1]);
    expect(seqs(await listed(now(), { after_seq: 0, before_seq: 1 }))).toEqual([]);
    expect(checkArguments(historyListTool, { query: ["x"], limit: 200 }).ok).toBe(true);
  });
});
