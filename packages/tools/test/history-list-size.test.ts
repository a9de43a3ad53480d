import {
  type HistoryItem,
  type HistoryListArguments,
  type HistoryListResult,
  OUTPUT_BUDGET_BYTES,
  resultOf,
} from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { historyList, historyToolContext, type HistoryToolContext } from "../src/index.ts";
import {
  awkwardTexts,
  eventRows,
  historyFixture,
  type HistoryFixture,
  listed,
  liveContext,
  pagesOf,
  PiRecords,
  prompts,
  START,
  visited,
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
