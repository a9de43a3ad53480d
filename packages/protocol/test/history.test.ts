import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import {
  type HistoryEventRow,
  type HistoryFoldedRow,
  type HistoryListArguments,
  type HistoryListResult,
  historyListTool,
  type HistoryReadResult,
  historyReadTool,
} from "../src/index.ts";

const row: HistoryEventRow = { seq: 41, role: "user", created_at: "2026-11-30T09:06:02.118Z", text: "a" };
const folded: HistoryFoldedRow = {
  folded: { from_seq: 42, to_seq: 57, events: 16, tools: { bash: 10, read: 5, context: 1 } },
  expand: { after_seq: 41, before_seq: 58, roles: ["tool", "context"], from: "oldest" },
};
const page: HistoryListResult = { items: [row], page_older: null, page_newer: null };
const read: HistoryReadResult = { ...row, total_chars: 1, next_offset_chars: null };

const lists = (result: unknown): boolean => Check(historyListTool.result, result);
const reads = (result: unknown): boolean => Check(historyReadTool.result, result);

describe("the result of history_list", () => {
  it("has rows of one event and folded rows, and no third kind", () => {
    expect(lists({ ...page, items: [] })).toBe(true);
    expect(lists({ ...page, items: [row, folded] })).toBe(true);
    expect(lists({ ...page, items: [{ ...row, ...folded }] })).toBe(false);
    expect(lists({ ...page, items: [{ folded: folded.folded }] })).toBe(false);
  });

  it("always says whether there is an older and a newer page", () => {
    const older = { from: "newest", after_seq: -1, before_seq: 41 };
    expect(lists({ ...page, page_older: older })).toBe(true);
    expect(lists({ ...page, page_older: { ...older, session: "demo:0a1b2c3d" } })).toBe(true);
    expect(lists({ items: [row], page_older: older })).toBe(false);
    for (const lacking of ["from", "after_seq", "before_seq"])
      expect(lists({ ...page, page_older: { ...older, [lacking]: undefined } })).toBe(false);
  });

  it.each([
    [{ sessions: 3 }, true],
    [{ hits: 12 }, true],
    [{ sessions: 3, hits: true }, true],
    [{ hits: false }, false],
    [{ rows: 3 }, false],
  ])("takes %j as what was left out: %s", (more, taken) => {
    expect(lists({ ...page, more })).toBe(taken);
  });

  it("says what could not be read by these names alone", () => {
    const sessions_unreadable = [{ session: "demo:0a1b2c3d", code: "session_unreadable" }];
    expect(lists({ ...page, sessions_unreadable, more_unreadable: 1, damage: { lines: 2, bytes: 9013 } })).toBe(true);
    expect(lists({ ...page, sessions_unavailable: sessions_unreadable })).toBe(false);
    expect(lists({ ...page, damage: { lines: 2 } })).toBe(false);
  });

  it("gives recipes that are calls when they are merged into the call", () => {
    const call: HistoryListArguments = { query: "a", roles: ["user"], limit: 5 };
    const neighborhood = { after_seq: 35, before_seq: 48, query: [] as [], roles: [] as [] };
    expect(lists({ ...page, items: [{ ...row, match_offset_chars: 0, neighborhood }] })).toBe(true);
    for (const recipe of [neighborhood, folded.expand, { from: "newest", after_seq: -1, before_seq: 41 }])
      expect(Check(historyListTool.parameters, { ...call, ...recipe })).toBe(true);
  });
});

describe.each([
  ["history_list", (fields: object) => lists({ ...page, items: [{ ...row, ...fields }] })],
  ["history_read", (fields: object) => reads({ ...read, ...fields })],
])("an event in the result of %s", (_, taken) => {
  it("may have no time, but says so", () => {
    expect(taken({ created_at: null })).toBe(true);
    expect(taken({ created_at: undefined })).toBe(false);
  });

  it("is of one of four roles", () => {
    for (const role of ["user", "assistant", "tool", "context"]) expect(taken({ role })).toBe(true);
    expect(taken({ role: "system" })).toBe(false);
  });

  it("says of an execution how it stands, and that its output was truncated or nothing of it", () => {
    const execution = { role: "tool", tool: "bash", full_output_path: "/tmp/out.log" };
    for (const tool_status of ["ok", "error", "pending", "unfinished", "unpaired"])
      expect(taken({ ...execution, tool_status, output_truncated: true })).toBe(true);
    expect(taken({ ...execution, tool_status: "done" })).toBe(false);
    expect(taken({ ...execution, output_truncated: false })).toBe(false);
  });

  it("has its arguments and records of nested calls in the document alone", () => {
    for (const field of ["arguments", "output", "calls"]) expect(taken({ [field]: "a" })).toBe(false);
  });
});

it("counts nested calls in history_read, not in a row of history_list", () => {
  const nested_calls = { call_count: 3, complete: false };
  expect(reads({ ...read, nested_calls })).toBe(true);
  expect(reads({ ...read, nested_calls: { call_count: 3 } })).toBe(false);
  expect(lists({ ...page, items: [{ ...row, nested_calls }] })).toBe(false);
});
