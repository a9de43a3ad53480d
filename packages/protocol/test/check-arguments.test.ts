import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkArguments,
  historyListTool,
  historyReadTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  type ToolContract,
} from "../src/index.ts";

const message = (tool: ToolContract, args: unknown): string => {
  const checked = checkArguments(tool, args);
  return checked.ok ? "ok" : checked.message;
};

describe("checkArguments", () => {
  it("passes on what the schema takes, unchanged", () => {
    const args = { address: "a", content: "b", origin: "user" } as const;
    expect(checkArguments(notesWriteTool, args)).toEqual({ ok: true, args });
  });

  it.each([
    [{}, "error: invalid_arguments: notes_read: must have required properties address"],
    [{ address: "a", limit_chars: "5" }, "error: invalid_arguments: notes_read: limit_chars must be integer"],
    [{ address: "a", limit_chars: 1.5 }, "error: invalid_arguments: notes_read: limit_chars must be integer"],
    [{ address: "a", scope: "x" }, 'error: invalid_arguments: notes_read: no parameter is named "scope"'],
    [null, "error: invalid_arguments: notes_read: must be object"],
  ])("says in one line what is wrong with %j", (args, expected) => {
    expect(message(notesReadTool, args)).toBe(expected);
  });

  it("names the words that would do", () => {
    expect(message(notesWriteTool, { address: "a", content: "b", origin: "robot" })).toBe(
      'error: invalid_arguments: notes_write: origin must be one of "self", "user", "external"',
    );
  });

  it("says where in a list, and that none of several forms was met", () => {
    expect(message(notesUpdateTool, { address: "a", edits: [{ old_text: "x" }] })).toBe(
      "error: invalid_arguments: notes_update: edits.0 must have required properties new_text",
    );
    expect(message(notesSearchTool, { query: 5 })).toBe(
      "error: invalid_arguments: notes_search: query must be string or query must be array",
    );
  });

  it.each<[ToolContract, unknown, string]>([
    [historyReadTool, {}, "history_read: must have required properties seq"],
    [historyReadTool, { seq: 4.5 }, "history_read: seq must be integer"],
    [historyReadTool, { seq: 4, query: "a" }, 'history_read: no parameter is named "query"'],
    [historyListTool, { query: 5 }, "history_list: query must be string or query must be array"],
    [
      historyListTool,
      { roles: ["user", "robot"] },
      'history_list: roles.1 must be one of "user", "assistant", "tool", "context"',
    ],
    [historyListTool, { from: "oldest first" }, 'history_list: from must be one of "newest", "oldest"'],
    [historyListTool, { since: 0 }, "history_list: since must be string"],
    [historyListTool, { cwd: "." }, 'history_list: no parameter is named "cwd"'],
  ])("says of $0.name what is wrong with $1", (tool, args, expected) => {
    expect(message(tool, args)).toBe(`error: invalid_arguments: ${expected}`);
  });

  it("leaves ranges to the operation", () => {
    expect(message(notesReadTool, { address: "a", limit_chars: 0 })).toBe("ok");
    expect(message(notesSearchTool, { limit: 0 })).toBe("ok");
    expect(message(historyListTool, { session: "*", limit: 0, after_seq: 9, before_seq: -9, since: "soon" })).toBe(
      "ok",
    );
    expect(message(historyReadTool, { seq: -1, limit_chars: 0 })).toBe("ok");
  });

  it("names a foreign parameter on one line, cut between characters", () => {
    expect(message(notesReadTool, { address: "a", ["x\u2028y"]: 1 })).toBe(
      'error: invalid_arguments: notes_read: no parameter is named "x\\u2028y"',
    );
    expect(message(notesReadTool, { address: "a", ["😀".repeat(60)]: 1 }).isWellFormed()).toBe(true);
  });

  it("stays one short line whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withNullPrototype: true }),
        fc.string({ unit: "binary", maxLength: 500 }),
        (value, name) => {
          for (const [tool, args] of [
            [notesReadTool, value],
            [notesReadTool, { address: value, [name]: value }],
            [notesSearchTool, { query: value, limit: value }],
            [notesSearchTool, { query: Array(50).fill(value) }],
          ] as const) {
            const line = message(tool, args);
            expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029]/u);
            expect(line.isWellFormed()).toBe(true);
            expect(line.length).toBeLessThan(1000);
          }
        },
      ),
    );
  });
});
