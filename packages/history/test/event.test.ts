import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Column } from "../src/column.ts";
import type { ToolStatus } from "../src/event.ts";
import type { JsonObject } from "../src/json.ts";
import type { Session } from "../src/session.ts";
import { assistant, call, context, record, result, user } from "./plain-wire.ts";
import { filed, live, refusal, told } from "./session-fixture.ts";

/** Both views of the same records. */
const views = async (records: readonly JsonObject[]): Promise<[Session, Session]> => [
  live(records),
  await filed(records),
];
const statuses = (session: Session): (readonly [number, ToolStatus | undefined])[] =>
  [...session.events].map(({ seq, tool }) => [seq, tool?.status] as const);

describe("seqs", () => {
  it("count every item of every record from 0, whatever branch it lies on", async () => {
    const records = [
      user("one", {}),
      { ...user("left"), on: "x" },
      record([{ is: "assistant", text: "a" }, call("c"), call("d")], { on: "y" }),
    ];
    for (const session of await views(records)) {
      expect([...session.events].map(({ seq }) => seq)).toEqual([0, 2, 3, 4]);
    }
  });

  it("take no number for what an earlier record has said, for a part of a group, and for a nested call", () => {
    const records = [
      user("one"),
      { ...user("one"), again: true },
      assistant("two", { group: "g" }),
      assistant("three", { group: "g" }),
      record([call("c")]),
      record([{ is: "nested", id: "c", call: { id: "n" } }]),
      user("four"),
    ];
    expect([...live(records).events].map(({ seq, role }) => [seq, role])).toEqual([
      [0, "user"],
      [1, "assistant"],
      [2, "tool"],
      [3, "user"],
    ]);
  });
});

describe("a call and its result", () => {
  it("are one event, at the call's seq, and its status is the result's", async () => {
    const records = [
      record([call("a", { tool: "read" })]),
      record([result("a", "text")]),
      record([call("b")]),
      record([result("b", "no", { error: true })]),
    ];
    for (const session of await views(records)) {
      expect(told(session)).toEqual(["0 tool read ok: {}//text", "2 tool bash error: {}//no"]);
    }
  });

  it("are paired by their id, however several calls and results are mixed", () => {
    const records = [
      record([call("a"), call("b"), call("c")]),
      record([result("b", "B")]),
      context("reminder"),
      record([result("c", "C"), result("a", "A")]),
    ];
    expect(told(live(records))).toEqual([
      "0 tool bash ok: {}//A",
      "1 tool bash ok: {}//B",
      "2 tool bash ok: {}//C",
      "4 context: reminder",
    ]);
  });

  it("are paired across the start of a window", () => {
    const records = [record([call("a")]), { ...context("summary"), window: true }, record([result("a", "late")])];
    const session = live(records);
    expect(told(session)).toEqual(["0 tool bash ok: {}//late", "1 context: summary"]);
    expect(session.windows).toMatchObject([
      { firstSeq: 0, lastSeq: 0 },
      { firstSeq: 1, lastSeq: 1 },
    ]);
  });

  it("leave a second result alone: it stands by itself, unpaired", () => {
    const records = [
      record([call("a"), call("b")]),
      record([result("a", "A")]),
      record([result("b", "B")]),
      record([result("a", "again", { tool: "read" })]),
    ];
    expect(told(live(records))).toEqual([
      "0 tool bash ok: {}//A",
      "1 tool bash ok: {}//B",
      "4 tool read unpaired: /again",
    ]);
  });

  it("are taken in order, where one record makes two calls of one id", () => {
    const records = [
      record([call("a", { args: 1 }), call("a", { args: 2 })]),
      record([result("a", "first")]),
      record([result("a", "second")]),
    ];
    expect(told(live(records))).toEqual(["0 tool bash ok: 1//first", "1 tool bash ok: 2//second"]);
  });

  it("are the later call's, where an id is used again: the earlier one has none", () => {
    const records = [
      record([call("a", { args: 1 })]),
      record([call("a", { args: 2 })]),
      record([result("a", "A")]),
      record([result("a", "more")]),
    ];
    expect(told(live(records))).toEqual([
      "0 tool bash pending: 1",
      "1 tool bash ok: 2//A",
      "3 tool unknown tool unpaired: /more",
    ]);
  });

  it("may be one record", () => {
    expect(told(live([record([call("a"), result("a", "A")])]))).toEqual(["0 tool bash ok: {}//A"]);
  });
});

describe("a result without its call", () => {
  it("stays what it is, at its own seq: with its output and nested calls, and no arguments", () => {
    const nested = { callCount: 3, complete: false, all: [{ id: "n", name: "read", status: "ok", args: "{}" }] };
    const session = live([record([result("gone", "out", { tool: "code", nested, error: true })])]);
    expect([...session.events]).toMatchObject([
      { seq: 0, role: "tool", tool: { tool: "code", status: "unpaired", nested: { callCount: 3, complete: false } } },
    ]);
    expect(session.document(session.event(0))).toBe(
      "code · unpaired\n\nout\n\nnested calls: 3 · incomplete\nn · read · ok · {}",
    );
  });

  it("is unpaired on a branch that does not have the call", async () => {
    const records = [record([call("a")], { on: "x" }), record([result("a", "out")], { on: "y" })];
    for (const session of await views(records)) expect(statuses(session)).toEqual([[1, "unpaired"]]);
  });

  it("has the nested calls that were recorded by themselves", () => {
    const records = [record([{ is: "nested", id: "gone", call: { id: "n" } }]), record([result("gone", "out")])];
    expect(told(live(records))).toEqual([
      "0 tool unknown tool unpaired: /out//nested calls: 1 · incomplete/n · read · unfinished",
    ]);
  });
});

describe("a call without a result", () => {
  const open = [user("do"), record([call("a")])];

  it("is pending while its turn is live, and unfinished in a session that nobody has open", async () => {
    const [alive, kept] = await views(open);
    expect(statuses(alive)).toEqual([
      [0, undefined],
      [1, "pending"],
    ]);
    expect(statuses(kept)).toEqual([
      [0, undefined],
      [1, "unfinished"],
    ]);
  });

  it.each<[string, JsonObject]>([
    ["a prompt", user("next")],
    ["an answer", assistant("next")],
    ["the end of the turn", record([], { ends: true })],
    ["a new window", record([], { window: true })],
  ])("is unfinished behind %s, live too", (_name, next) => {
    expect(statuses(live([...open, next])).slice(1, 2)).toEqual([[1, "unfinished"]]);
  });

  it("is still pending behind context, another's result, and the words of its own record", () => {
    const records = [
      record([call("a"), { is: "assistant", text: "calling" }, call("b")]),
      context("reminder"),
      record([result("b", "B")]),
    ];
    expect(statuses(live(records)).filter(([, status]) => status !== undefined)).toEqual([
      [0, "pending"],
      [2, "ok"],
    ]);
  });

  it("has its result at the call's seq, when that comes, even behind the end of the turn", () => {
    const records = [...open, record([], { ends: true }), context("in between"), record([result("a", "late")])];
    expect(told(live(records))).toEqual(["0 user: do", "1 tool bash ok: {}//late", "2 context: in between"]);
  });
});

describe("a message over several records", () => {
  it("is one event at its first seq, with each text once, in order", async () => {
    const records = [
      assistant("one", { group: "g", time: 1 }),
      user("between"),
      record([{ is: "assistant", text: "one", group: "g" }, { is: "assistant", text: "two", group: "g" }, call("c")]),
    ];
    for (const session of await views(records)) {
      expect(told(session).slice(0, 2)).toEqual(["0 assistant: one//two", "1 user: between"]);
      expect([...session.events].map(({ seq, time }) => [seq, time])).toEqual([
        [0, 1],
        [1, null],
        [2, null],
      ]);
    }
  });

  it("has no part of another branch", () => {
    const records = [
      assistant("one", { group: "g" }),
      { ...assistant("left", { group: "g" }), on: "x" },
      { ...user("on"), on: "y" },
    ];
    expect(told(live(records))).toEqual(["0 assistant: one", "1 user: on"]);
  });
});

describe("nested calls that are recorded by themselves", () => {
  const nested = (id: string, child: JsonObject, end = false): JsonObject =>
    record([{ is: "nested", id, call: child, end }]);

  it("belong to their execution: counted by their ids, complete when each has ended", () => {
    const records = [
      record([call("a")]),
      nested("a", { id: "1", args: "{}" }),
      nested("a", { id: "2" }),
      nested("a", { id: "1", status: "ok", durationMs: 5 }, true),
    ];
    const event = live(records).events.at(0);
    expect(event?.tool?.nested).toEqual({ callCount: 2, complete: false });
    expect(told(live(records))).toEqual([
      "0 tool bash pending: {}//nested calls: 2 · incomplete/1 · read · ok · 5 ms · {}/2 · read · unfinished",
    ]);
    expect(live([...records, nested("a", { id: "1", status: "ok" }, true)]).events.at(0)?.tool?.nested?.complete).toBe(
      false,
    );
    expect(
      live([...records, nested("a", { id: "2", status: "error" }, true)]).events.at(0)?.tool?.nested?.complete,
    ).toBe(true);
  });

  it("belong to the call that had the id then, where it is used again", () => {
    const records = [
      record([call("a")]),
      nested("a", { id: "1" }),
      record([result("a", "A")]),
      record([call("a")]),
      nested("a", { id: "2" }),
    ];
    expect(told(live(records))).toEqual([
      "0 tool bash ok: {}//A//nested calls: 1 · incomplete/1 · read · unfinished",
      "2 tool bash pending: {}//nested calls: 1 · incomplete/2 · read · unfinished",
    ]);
  });

  it("are found by the id, however many there are whose call was lost", () => {
    const steps = (count: number): number => {
      const ids = Array.from({ length: count }, (_, at) => `gone ${at}`);
      const records = [
        ...ids.map((id) => nested(id, { id: "1" }, true)),
        ...ids.map((id) => record([result(id, "out")])),
      ];
      const spy = vi.spyOn(Column.prototype, "at");
      const session = live(records);
      const { length } = spy.mock.calls;
      spy.mockRestore();
      expect(session.events.at(-1)?.tool?.nested).toEqual({ callCount: 1, complete: true });
      return length;
    };
    expect(steps(2000)).toBeLessThan(2.5 * steps(1000));
  });

  it("claim nothing where there are none, or only those of another branch", () => {
    const records = [record([call("a")]), { ...nested("a", { id: "1" }), on: "x" }, { ...user("on"), on: "y" }];
    expect(live(records).events.at(0)?.tool?.nested).toBeUndefined();
  });
});

describe("a copy of the parent session's record", () => {
  it("makes events that are copies", () => {
    const records = [{ ...user("old"), copy: true }, user("new")];
    expect([...live(records).events].map(({ isCopy }) => isCopy)).toEqual([true, false]);
  });
});

describe("a seq that is no event's", () => {
  const records = [
    record([call("a")]),
    record([result("a", "A")]),
    { ...user("left"), on: "x" },
    { ...user("on"), on: "y" },
  ];

  it.each([
    [1, "seq 1 is the place of a result, which is part of its call's event; read seq 0"],
    [2, "seq 2 lies on a branch that is not active; list the events of the active one"],
    [4, "there is no event at seq 4; the last one is at seq 3"],
    [-1, "there is no event at seq -1; the last one is at seq 3"],
    [0.5, "there is no event at seq 0.5; the last one is at seq 3"],
  ])("%d is refused: %s", async (seq, message) => {
    for (const session of await views(records)) {
      expect(await refusal("seq_not_found", () => session.event(seq))).toBe(message);
    }
  });

  it("is refused in a session of nothing", async () => {
    const message = "there is no event at seq 0: nothing has happened yet in this session";
    for (const session of await views([])) expect(await refusal("seq_not_found", () => session.event(0))).toBe(message);
  });
});

describe("the branch that is active", () => {
  const records = [user("both"), { ...user("left"), on: "x" }, { ...user("right"), on: "y" }];

  it("is the host's, in a live session; the format's, in a filed one", async () => {
    expect(told(live(records, undefined, "x"))).toEqual(["0 user: both", "1 user: left"]);
    expect(told(await filed(records))).toEqual(["0 user: both", "2 user: right"]);
  });
});

describe("the events of any records", () => {
  const item = fc.oneof(
    fc.record({
      is: fc.constantFrom("user", "assistant", "context"),
      text: fc.string({ maxLength: 3 }),
      group: fc.constantFrom(undefined, "g", "h"),
    }),
    fc.record({ is: fc.constant("call"), id: fc.constantFrom("a", "b"), args: fc.nat({ max: 9 }) }),
    fc.record({ is: fc.constant("result"), id: fc.constantFrom("a", "b", "c"), output: fc.string({ maxLength: 3 }) }),
    fc.record({ is: fc.constant("nested"), id: fc.constantFrom("a", "b"), end: fc.boolean() }),
  );
  const flags = fc.record({ on: fc.constantFrom(undefined, "x", "y"), window: fc.boolean(), ends: fc.boolean() });
  const any = fc.array(fc.tuple(fc.array(item, { maxLength: 4 }), flags), { maxLength: 12 });

  it("are ascending; each item of the branch is in one of them; each seq has an event, or names its call, or is left", async () => {
    await fc.assert(
      fc.asyncProperty(any, async (pieces) => {
        const session = live(pieces.map(([items, more]) => record(items, more)));
        const seqs = [...session.events].map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
        expect(new Set(seqs).size).toBe(seqs.length);
        for (const event of session.events) {
          expect(session.event(event.seq)).toEqual(event);
          expect(event.role === "tool").toBe(event.tool !== undefined);
        }
        const windows = session.windows;
        expect(windows.reduce((count, { events }) => count + events, 0)).toBe(seqs.length);
        expect(
          windows.flatMap(({ firstSeq, lastSeq }) => seqs.filter((seq) => seq >= firstSeq && seq <= lastSeq)),
        ).toEqual(seqs);
        await refusal("seq_not_found", () => session.event(pieces.length * 4));
      }),
      { numRuns: 300 },
    );
  });

  it("never have another seq than before, when more is recorded", () => {
    fc.assert(
      fc.property(any, (pieces) => {
        const records = pieces.map(([items, more]) => record(items, { ...more, on: undefined }));
        let before: number[] = [];
        for (let count = 0; count <= records.length; count++) {
          const seqs = [...live(records.slice(0, count)).events].map(({ seq }) => seq);
          expect(seqs.slice(0, before.length)).toEqual(before);
          before = seqs;
        }
      }),
      { numRuns: 200 },
    );
  });
});
