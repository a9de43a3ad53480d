import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { piWire } from "../src/wire/pi.ts";
import { assistant, call, entry, recordsOf, SAMPLES, take, text, told } from "./wire-pi-fixture.ts";

describe("the active branch", () => {
  /** What walking from an entry to its root says, over records that are all new. */
  function walked(records: readonly JsonObject[], head: unknown): boolean[] {
    const path = new Set<JsonObject>();
    let current = records.find(({ type, id }) => type !== "session" && id === head);
    while (current !== undefined) {
      path.add(current);
      const { parentId } = current;
      current = records.find(({ type, id }) => type !== "session" && id === parentId);
    }
    return records.map((record) => path.has(record) || record.type === "session");
  }

  const activeOf = (records: readonly JsonObject[], head?: string | null): boolean[] => {
    const isActive = take(records).reading.branch(head);
    return records.map((_, number) => isActive(number));
  };

  it.each(SAMPLES)("is what walking from its head says, whatever the head: %s", (sample) => {
    const records = recordsOf(sample);
    for (const { type, id } of records) {
      if (type !== "session") expect(activeOf(records, id as string)).toEqual(walked(records, id));
    }
    expect(activeOf(records)).toEqual(walked(records, records.at(-1)?.id));
  });

  it("of a file leaves out what was said on another branch", () => {
    const records = recordsOf("session-tree-bash-branch-compaction");
    const inactive = activeOf(records).flatMap((isActive, number) => (isActive ? [] : [number]));
    expect(inactive).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it("ends at the last entry of whatever type where the head is not known, and is empty before the first", () => {
    const records = [
      entry({}, { id: "a" }),
      { type: "label", id: "b", parentId: "a" },
      { type: "new", id: "c", parentId: null },
    ];
    expect(activeOf(records)).toEqual([false, false, true]);
    expect(activeOf(records, "nowhere")).toEqual([false, false, true]);
    expect(activeOf(records, "b")).toEqual([true, true, false]);
    expect(activeOf(records, null)).toEqual([false, false, false]);
    expect(activeOf([])).toEqual([]);
  });

  it("goes on at the entry before in the file where a parent was lost, and at a parent that comes later", () => {
    const one = { id: "a", parentId: "lost" };
    const two = { id: "b", parentId: "c" };
    const three = { id: "c", parentId: "a" };
    expect(activeOf([{ id: "z" }, one, two, three], "b")).toEqual([true, true, true, true]);
    expect(activeOf([{ id: "z" }, { id: "y", parentId: null }, { id: "x", parentId: "y" }, one], "a")).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it("does not hang on a circle", () => {
    expect(
      activeOf(
        [
          { id: "a", parentId: "b" },
          { id: "b", parentId: "a" },
          { id: "c", parentId: "c" },
        ],
        "a",
      ),
    ).toEqual([true, true, false]);
  });

  it("is everything in a file of version 1, which has no ids", () => {
    const records = recordsOf("session-clone-child").map(({ id: _id, parentId: _parentId, ...rest }) => rest);
    expect(activeOf(records)).toEqual(records.map(() => true));
    expect(told(records)).toEqual(told(recordsOf("session-clone-child")));
  });

  it("stays what it was when more is appended, and can be asked for anew", () => {
    const { reading } = take([{ id: "a" }]);
    const before = reading.branch();
    reading.take({ id: "b" });
    expect([before(0), before(1)]).toEqual([true, false]);
    expect([reading.branch()(0), reading.branch()(1)]).toEqual([false, true]);
  });

  it("of 200 000 entries in a chain is found at once", () => {
    const records = Array.from({ length: 200_000 }, (_, number) => ({ id: `${number}`, parentId: `${number - 1}` }));
    expect(activeOf(records).every(Boolean)).toBe(true);
  });
});

describe("an entry that is there twice", () => {
  it("says what it says once, where it was first, and keeps its places", () => {
    const first = assistant([text("a"), call("c")]);
    const records = [first, entry({ role: "user", content: "b" }, { parentId: first.id }), first];
    expect(told(records)).toEqual([
      '0 assistant: "a"',
      '0 c calls read "{}"',
      '1 user: "b"',
      "2 repeated",
      "2 repeated",
    ]);
    const { reading } = take(records);
    expect([0, 1, 2].map(reading.branch())).toEqual([true, false, false]);
  });

  it("neither empties the context nor ends a turn again", () => {
    const reset = { type: "compaction", id: "r", firstKeptEntryId: "r" };
    const [first, second] = take([reset, reset]).records;
    expect(first?.startsWindow).toBe(true);
    expect(second?.startsWindow).not.toBe(true);
  });

  it("has an id like any other, be it of a name that objects have", () => {
    const ids = ["__proto__", "constructor", "toString"];
    const records = ids.map((id) => entry({ role: "user", content: id }, { id, parentId: "__proto__" }));
    expect(told(records)).toHaveLength(3);
    expect([0, 1, 2].map(take(records).reading.branch("toString"))).toEqual([true, false, true]);
  });
});

describe("a window", () => {
  const starts = (records: readonly JsonObject[]): number[] =>
    take(records).records.flatMap(({ startsWindow }, number) => (startsWindow === true ? [number] : []));

  it("begins at a compaction that retains nothing, and not at an ordinary one", () => {
    expect(starts(recordsOf("session-reset-boundary"))).toEqual([12]);
    expect(starts(recordsOf("session-tree-bash-branch-compaction"))).toEqual([]);
  });

  it.each([
    [{ type: "compaction", id: "a", firstKeptEntryId: null }, [0]],
    [{ type: "compaction", id: "a", firstKeptEntryId: "b" }, []],
    [{ type: "compaction", id: "a" }, []],
    // Version 1.
    [{ type: "compaction", firstKeptEntryIndex: 4 }, []],
    [{ type: "custom", id: "a", firstKeptEntryId: "a" }, []],
  ])("begins or not: %j", (record, expected) => {
    expect(starts([record])).toEqual(expected);
  });
});

describe("a turn", () => {
  const ends = (record: JsonObject): boolean => take([record]).records[0]?.endsTurn === true;

  it("is over for whoever called before, when the model is asked again or a person speaks", () => {
    expect(ends(entry({ role: "user" }))).toBe(true);
    expect(ends(assistant([call("next")], { stopReason: "toolUse" }))).toBe(true);
    expect(ends(assistant([], { stopReason: "aborted" }))).toBe(true);
  });

  it("goes on across results, summaries, commands of a person and what extensions keep", () => {
    for (const role of ["toolResult", "bashExecution", "custom", "system"]) expect(ends(entry({ role }))).toBe(false);
    for (const type of ["compaction", "custom", "custom_message", "usage"]) expect(ends({ type, id: "a" })).toBe(false);
  });
});

describe("the header", () => {
  it("says which session it is, where and when it was begun, and from which it was cloned", () => {
    expect(take(recordsOf("session-clone-child")).reading.header).toEqual({
      id: "01a22d6f-de77-724a-acc3-e1b685adbdbc",
      cwd: "/home/dev/project",
      createdAt: Date.UTC(2026, 10, 30, 17, 10, 35, 896),
      parent: "/home/dev/project",
    });
    expect(take(recordsOf("session-reset-boundary")).reading.header.parent).toBeUndefined();
  });

  it("is the first one, and empty before it was read, or where it holds nothing that is known", () => {
    expect(piWire.begin().header).toEqual({});
    expect(take([{ type: "session", id: 5, cwd: null, timestamp: "now", parentSession: [] }]).reading.header).toEqual(
      {},
    );
    const twice = [
      { type: "session", id: "a" },
      { type: "session", id: "b" },
    ];
    expect(take(twice).reading.header.id).toBe("a");
  });

  it("is no entry: nothing can hang on it", () => {
    const records = [{ type: "session", id: "s" }, entry({ role: "user", content: "a" }, { id: "s", parentId: "s" })];
    expect(told(records)).toEqual(['1 user: "a"']);
  });

  it("tells the copies of a clone: what was recorded before the clone began", () => {
    const copies = take(recordsOf("session-clone-child")).records.map(({ isCopy }) => isCopy === true);
    expect(copies).toEqual(copies.map((_, number) => number >= 1 && number <= 15));
    for (const sample of SAMPLES.slice(1)) {
      expect(take(recordsOf(sample)).records.some(({ isCopy }) => isCopy === true)).toBe(false);
    }
  });
});
