import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { assistant, call, context, record, result, user } from "./plain-wire.ts";
import { filed, live } from "./session-fixture.ts";

const windowsOf = (...records: readonly JsonObject[]): unknown[] =>
  live(records).windows.map(({ firstSeq, lastSeq, startedAt, events }) => [firstSeq, lastSeq, startedAt, events]);
const start = (record_: JsonObject): JsonObject => ({ ...record_, window: true });

describe("the windows of a session", () => {
  it("are none where nothing has happened, and one where nothing was reset", () => {
    expect(windowsOf()).toEqual([]);
    expect(windowsOf(start(record([])))).toEqual([]);
    expect(windowsOf(user("a", { time: 5 }), assistant("b", { time: 6 }))).toEqual([[0, 1, 5, 2]]);
  });

  it("begin at the record that resets, whose own words are the first of the new one", () => {
    const records = [
      user("a", { time: 1 }),
      start(context("summary", { time: 2 })),
      user("b", { time: 3 }),
      start(context("s", { time: 4 })),
    ];
    expect(windowsOf(...records)).toEqual([
      [0, 0, 1, 1],
      [1, 2, 2, 2],
      [3, 3, 4, 1],
    ]);
  });

  it("begin with the next event, where the record that resets has no words", () => {
    expect(windowsOf(user("a"), start(record([])), user("b"), user("c"))).toEqual([
      [0, 0, null, 1],
      [1, 2, null, 2],
    ]);
  });

  it("are never empty, however often it was reset", () => {
    const reset = start(record([]));
    expect(windowsOf(reset, reset, user("a"), reset, reset, reset, user("b"), reset)).toEqual([
      [0, 0, null, 1],
      [1, 1, null, 1],
    ]);
  });

  it("begin when their first event with a time was recorded, in the order of the session and not of clocks", () => {
    expect(windowsOf(user("a"), user("b", { time: 9 }), user("c", { time: 3 }))).toEqual([[0, 2, 9, 3]]);
  });

  it("count events, not slots: a result is its call's", () => {
    const records = [
      record([call("a")]),
      record([result("a", "A")]),
      start(user("b")),
      record([call("b")]),
      record([result("b", "B")]),
    ];
    expect(windowsOf(...records)).toEqual([
      [0, 0, null, 1],
      [2, 3, null, 2],
    ]);
  });

  it("are those of the active branch: a reset on another one is none", async () => {
    const records = [
      user("a"),
      start({ ...context("left"), on: "x" }),
      { ...user("b"), on: "y" },
      start({ ...user("c"), on: "y" }),
    ];
    const expected = [
      { firstSeq: 0, lastSeq: 2, events: 2 },
      { firstSeq: 3, lastSeq: 3, events: 1 },
    ];
    expect(live(records).windows).toMatchObject(expected);
    expect((await filed(records)).windows).toMatchObject(expected);
  });
});
