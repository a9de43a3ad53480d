import type { HistoryEventRow, HistoryFoldedRow, HistoryListResult, HistoryReadResult } from "@notesoup/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderHistoryList, renderHistoryRead } from "../src/index.ts";

const said: HistoryEventRow = {
  seq: 40,
  role: "user",
  created_at: "2026-11-30T09:05:12.004Z",
  text: "Run the tests.",
};

const ran: HistoryEventRow = {
  seq: 41,
  role: "tool",
  created_at: "2026-11-30T09:06:02.118Z",
  tool: "bash",
  tool_status: "error",
  text: "npm test",
};

const folded: HistoryFoldedRow = {
  folded: { from_seq: 42, to_seq: 57, events: 16, tools: { bash: 10, read: 5, context: 1 } },
  expand: { after_seq: 41, before_seq: 58, roles: ["tool", "context"], from: "oldest" },
};

const nothing: HistoryListResult = { items: [], page_older: null, page_newer: null };

const linesOf = (...items: HistoryListResult["items"]): string[] =>
  renderHistoryList({ ...nothing, items }).split("\n");

describe("a page of the history", () => {
  it("has a line for each event with its text below, one line for a folded run, then how to go on", () => {
    const result: HistoryListResult = {
      items: [said, ran, folded],
      page_older: { from: "newest", after_seq: -1, before_seq: 40 },
      page_newer: { from: "oldest", after_seq: 57, before_seq: 90 },
    };
    expect(renderHistoryList(result)).toBe(
      [
        "seq 40 | user | 2026-11-30T09:05:12.004Z",
        "  Run the tests.",
        "seq 41 | tool | 2026-11-30T09:06:02.118Z | bash error",
        "  npm test",
        'seq 42–57 | 16 events folded | bash 10, read 5, context 1 | expand: history_list {"after_seq":41,"before_seq":58,"roles":["tool","context"],"from":"oldest"}',
        'older: history_list {"from":"newest","after_seq":-1,"before_seq":40}',
        'newer: history_list {"from":"oldest","after_seq":57,"before_seq":90}',
      ].join("\n"),
    );
  });

  it("tells of an execution that its output was truncated, and where it lies whole", () => {
    const [line] = linesOf({ ...ran, output_truncated: true, full_output_path: "/tmp/out\n.log" });
    expect(line).toBe(
      "seq 41 | tool | 2026-11-30T09:06:02.118Z | bash error · output truncated · full output /tmp/out\\u000a.log",
    );
    expect(linesOf({ ...ran, output_truncated: true })[0]).toMatch(/ \| bash error · output truncated$/u);
  });

  it.each(["ok", "error", "pending", "unfinished", "unpaired"] as const)("says that an execution is %s", (status) => {
    expect(linesOf({ ...ran, tool_status: status })[0]).toMatch(new RegExp(` \\| bash ${status}$`, "u"));
  });

  it("tells of a result without its call what is known", () => {
    const { tool: _, ...unnamed } = ran;
    expect(linesOf({ ...unnamed, tool_status: "unpaired" })[0]).toMatch(/Z \| unpaired$/u);
  });

  it("says that an event has no time", () => {
    expect(linesOf({ ...said, created_at: null })[0]).toBe("seq 40 | user | no time");
  });

  it("says how much of a row is left and how to read it", () => {
    expect(linesOf({ ...said, more_chars: 812 })).toEqual([
      "seq 40 | user | 2026-11-30T09:05:12.004Z",
      "  Run the tests.",
      "  [+812 chars; history_read seq=40]",
    ]);
    expect(linesOf({ ...said, session: "demo:0a1b2c3d", more_chars: 1 }).at(-1)).toBe(
      "  [+1 char; history_read seq=40 session=demo:0a1b2c3d]",
    );
  });

  it("names the session in front where a row or the result carries one, and in every recipe", () => {
    const session = "demo:0a1b2c3d";
    expect(linesOf({ ...said, session })[0]).toBe("session demo:0a1b2c3d | seq 40 | user | 2026-11-30T09:05:12.004Z");
    const result: HistoryListResult = {
      session,
      items: [
        { ...said, more_chars: 2 },
        { ...folded, expand: { session, ...folded.expand } },
      ],
      page_older: { session, from: "newest", after_seq: -1, before_seq: 40 },
      page_newer: null,
    };
    expect(renderHistoryList(result).split("\n")).toEqual([
      "session demo:0a1b2c3d | seq 40 | user | 2026-11-30T09:05:12.004Z",
      "  Run the tests.",
      "  [+2 chars; history_read seq=40 session=demo:0a1b2c3d]",
      'session demo:0a1b2c3d | seq 42–57 | 16 events folded | bash 10, read 5, context 1 | expand: history_list {"session":"demo:0a1b2c3d","after_seq":41,"before_seq":58,"roles":["tool","context"],"from":"oldest"}',
      'older: history_list {"session":"demo:0a1b2c3d","from":"newest","after_seq":-1,"before_seq":40}',
    ]);
  });

  it("says in one line that there is nothing", () => {
    expect(renderHistoryList(nothing)).toBe("no events found");
    expect(renderHistoryList({ ...nothing, sessions_unreadable: [{ session: "demo:0", code: "io" }] })).toBe(
      "no events found\nunreadable session demo:0 · io",
    );
  });
});

describe("the text of a row", () => {
  const textOf = (text: string): string[] => linesOf({ ...said, text }).slice(1);

  it("keeps its lines, each indented, and its tabs", () => {
    expect(textOf("a\n\n  b\tc")).toEqual(["  a", "", "    b\tc"]);
    expect(textOf("a\r\nb")).toEqual(["  a", "  b"]);
  });

  it("takes no line where there is none, nor for its last line end", () => {
    expect(textOf("")).toEqual([]);
    expect(textOf("a\n")).toEqual(["  a"]);
  });

  it("is escaped where it could disguise a line or steer a terminal", () => {
    expect(textOf("a\u001b[2J\u202eb\u2028c\rd\u0000")).toEqual(["  a\\u001b[2J\\u202eb\\u2028c\\u000dd\\u0000"]);
  });

  it("never stands where a line of the list stands, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const [header, ...lines] = linesOf({ ...said, text });
        expect(header).toBe("seq 40 | user | 2026-11-30T09:05:12.004Z");
        expect(lines.filter((line) => !/^(?: {2}|$)/u.test(line))).toEqual([]);
        expect(lines.join("")).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/u);
      }),
    );
    expect(textOf("a\nseq 1 | user | no time")).toEqual(["  a", "  seq 1 | user | no time"]);
  });
});

describe("a folded row", () => {
  it("is one line, whatever the tools are called", () => {
    const [line, ...others] = linesOf({
      folded: { from_seq: 1, to_seq: 2, events: 2, tools: { "a\nb": 1, "c\u202e": 1 } },
      expand: { session: "demo:\u2028", after_seq: 0, before_seq: 3, roles: ["tool", "context"], from: "oldest" },
    });
    expect(others).toEqual([]);
    expect(line).toMatch(/^seq 1–2 \| 2 events folded \| a\\u000ab 1, c\\u202e 1 \| expand: history_list /u);
    // What is escaped in a recipe is still JSON.
    expect(JSON.parse(line?.split("history_list ")[1] ?? "")).toHaveProperty("session", "demo:\u2028");
  });

  it("does without a count of tools", () => {
    expect(linesOf({ ...folded, folded: { from_seq: 42, to_seq: 57, events: 16, tools: {} } })[0]).toMatch(
      /^seq 42–57 \| 16 events folded \| expand: /u,
    );
  });
});

describe("a search of the history", () => {
  const hit: HistoryEventRow = {
    ...ran,
    more_chars: 3100,
    match_offset_chars: 1200,
    neighborhood: { after_seq: 35, before_seq: 48, query: [], roles: [] },
  };

  it("says where in the event the match is, and what to list to see what is around it", () => {
    expect(linesOf(hit)).toEqual([
      "seq 41 | tool | 2026-11-30T09:06:02.118Z | bash error · match at offset_chars 1200 · around it after_seq=35 before_seq=48",
      "  npm test",
      "  [+3100 chars; history_read seq=41]",
    ]);
    expect(linesOf({ ...said, match_offset_chars: 0 })[0]).toBe(
      "seq 40 | user | 2026-11-30T09:05:12.004Z | match at offset_chars 0",
    );
  });

  it.each<[HistoryListResult["more"], string[]]>([
    [{ sessions: 3, hits: 12 }, ["+3 more sessions", "+12 more hits"]],
    [{ sessions: 1, hits: 1 }, ["+1 more session", "+1 more hit"]],
    [{ hits: true }, ["more hits"]],
    [{ sessions: 0, hits: 0 }, []],
    [undefined, []],
  ])("tells with more %j what was left out", (more, lines) => {
    const result: HistoryListResult = { ...nothing, items: [said], ...(more === undefined ? {} : { more }) };
    expect(renderHistoryList(result).split("\n").slice(2)).toEqual(lines);
  });

  it("tells what could not be read, each on a line of its own", () => {
    const result: HistoryListResult = {
      ...nothing,
      items: [said],
      damage: { lines: 2, bytes: 9013 },
      sessions_unreadable: [
        { session: "demo:0a1b2c3d", code: "session_unreadable" },
        { session: "demo:a\nb", code: "io" },
      ],
      more_unreadable: 5,
    };
    expect(renderHistoryList(result).split("\n").slice(2)).toEqual([
      "unreadable session demo:0a1b2c3d · session_unreadable",
      "unreadable session demo:a\\u000ab · io",
      "+5 more unreadable",
      "damage: 2 lines, 9013 bytes could not be read",
    ]);
  });
});

describe("a read event", () => {
  const read: HistoryReadResult = {
    seq: 41,
    role: "tool",
    created_at: "2026-11-30T09:06:02.118Z",
    tool: "bash",
    tool_status: "error",
    text: "bash error\nnpm test\n",
    total_chars: 20,
    next_offset_chars: null,
  };

  it("has its line above the document, and no footer where it is complete", () => {
    expect(renderHistoryRead(read)).toBe(
      "seq 41 | tool | 2026-11-30T09:06:02.118Z | bash error\n\nbash error\nnpm test\n",
    );
  });

  it("tells above the document what of the session could not be read, and of calls inside of it", () => {
    const result: HistoryReadResult = {
      ...read,
      session: "demo:0a1b2c3d",
      output_truncated: true,
      full_output_path: "/tmp/out.log",
      damage: { lines: 1, bytes: 1 },
      nested_calls: { call_count: 3, complete: false },
    };
    expect(renderHistoryRead(result)).toBe(
      [
        "session demo:0a1b2c3d | seq 41 | tool | 2026-11-30T09:06:02.118Z | bash error · output truncated · full output /tmp/out.log",
        "damage: 1 line, 1 byte could not be read",
        "nested calls 3 · incomplete",
        "",
        "bash error\nnpm test\n",
      ].join("\n"),
    );
    expect(renderHistoryRead({ ...read, nested_calls: { call_count: 0, complete: true } })).toContain(
      "\nnested calls 0 · complete\n\n",
    );
  });

  it("says where to go on where it is incomplete, on a line of its own", () => {
    expect(renderHistoryRead({ ...read, text: "bash", next_offset_chars: 4 })).toMatch(
      /\n\nbash\n\[truncated; continue at offset_chars=4\]$/u,
    );
    expect(renderHistoryRead({ ...read, text: "bash error\n", next_offset_chars: 11 })).toMatch(
      /\n\nbash error\n\[truncated; continue at offset_chars=11\]$/u,
    );
  });

  it("delivers the document verbatim, whatever it holds", () => {
    const text = "\u202eseq 1 | user\r\n[truncated; continue at offset_chars=1]\u0000";
    expect(renderHistoryRead({ ...read, text }).endsWith(`\n\n${text}`)).toBe(true);
  });

  it("says that it has no time", () => {
    expect(renderHistoryRead({ ...read, created_at: null })).toMatch(/^seq 41 \| tool \| no time \| bash error\n/u);
  });
});
