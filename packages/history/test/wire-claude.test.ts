import { describe, expect, it } from "vitest";
import { claudeWire } from "../src/wire/claude.ts";
import type { WireItem } from "../src/wire/wire.ts";
import { inactiveLines, recordsOf, SESSIONS, type Sample, take, told } from "./wire-claude-fixture.ts";

/** The lines of a sample on which something is said, with what it is; contexts are left out. */
const said = (sample: Sample): string[] => told(recordsOf(sample)).filter((line) => !line.includes(" context: "));

/** How many items of each kind the sample has. */
function counts(sample: Sample): Record<string, number> {
  const result: Record<string, number> = {};
  for (const item of take(recordsOf(sample)).records.flatMap(({ items }) => items)) {
    const kind = item === undefined ? "dropped" : item.kind === "message" ? item.role : item.kind;
    result[kind] = (result[kind] ?? 0) + 1;
  }
  return result;
}

/** The lines, counted from 1, of which the record has a mark. */
const linesWith = (sample: Sample, mark: "startsWindow" | "endsTurn" | "isCopy"): number[] =>
  take(recordsOf(sample)).records.flatMap((record, index) => (record[mark] === true ? [index + 1] : []));

describe("a session with parallel calls, a compaction and a rewind", () => {
  const sample = "session-parallel-compact-rewind";

  it("says each thing once, calls and results in the order of appending", () => {
    expect(said(sample)).toEqual([
      '4 user: PLAN:[{"tool":"mcp__soup',
      '25 toolu_0084v1c24a calls mcp__soup3__ctx {"n":1}',
      '28 toolu_0084v1c24a fails CTX {"cwd":"/home/dev/pr',
      '32 toolu_0086jqbkog calls Bash {"command":"cd sub && pw',
      "35 toolu_0086jqbkog gives /home/dev/project",
      '39 toolu_0088wa18bi calls mcp__soup3__ctx {"n":1}',
      '40 toolu_0088wa18bi fails CTX {"cwd":"/home/dev/pr',
      '43 toolu_0090d25q33 calls Agent {"description":"sub","pr',
      "44 toolu_0090d25q33 gives [Subagent hand-back] The",
      "46 assistant: all done",
      "53 user: <command-name>/compact</",
      "65 user: <command-name>/compact</",
      '79 user: PLAN:[{"thinking":"let m',
      "96 assistant: [reasoning]⏎let me think",
      "97 assistant: I will do several",
      '98 toolu_00975csar5 calls Bash {"command":"seq 1 20000"',
      '99 toolu_0098ca7fci calls Read {"file_path":"/home/dev/',
      '100 toolu_0099vwemkn calls Bash {"command":"ls /nonexist',
      "104 toolu_0099vwemkn fails Exit code 2⏎ls: cannot a",
      "105 toolu_0098ca7fci gives 1\t#!/bin/bash⏎2\t# usage:",
      "106 toolu_00975csar5 gives <persisted-output>⏎Outpu",
      '112 toolu_0101m837y3 calls Bash {"command":"python3 -c \\',
      "113 toolu_0101m837y3 gives <persisted-output>⏎Outpu",
      '115 toolu_0103g58kmf calls Read {"file_path":"/home/dev/',
      "119 toolu_0103g58kmf gives 1\t# Function hooks: the ",
      '127 toolu_010666bjj0 calls Edit {"replace_all":false,"fi',
      "128 toolu_010666bjj0 fails <tool_use_error>File doe",
      '131 toolu_01089bhkm3 calls Write {"file_path":"/home/dev/',
      "132 toolu_01089bhkm3 gives File created successfull",
      '135 toolu_0110m8ceh9 calls WebFetch {"url":"http://x","promp',
      "136 toolu_0110m8ceh9 fails Claude requested permiss",
      "140 assistant: rich done",
      '145 user: PLAN:[{"tool":"Bash","in',
      '151 toolu_0113sgaeg6 calls Bash {"command":"echo after r',
      "152 toolu_0113sgaeg6 gives after rewind",
      "154 assistant: rewound done",
    ]);
    expect(counts(sample)).toEqual({ user: 5, assistant: 5, context: 36, call: 13, result: 13 });
  });

  it("has what was rewound on no branch, and all else on the active one: parallel calls, and what was before the compaction", () => {
    expect(inactiveLines(recordsOf(sample))).toEqual([115, 119, 120, 127, 128, 131, 132, 135, 136, 137, 140]);
  });

  it("ends at a head that is given", () => {
    const beforeRewind = recordsOf(sample)[139]?.uuid;
    expect(inactiveLines(recordsOf(sample), String(beforeRewind))).toEqual([145, 146, 147, 151, 152, 154]);
  });

  it("has every call of a message on the branch that ends at the first of its results", () => {
    const first = recordsOf(sample)[103]?.uuid;
    const isActive = take(recordsOf(sample)).reading.branch(String(first));
    const lines = [96, 97, 98, 99, 100, 104, 105, 106];
    expect(lines.filter((line) => isActive(line - 1))).toEqual(lines);
    expect(isActive(107 - 1)).toBe(false);
  });

  it("has one message in three rows as one group", () => {
    const items = take(recordsOf(sample))
      .records.slice(95, 100)
      .flatMap(({ items: all }) => all);
    expect(items.map((item) => (item?.kind === "message" ? item.group : item?.kind))).toEqual([
      "msg_000100mx3izyqg",
      "msg_000100mx3izyqg",
      "call",
      "call",
      "call",
    ]);
  });

  it("begins a window at the compaction, with the summary behind it", () => {
    expect(linesWith(sample, "startsWindow")).toEqual([62]);
    const windowed = told(recordsOf(sample)).filter((line) => /^6[236] /u.test(line));
    expect(windowed).toEqual([
      "62 context: [compaction: manual]",
      "63 context: This session is being co",
      "66 context: <local-command-stdout>Co",
    ]);
  });

  it("names where the host keeps an output that it has cut", () => {
    const results = take(recordsOf(sample)).records.flatMap(({ items }) => items.filter(isResult));
    const cut = results.filter(({ outputTruncated }) => outputTruncated === true);
    expect(cut.map(({ callId, fullOutputPath }) => [callId, fullOutputPath])).toEqual([
      ["toolu_00975csar5", "/home/dev/project"],
      ["toolu_0101m837y3", "/home/dev/project"],
    ]);
  });

  it("says where it was begun, and when", () => {
    expect(take(recordsOf(sample)).reading.header).toEqual({
      id: "4e3686cb-9709-4c58-85d1-ae6eef1e7660",
      cwd: "/home/dev/project",
      createdAt: Date.parse("2026-11-30T17:11:19.039Z"),
      parent: undefined,
    });
  });
});

describe("a fork of that session", () => {
  const sample = "session-fork";

  it("repeats what was in the parent's last window, and goes on", () => {
    expect(counts(sample)).toEqual({ user: 5, assistant: 5, context: 22, call: 5, result: 5 });
    expect(inactiveLines(recordsOf(sample))).toEqual([]);
    expect(linesWith(sample, "startsWindow")).toEqual([6]);
  });

  it("tells its copies from what it has added, and names the parent", () => {
    const copies = linesWith(sample, "isCopy");
    expect([copies[0], copies.at(-1), copies.length]).toEqual([6, 48, 43]);
    expect(take(recordsOf(sample)).reading.header).toEqual({
      id: "4b1e60e4-1cef-4c86-bace-949ecdc98a35",
      cwd: "/home/dev/project",
      createdAt: Date.parse("2026-11-30T17:12:34.748Z"),
      parent: "4e3686cb-9709-4c58-85d1-ae6eef1e7660",
    });
  });
});

describe("a session that the host has compacted by itself", () => {
  const sample = "session-auto-compact";

  it("goes on over the compaction, in the midst of a turn", () => {
    expect(said(sample)).toEqual([
      '4 user: PLAN:[{"tool":"Bash","in',
      '25 toolu_0166d56xnx calls Bash {"command":"echo 1","des',
      "28 toolu_0166d56xnx gives 1",
      '31 toolu_0168kftomy calls Bash {"command":"echo 2","des',
      "32 toolu_0168kftomy gives 2",
      "58 assistant: ok",
    ]);
    expect(linesWith(sample, "startsWindow")).toEqual([37]);
    expect(inactiveLines(recordsOf(sample))).toEqual([]);
  });

  it("has the summary as context, behind what was put there first", () => {
    const windowed = told(recordsOf(sample)).filter((line) => /^(?:3[7-9]|4[01]) /u.test(line));
    expect(windowed).toEqual([
      "37 context: [compaction: auto]",
      "39 context: [host text removed: 182 ",
      `40 context: <system-reminder>⏎Today'`,
      "41 context: This session is being co",
    ]);
  });
});

describe("a session that was cleared, and the one after it", () => {
  it("are two sessions", () => {
    expect(take(recordsOf("session-before-clear")).reading.header.id).toBe("23a0729d-7525-4d14-af81-c01144bd4dd1");
    expect(take(recordsOf("session-after-clear")).reading.header.id).toBe("3c2d39fb-3ea6-4608-9d7a-049ba3347fce");
    expect(said("session-before-clear")).toEqual([
      '4 user: PLAN:[{"tool":"mcp__soup',
      "22 toolu_0258yjm22p calls mcp__soup6__sid {}",
      "25 toolu_0258yjm22p gives sid 23a0729d-7525-4d14-a",
      '33 toolu_0260oygzqb calls Bash {"command":"echo a","des',
      "36 toolu_0260oygzqb gives a",
      "40 assistant: t1",
    ]);
    expect(said("session-after-clear")).toEqual([
      "4 user: <command-name>/clear</co",
      '8 user: PLAN:[{"tool":"mcp__soup',
      "29 toolu_0263oqyc46 calls mcp__soup6__sid {}",
      "30 toolu_0263oqyc46 gives sid 3c2d39fb-3ea6-4608-9",
      "37 assistant: t2",
      "49 user: <command-name>/compact</",
      '60 user: PLAN:[{"tool":"mcp__soup',
      "76 toolu_02671i8wb6 calls mcp__soup6__sid {}",
      "77 toolu_02671i8wb6 gives sid 3c2d39fb-3ea6-4608-9",
      "87 assistant: t3",
    ]);
  });

  it("have the row that the compaction has preserved in the window that it was said in", () => {
    expect(linesWith("session-after-clear", "startsWindow")).toEqual([46]);
    expect(inactiveLines(recordsOf("session-after-clear"))).toEqual([]);
    expect(inactiveLines(recordsOf("session-before-clear"))).toEqual([]);
  });

  it("have a plugin's note as context", () => {
    expect(told(recordsOf("session-after-clear"))).toContain("34 context: <system-reminder>⏎Note f");
  });
});

describe("a session with results of a plugin's tools", () => {
  const sample = "session-plugin-results";

  it("has every call with one result", () => {
    expect(counts(sample)).toEqual({ user: 1, assistant: 1, context: 12, call: 19, result: 19 });
    expect(inactiveLines(recordsOf(sample))).toEqual([]);
  });

  it("fails where the host says so, whatever the text says", () => {
    const failed = said(sample).filter((line) => line.includes(" fails "));
    expect(failed.map((line) => line.slice(0, 22))).toEqual([
      "42 toolu_00341u9kwj fa",
      "77 toolu_00485sqtj1 fa",
      "81 toolu_0050b42x80 fa",
      "85 toolu_0052frbvp6 fa",
      "89 toolu_0054tp3b3u fa",
      "106 toolu_006265b6u2 f",
    ]);
    expect(said(sample)).toContain("23 toolu_0026694uht gives error: x: run_err");
  });

  it("has the blocks of an output a line each", () => {
    expect(said(sample)).toContain("52 toolu_0038epmxnr gives blk1⏎blk2");
  });

  it("finds the whole output in the text, where the tool has no record of it", () => {
    const results = take(recordsOf(sample)).records.flatMap(({ items }) => items.filter(isResult));
    const cut = results.filter(({ outputTruncated }) => outputTruncated === true);
    expect(cut.map(({ callId, fullOutputPath }) => [callId, fullOutputPath])).toEqual([
      ["toolu_00427cqciy", "/home/dev/project"],
      ["toolu_004492anc2", "/home/dev/project"],
    ]);
    expect(results.find(({ callId }) => callId === "toolu_0040ke599w")?.output()).toHaveLength(32_768);
  });
});

describe("a session with hooks", () => {
  const sample = "session-hooks-and-mcp";

  it("has what a hook added before a call on the branch, though nothing hangs at it", () => {
    expect(inactiveLines(recordsOf(sample))).toEqual([]);
    expect(told(recordsOf(sample))).toContain("29 context: <system-reminder>⏎PreToo");
  });

  it("says nothing of hooks that have added nothing, and ends the turn where the model has stopped", () => {
    expect(counts(sample)).toEqual({ user: 1, assistant: 1, context: 27, call: 9, result: 9 });
    expect(linesWith(sample, "endsTurn")).toEqual([108]);
  });
});

describe("a session that was rewound at its prompt", () => {
  const sample = "session-interactive-rewind";

  it("has the new branch as the active one, and the old one as it was", () => {
    expect(inactiveLines(recordsOf(sample))).toEqual([50, 51, 52, 53, 55, 56]);
    expect(said(sample)).toEqual([
      '6 user: PLAN:[{"tool":"Write","i',
      '29 toolu_02798hdgla calls Write {"file_path":"/home/dev/',
      "35 toolu_02798hdgla gives The file /home/dev/proje",
      "44 assistant: first done",
      '50 user: PLAN:[{"tool":"Bash","in',
      '51 toolu_0282rivuwn calls Bash {"command":"echo two","d',
      "52 toolu_0282rivuwn gives two",
      "55 assistant: second done",
      '57 user: PLAN:[{"text":"after rew',
      "61 assistant: after rewind answer",
    ]);
    expect(linesWith(sample, "endsTurn")).toEqual([45, 56, 62]);
  });
});

describe("a session of one slash command", () => {
  it("has the command as the person's, and what came of it as context", () => {
    expect(told(recordsOf("session-slash-command"))).toEqual([
      "3 context: <system-reminder>⏎Sessio",
      "4 context: <local-command-caveat>Th",
      "5 user: <command-name>/soupcmd</",
      "6 context: <local-command-stdout>so",
      "7 context: SOUPCMD-CONTEXT",
    ]);
  });
});

describe("the file of a subagent", () => {
  it("is no session: all its rows are beside the main one", () => {
    const { records, reading } = take(recordsOf("subagent"));
    expect(records.flatMap(({ items }) => items).every((item) => item === undefined)).toBe(true);
    expect(records.some((_, index) => reading.branch()(index))).toBe(false);
  });
});

describe("every sample", () => {
  it.each(SESSIONS)(
    "has the same items in %s when they are asked for again, and when bytes are taken for Latin-1",
    (sample) => {
      const records = recordsOf(sample);
      const again = take(recordsOf(sample, "latin1")).records;
      for (const [index, record] of records.entries()) {
        const items = claudeWire.items(record);
        expect(again[index]?.items.map((item) => item?.kind)).toEqual(items.map(({ kind }) => kind));
      }
    },
  );

  it.each(SESSIONS)("has copies in %s only if it is a fork", (sample) => {
    expect(linesWith(sample, "isCopy").length > 0).toBe(sample === "session-fork");
  });
});

function isResult(item: WireItem | undefined): item is WireItem & { kind: "result" } {
  return item?.kind === "result";
}
