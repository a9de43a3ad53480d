import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import {
  activeIds,
  assistant,
  attachment,
  boundary,
  row,
  take,
  text,
  toolResult,
  toolUse,
  user,
} from "./wire-claude-fixture.ts";

describe("the active branch", () => {
  it("ends at the newest row, and leaves out what was rewound", () => {
    const records = [user("a", null, "1"), user("b", "a", "2"), user("c", "b", "3"), user("d", "a", "4")];
    expect(activeIds(records)).toEqual(["a", "d"]);
    expect(activeIds(records, "c")).toEqual(["a", "b", "c"]);
    expect(activeIds(records, null)).toEqual([]);
    expect(activeIds(records, "unknown")).toEqual(["a", "d"]);
  });

  it("does not heed the file's checkpoints of the head, which run ahead and behind", () => {
    const checkpoint = (leafUuid: string, more: JsonObject = {}): JsonObject => ({
      type: "last-prompt",
      leafUuid,
      ...more,
    });
    const records = [
      user("a", null, "1"),
      checkpoint("c"),
      user("b", "a", "2"),
      user("c", "a", "3"),
      checkpoint("00000000-0000-0000-0000-000000000000", { explicit: true }),
      checkpoint("b"),
    ];
    expect(activeIds(records)).toEqual(["a", "c"]);
  });

  it("begins anew at a row without a parent", () => {
    expect(activeIds([user("a", null, "1"), user("b", "a", "2"), user("c", null, "3")])).toEqual(["c"]);
  });

  it("goes on over a compaction, whichever rows were preserved", () => {
    const records = [
      user("a", null, "1"),
      user("b", "a", "left"),
      user("c", "a", "2"),
      boundary("d", "c", { compactMetadata: { preservedMessages: { anchorUuid: "e", uuids: ["c"] } } }),
      user("e", "d", "summary", { isCompactSummary: true }),
      user("f", "e", "3"),
    ];
    expect(activeIds(records)).toEqual(["a", "c", "d", "e", "f"]);
  });

  it("goes on over a compaction that does not say what was before it", () => {
    const records = [user("a", null, "1"), boundary("b", undefined, { parentUuid: 7 }), user("c", "b", "2")];
    expect(activeIds(records)).toEqual(["a", "b", "c"]);
    expect(activeIds([user("a", null, "1"), boundary("b", "lost"), user("c", "b", "2")])).toEqual(["a", "b", "c"]);
  });

  it("goes on at the row before in the file where a parent was lost with its line", () => {
    const records = [
      user("a", null, "1"),
      user("s", "a", "aside", { isSidechain: true }),
      { type: "mode" },
      user("c", "lost", "3"),
      user("d", "c", "4"),
    ];
    expect(activeIds(records)).toEqual(["a", "c", "d"]);
    expect(activeIds([user("c", "of another file", "3"), user("d", "c", "4")])).toEqual(["c", "d"]);
  });

  it("goes through rows of types that are not known", () => {
    const records = [user("a", null, "1"), row("p", "a", { type: "progress" }), user("b", "p", "2")];
    expect(activeIds(records)).toEqual(["a", "p", "b"]);
    // But does not end at one.
    expect(activeIds([...records, row("q", "a", { type: "progress" })])).toEqual(["a", "p", "b"]);
  });

  it("finds a parent that stands behind its child", () => {
    expect(activeIds([user("b", "a", "2"), user("a", null, "1"), user("c", "b", "3")])).toEqual(["b", "a", "c"]);
  });

  it("ends where its rows form a circle", () => {
    expect(activeIds([user("a", "b", "1"), user("b", "a", "2")])).toEqual(["a", "b"]);
    expect(activeIds([user("a", "a", "1")])).toEqual(["a"]);
    // A fork: the row before the compaction stands behind it.
    const records = [boundary("a", "c"), user("b", "a", "summary"), user("c", "b", "1"), user("d", "c", "2")];
    expect(activeIds(records)).toEqual(["a", "b", "c", "d"]);
  });

  it("is none of a session without rows", () => {
    expect(activeIds([])).toEqual([]);
    expect(activeIds([{ type: "mode" }, { type: "summary" }])).toEqual([]);
  });
});

describe("calls that are made together", () => {
  const calls = [
    user("p", null, "go"),
    assistant("t1", "p", "m", [toolUse("c1")]),
    assistant("t2", "t1", "m", [toolUse("c2")]),
    assistant("t3", "t2", "m", [toolUse("c3")]),
  ];
  const result = (uuid: string, parent: string, id: string, more: JsonObject = {}): JsonObject =>
    user(uuid, parent, [toolResult(id, "out")], { sourceToolAssistantUUID: parent, ...more });

  it("are on the branch with all their results, whichever the next row hangs at", () => {
    const records = [...calls, result("r3", "t3", "c3"), result("r2", "t2", "c2"), result("r1", "t1", "c1")];
    const all = ["p", "t1", "t2", "t3", "r3", "r2", "r1"];
    expect(activeIds(records)).toEqual(all);
    expect(activeIds([...records, assistant("n", "r1", "m2", [text("so")])])).toEqual([...all, "n"]);
    expect(activeIds([...records, assistant("n", "r3", "m2", [text("so")])])).toEqual([...all, "n"]);
  });

  it("are there while only the first has its result", () => {
    expect(activeIds([...calls, result("r1", "t1", "c1")])).toEqual(["p", "t1", "t2", "t3", "r1"]);
  });

  it("have results that hang at another row than their call, or do not say at which", () => {
    const records = [
      ...calls,
      result("r1", "t1", "c1", { sourceToolAssistantUUID: undefined }),
      result("r2", "t3", "c2", { sourceToolAssistantUUID: "t2" }),
      result("r3", "t3", "c3", { sourceToolAssistantUUID: "lost" }),
      assistant("n", "r1", "m2", [text("so")]),
    ];
    expect(activeIds(records)).toEqual(["p", "t1", "t2", "t3", "r1", "r2", "r3", "n"]);
  });

  it("have what hooks added before them and behind their results", () => {
    const hook = (uuid: string, parent: string, toolUseID: string): JsonObject =>
      attachment(uuid, parent, { type: "hook_additional_context", content: ["x"], toolUseID });
    const records = [
      ...calls,
      hook("before1", "t1", "c1"),
      hook("before2", "before1", "c1"),
      result("r1", "t1", "c1"),
      hook("behind1", "r1", "c1-context"),
      result("r2", "t2", "c2"),
      result("r3", "t3", "c3"),
      hook("behind3", "r3", "c3"),
      assistant("n", "behind3", "m2", [text("so")]),
      assistant("left", "r3", "m3", [text("no")]),
      // The branch that was left: nothing of it is a hook of a call.
      hook("other", "r1", "another"),
    ];
    const all = ["p", "t1", "t2", "t3", "before1", "before2", "r1", "behind1", "r2", "r3"];
    expect(activeIds(records, "n")).toEqual([...all, "behind3", "n"]);
    // What a hook added behind the row that was gone back to belongs to the branch that was left.
    expect(activeIds(records, "left")).toEqual([...all, "left"]);
  });

  it("are not there where the message was rewound", () => {
    const records = [...calls, result("r1", "t1", "c1"), user("q", "p", "else")];
    expect(activeIds(records)).toEqual(["p", "q"]);
  });
});

describe("a long session", () => {
  it("is taken and walked in a time that grows as it does", () => {
    const count = 200_000;
    const records = Array.from({ length: count }, (_, index) =>
      user(`u${index}`, index === 0 ? null : `u${index - 1}`, "x"),
    );
    const { reading } = take(records);
    const isActive = reading.branch();
    expect(records.every((_, index) => isActive(index))).toBe(true);
  });

  it("is walked where all parents are lost, and where each is its own", () => {
    const lost = Array.from({ length: 20_000 }, (_, index) => user(`u${index}`, `lost${index}`, "x"));
    expect(activeIds(lost)).toHaveLength(20_000);
    const own = Array.from({ length: 20_000 }, (_, index) => user(`u${index}`, `u${index}`, "x"));
    expect(activeIds(own)).toEqual(["u19999"]);
  });
});
