import { openLiveSession } from "@notesoup/history";
import { type HistoryListArguments, historyListTool } from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import type { HistoryToolContext } from "../src/index.ts";
import {
  eventRows,
  isFolded,
  listed,
  liveContext,
  pagesOf,
  PiRecords,
  prompts,
  seqsOf,
  sessionOf,
  START,
  steps,
  visited,
} from "./history-fixture.ts";
import { decorators, fits } from "./notes-fixture.ts";

let session: PiRecords;

beforeEach(() => {
  session = new PiRecords();
});

/** A context in which the session is the live one, as it is now. */
const now = (): HistoryToolContext => liveContext(session);

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
    expect(seqsOf(await listed(now(), { ...call, ...recipe, limit: 9 }))).toEqual([2, 3]);
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
    expect([seqsOf(around)[0], seqsOf(around).at(-1)]).toEqual([41, 59]);
  });
});
