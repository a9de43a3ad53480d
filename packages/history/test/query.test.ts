import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Column } from "../src/column.ts";
import type { JsonObject } from "../src/json.ts";
import { type HistoryPage, type HistoryQuery, type HistoryRow, listEvents } from "../src/query.ts";
import type { Session } from "../src/session.ts";
import { assistant, call, context, record, result, user } from "./plain-wire.ts";
import { filed, live } from "./session-fixture.ts";

const list = (session: Session, query: Partial<HistoryQuery> = {}): Promise<HistoryPage> =>
  listEvents(session, { queries: [], from: "newest", limit: 100, maxChars: 100, ...query });

const seqsOf = ({ rows }: HistoryPage): unknown[] =>
  rows.map((row) => (row.kind === "event" ? row.event.seq : [row.fromSeq, row.toSeq]));

const seqs = async (session: Session, query: Partial<HistoryQuery>): Promise<unknown[]> =>
  seqsOf(await list(session, query));

const execution = (id: string, tool: string, output: string, time?: number): JsonObject =>
  record([{ ...call(id, { tool }), time }, result(id, output)]);

// Seqs: user 0, assistant 1, bash 2, read 4, context 6, user 7, bash 8, assistant 10, context 11, user 12.
const records = [
  user("please look", { time: 100 }),
  assistant("looking now", { time: 110 }),
  execution("a", "bash", "needle in output", 120),
  execution("b", "read", "nothing", 130),
  context("reminder of a needle", { time: 140 }),
  user("go on", { time: 90 }),
  execution("c", "bash", "done", 160),
  assistant("done: a NEEDLE", {}),
  context("end", { time: 180 }),
  user("thanks", { time: 190 }),
];

describe("the filters of a query", () => {
  it.each<[Partial<HistoryQuery>, unknown[]]>([
    [{ roles: ["user"] }, [0, 7, 12]],
    [{ roles: ["tool", "context"] }, [2, 4, 6, 8, 11]],
    [{ queries: ["needle"] }, [2, 6, 10]],
    [{ queries: ["", "needle", ""] }, [2, 6, 10]],
    [{ queries: ["nothing", "THANKS"] }, [4, 12]],
    [{ queries: ["needle"], roles: ["assistant", "tool"] }, [2, 10]],
    [{ queries: ["needle"], afterSeq: 2 }, [6, 10]],
    [{ queries: ["needle"], beforeSeq: 10 }, [2, 6]],
    [{ queries: ["needle"], roles: ["tool", "context"], afterSeq: 1, beforeSeq: 6, since: 110 }, [2]],
    [{ roles: ["user"], since: 100, until: 190 }, [0]],
    [{ roles: ["user"], since: 90, until: 191 }, [0, 7, 12]],
    [{ roles: ["assistant"], since: 0 }, [1]],
    [{ roles: ["assistant"], until: 1000 }, [1]],
    [
      {
        queries: ["needle"],
        counts: ({ role }, document) => Promise.resolve(role !== "context" && document !== "done: a NEEDLE"),
      },
      [2],
    ],
    [{ queries: ["in any document this is not"] }, []],
    [{ roles: ["user"], afterSeq: 12 }, []],
    [{ isFlat: true, afterSeq: 1, beforeSeq: 7 }, [2, 4, 6]],
  ])("%j combine to the events %j, live and filed, from both ends", async (query, expected) => {
    for (const session of [live(records), await filed(records)]) {
      expect(await seqs(session, query)).toEqual(expected);
      expect(await seqs(session, { ...query, from: "oldest" })).toEqual(expected);
    }
  });
});

describe("a fold", () => {
  it("is all between two messages, with the count of each tool and of context", async () => {
    const { rows } = await list(live(records));
    expect(seqsOf({ rows, hasMore: false })).toEqual([0, 1, [2, 6], 7, 8, 10, 11, 12]);
    expect(rows[2]).toEqual({
      kind: "folded",
      fromSeq: 2,
      toSeq: 6,
      events: 3,
      tools: { bash: 1, read: 1, context: 1 },
    });
  });

  it("of one event is the event", async () => {
    const { rows } = await list(live(records), { afterSeq: 7, beforeSeq: 10 });
    expect(rows).toMatchObject([{ kind: "event", event: { seq: 8 }, text: "bash · ok\n{}\n\ndone" }]);
  });

  it("is made of what the other filters leave", async () => {
    expect(await seqs(live(records), { since: 120, until: 135 })).toEqual([[2, 4]]);
    expect(await seqs(live(records), { afterSeq: 2, beforeSeq: 7 })).toEqual([[4, 6]]);
  });

  it("counts tools of any name", async () => {
    const named = ["__proto__", "constructor", "__proto__", "context"].map((tool, index) =>
      execution(`${index}`, tool, ""),
    );
    const [row] = (await list(live([...named, context("x")]))).rows;
    const tools = row?.kind === "folded" ? Object.entries(row.tools) : [];
    expect(new Map(tools)).toEqual(
      new Map([
        ["__proto__", 2],
        ["constructor", 1],
        ["context", 2],
      ]),
    );
  });

  it("lists exactly its events, when it is opened by its bounds", async () => {
    const session = live(records);
    for (const row of (await list(session)).rows) {
      if (row.kind === "event") continue;
      const opened = await list(session, {
        afterSeq: row.fromSeq - 1,
        beforeSeq: row.toSeq + 1,
        roles: ["tool", "context"],
      });
      expect(opened.rows).toHaveLength(row.events);
    }
  });
});

describe("the limit of a page", () => {
  it("counts rows, a fold as one, from the end that is asked for, and rows are ascending", async () => {
    const session = live(records);
    expect(await seqs(session, { limit: 3 })).toEqual([10, 11, 12]);
    expect(await seqs(session, { limit: 3, from: "oldest" })).toEqual([0, 1, [2, 6]]);
    expect(await seqs(session, { limit: 2, queries: ["needle"] })).toEqual([6, 10]);
    expect(await seqs(session, { limit: 2, queries: ["needle"], from: "oldest" })).toEqual([2, 6]);
  });

  it("says that there is more just where there is", async () => {
    const session = live(records);
    const hasMore = async (query: Partial<HistoryQuery>): Promise<boolean> => (await list(session, query)).hasMore;
    expect(await hasMore({ limit: 8 })).toBe(false);
    expect(await hasMore({ limit: 7 })).toBe(true);
    expect(await hasMore({ limit: 3, queries: ["needle"] })).toBe(false);
    expect(await hasMore({ limit: 2, queries: ["needle"] })).toBe(true);
    expect(await hasMore({ limit: 2, queries: ["needle"], from: "oldest", roles: ["tool"] })).toBe(false);
    expect(await hasMore({ limit: 1, queries: ["absent"] })).toBe(false);
  });

  it("has pages from either end that visit everything once", async () => {
    const item = fc.constantFrom<(at: number) => JsonObject>(
      (at) => user(`u${at} x`),
      (at) => assistant(`a${at}`),
      (at) => context(`c${at} x`),
      (at) => execution(`t${at}`, "bash", at % 2 === 0 ? "x" : "y"),
    );
    const filters = fc.record({
      queries: fc.constantFrom<string[]>([], ["x"], ["x", "y"]),
      isFlat: fc.boolean(),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), filters, async (items, filter) => {
        const session = live(items.map((make, at) => make(at)));
        const all = await list(session, { ...filter, limit: 1000 });
        expect(all.hasMore).toBe(false);
        for (const from of ["newest", "oldest"] as const) {
          const seen: HistoryRow[] = [];
          let bounds: Partial<HistoryQuery> = {};
          for (let more = true; more;) {
            const { rows, hasMore } = await list(session, { ...filter, ...bounds, from });
            more = hasMore;
            if (hasMore) expect(rows).toHaveLength(filter.limit);
            if (from === "newest") {
              seen.unshift(...rows);
              bounds = { beforeSeq: firstOf(rows[0]) };
            } else {
              seen.push(...rows);
              bounds = { afterSeq: lastOf(rows.at(-1)) };
            }
          }
          expect(seen).toEqual(all.rows);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("the text of a row", () => {
  const row = async (text: string, query: Partial<HistoryQuery>): Promise<unknown> => {
    const [found] = (await list(live([user(text)]), query)).rows;
    return found?.kind === "event" ? [found.text, found.moreChars, found.matchOffsetChars] : found;
  };

  it("is the beginning of the document, in code points", async () => {
    expect(await row("😀😀😀😀", { maxChars: 3 })).toEqual(["😀😀😀", 1, undefined]);
    expect(await row("abc", { maxChars: 3 })).toEqual(["abc", 0, undefined]);
    expect(await row("", { maxChars: 3 })).toEqual(["", 0, undefined]);
  });

  it("of a hit is the part around the first match, and names its place in the document, in code points", async () => {
    const text = `${"😀".repeat(50)}needle${"я".repeat(50)}`;
    expect(await row(text, { queries: ["NEEDLE"], maxChars: 20 })).toEqual([
      `${"😀".repeat(5)}needle${"я".repeat(9)}`,
      86,
      50,
    ]);
    expect(await row(text, { queries: ["яя", "need"], maxChars: 8 })).toEqual(["😀😀needle", 98, 50]);
  });

  it("of a hit at an end of the document goes from there", async () => {
    expect(await row("needle and more", { queries: ["needle"], maxChars: 8 })).toEqual(["needle a", 7, 0]);
    expect(await row("😀 more and needle", { queries: ["needle"], maxChars: 8 })).toEqual(["d needle", 9, 11]);
    expect(await row("needle", { queries: ["needle"], maxChars: 3 })).toEqual(["nee", 3, 0]);
    expect(await row("x needle", { queries: ["needle"], maxChars: 100 })).toEqual(["x needle", 0, 2]);
  });

  it("is always a part of the document with the match in it, as far as there is room", async () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "😀", "я", "\n"), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(letters, letters, fc.integer({ min: 1, max: 40 }), async (before, behind, maxChars) => {
        const document = `${before}X${behind}`;
        const [found] = (await list(live([user(document)]), { queries: ["x"], maxChars })).rows;
        if (found?.kind !== "event") throw new Error("no event");
        expect(document).toContain(found.text);
        expect(found.text).toContain("X");
        expect([...found.text].length + found.moreChars).toBe([...document].length);
        expect([...found.text].length).toBe(Math.min(maxChars, [...document].length));
        expect(found.matchOffsetChars).toBe([...before].length);
      }),
      { numRuns: 300 },
    );
  });
});

function firstOf(row: HistoryRow | undefined): number | undefined {
  return row?.kind === "folded" ? row.fromSeq : row?.event.seq;
}

function lastOf(row: HistoryRow | undefined): number | undefined {
  return row?.kind === "folded" ? row.toSeq : row?.event.seq;
}

describe("the work of a page", () => {
  const long = (events: number): Session =>
    live(
      Array.from({ length: events }, (_, at) => (at % 9 === 0 ? user("next", { time: at }) : context(`said ${at}`))),
    );
  const stepsOf = async (session: Session, work: (session: Session) => unknown): Promise<number> => {
    const steps = vi.spyOn(Column.prototype, "at");
    try {
      await work(session);
      return steps.mock.calls.length;
    } finally {
      steps.mockRestore();
    }
  };

  it.each<[string, (session: Session) => unknown]>([
    ["a page of the newest", (session) => seqs(session, { limit: 5 })],
    ["a page of the oldest of a role", (session) => seqs(session, { limit: 5, roles: ["user"], from: "oldest" })],
    ["a page in the middle", (session) => seqs(session, { limit: 5, beforeSeq: 900 })],
    ["an event and its document", (session) => session.document(session.event(500))],
    ["the windows", (session) => session.windows],
  ])("of %s does not grow with the session", async (_name, work) => {
    const [short, tall] = [await stepsOf(long(1000), work), await stepsOf(long(32_000), work)];
    // What is looked up by halving takes five steps more, each a few times.
    expect(tall - short).toBeLessThan(1000);
  });

  it("ends, where whoever asks has enough", async () => {
    const counted: number[] = [];
    const page = await listEvents(live([user("a pin"), user("a pin"), user("a pin")]), {
      queries: ["pin"],
      from: "newest",
      limit: 9,
      maxChars: 9,
      counts: ({ seq }) => Promise.resolve(counted.push(seq) === 2 ? "enough" : true),
    });
    expect(counted).toEqual([2, 1]);
    expect(page).toMatchObject({ rows: [{ event: { seq: 2 } }], hasMore: true });
  });
});
