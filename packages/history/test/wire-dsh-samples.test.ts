import { describe, expect, it } from "vitest";
import { dshWire } from "../src/wire/dsh.ts";
import {
  itemsOf,
  linesOf,
  namesOf,
  pairsOf,
  parse,
  read,
  recordsOf,
  samples,
  seqsWhere,
  type Taken,
  wordsOf,
} from "./wire-dsh-fixture.ts";

describe("a host's session", () => {
  it("is read to its items in the order of appending, a call where the model has asked for it", () => {
    const { reading, taken } = read(recordsOf("headless-plain-errors.jsonl.zstd"));
    expect(reading.header).toEqual({
      id: "session-f1449234-eb22-4850-b950-13bf5b1bfcc9",
      cwd: "/home/dev/project",
      createdAt: 1_796_058_552_009,
      parent: undefined,
    });
    expect(namesOf(taken)).toEqual([
      "7 user",
      "8 context",
      "30 assistant",
      "30 call bash",
      "31 said before",
      "33 error",
      "49 call read",
      "49 call bash",
      "50 said before",
      "51 error",
      "52 said before",
      "53 error",
      "67 call read",
      "67 call nope",
      "68 said before",
      "69 error",
      "70 said before",
      "71 error",
      "80 assistant",
    ]);
    expect(pairsOf(taken)).toEqual(["30 bash = 33", "49 read = 51", "49 bash = 53", "67 read = 69", "67 nope = 71"]);
    const items = taken.flatMap(({ items: some }) => some).filter((item) => item !== undefined);
    expect(items.slice(0, 5).map(wordsOf)).toEqual([
      "please list the files",
      expect.stringMatching(/^Current runtime context\. /u),
      "[reasoning]\nI should look at the directory listing first.\n\n[answer]\nLet me look.",
      undefined,
      'Error: invalid arguments: missing required property "description"',
    ]);
    expect(items.flatMap((item) => (item.kind === "call" ? [item.args()] : []))).toEqual([
      '{"command":"echo hello; ls"}',
      '{"file_path":"/nonexistent/x.txt"}',
      '{"command":"exit 3"}',
      '{"file_path": 12}',
      "{}",
    ]);
  });

  it("that is not compressed is the same", () => {
    const { taken } = read(recordsOf("headless-plain-uncompressed.jsonl"));
    expect(namesOf(taken).filter((name) => !name.endsWith("said before"))).toEqual([
      "7 context",
      "8 user",
      "9 context",
      "31 assistant",
      "31 call bash",
      "34 error",
      "50 call read",
      "50 call bash",
      "52 error",
      "54 error",
      "68 call read",
      "68 call nope",
      "70 error",
      "72 error",
      "81 assistant",
    ]);
  });

  it("tells of the calls that run_code made, and never what came back", () => {
    const { taken } = read(recordsOf("headless-code-mode-nested.jsonl.zstd"));
    expect(namesOf(taken)).toEqual([
      "7 context",
      "8 user",
      "9 context",
      "53 call run_code",
      "54 said before",
      "56 nested notes_write unfinished",
      "57 nested notes_write ok",
      "58 nested notes_read unfinished",
      "59 nested notes_read ok",
      "60 nested notes_read unfinished",
      "61 nested notes_read ok",
      "62 nested notes_write unfinished",
      "63 nested notes_write error",
      "64 ok",
      "72 assistant",
    ]);
    const nested = taken.flatMap(({ items }) => items).filter((item) => item?.kind === "nested");
    expect(new Set(nested.map(({ callId }) => callId))).toEqual(new Set(["call_main_0_0"]));
    expect(nested.slice(6)).toEqual([
      {
        kind: "nested",
        callId: "call_main_0_0",
        call: {
          id: "call_main_0_0:code:4",
          name: "notes_write",
          args: '{"address":"@head/x","content":"y"}',
          status: "unfinished",
        },
        isEnd: false,
      },
      {
        kind: "nested",
        callId: "call_main_0_0",
        call: {
          id: "call_main_0_0:code:4",
          name: "notes_write",
          args: '{"address":"@head/x","content":"y"}',
          status: "error",
        },
        isEnd: true,
      },
    ]);
    expect(JSON.stringify(nested)).not.toContain("unknown sigil");
  });

  it("that crashed in a turn has calls without results, one of which was never started", () => {
    const { taken } = read(recordsOf("headless-crash-open-turn.jsonl.zstd"));
    expect(namesOf(taken)).toEqual([
      "7 context",
      "8 user",
      "9 context",
      "32 assistant",
      "32 call bash",
      "32 call read",
      "33 said before",
    ]);
    expect(pairsOf(taken)).toEqual(["32 bash = nothing", "32 read = nothing"]);
    expect(seqsWhere(taken, ({ endsTurn }) => endsTurn)).toEqual([4]);
  });

  it("of which a turn has no end goes on with the next: its start ends the one before", () => {
    const { taken } = read(recordsOf("probe-cancel.missing-turn-end.jsonl.zstd"));
    expect(namesOf(taken)).toEqual(["7 context", "8 user", "9 context", "20 user", "26 assistant"]);
    expect(seqsWhere(taken, ({ endsTurn }) => endsTurn)).toEqual([4, 17, 28]);
  });

  it("keeps what the host has compacted, does not count a pruned copy, and starts no window where the end was kept", () => {
    const { taken } = read(recordsOf("probe-compact.builtin-compaction-prune-command.jsonl.zstd"));
    expect(namesOf(taken)).toEqual([
      "7 context",
      "8 user",
      "9 context",
      "28 assistant",
      "28 call bash",
      "29 said before",
      "31 ok",
      "37 context",
      "41 context",
      "44 context",
      "45 context",
      "62 assistant",
      "71 user",
      "72 context",
      "94 assistant",
      "100 context",
      "107 context",
      "108 user",
      "109 context",
      "110 context",
      "116 assistant",
    ]);
    expect(pairsOf(taken)).toEqual(["28 bash = 31"]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([]);
    const [output] = taken.flatMap(({ record, items }) => (record.seq === 31 ? items.map(wordsOf) : []));
    expect(output).toHaveLength("1 2 3 4 5 6 7 8 9 ".length + 90 * 3 + 900 * 4 + 3001 * 5);
    const [checkpointText] = taken.flatMap(({ record, items }) => (record.seq === 100 ? items.map(wordsOf) : []));
    expect(checkpointText).toMatch(
      /^\[compaction\]\nThis is an automatically generated checkpoint [^]*\n<compacted-summary>\nSUMMARY: fake compaction summary\.\n/u,
    );
  });

  it("tells that an output was cut, and where the whole is: the tool's file before the host's", () => {
    const results = itemsOf(recordsOf("headless-retry-spill-edit.jsonl.zstd")).filter((item) => item.kind === "result");
    expect(results.map(({ outputTruncated, fullOutputPath }) => [outputTruncated, fullOutputPath])).toEqual([
      [true, "/var/tmp/dsh-subprocess-HJw4Fm/dsh-subprocess-22920-1-7eb9b8a661c3-stdout.log"],
      ...Array.from({ length: 5 }, () => [undefined, undefined]),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual(Array.from({ length: 6 }, () => false));
  });

  it("pairs calls that ran side by side, and begins a window with a reset's snapshot", () => {
    const { taken } = read(recordsOf("probe-one.tools-errors-reset.jsonl.zstd"));
    expect(pairsOf(taken)).toEqual([
      "38 notes_write = 41",
      "38 notes_read = 44",
      "38 notes_read = 45",
      "69 notes_write = 71",
      "69 notes_write = 73",
      "69 notes_read = 75",
      "88 history_list = 90",
      "88 get_context_remaining = 92",
      "118 empty_brain = 120",
      "134 history_list = 136",
    ]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([124]);
    expect(namesOf(taken).filter((name) => Number.parseInt(name, 10) > 103)).toEqual([
      "108 user",
      "109 context",
      "118 call empty_brain",
      "119 said before",
      "120 ok",
      "124 context",
      "127 context",
      "134 call history_list",
      "135 said before",
      "136 ok",
      "145 assistant",
    ]);
  });

  it("that was resumed has closed what it found open", () => {
    const { taken } = read(recordsOf("probe-life.jsonl.zstd"));
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([37, 50]);
    expect(seqsWhere(taken, ({ endsTurn }) => endsTurn)).toEqual([4, 46, 54, 69, 71, 76, 77, 79, 91]);
    expect(seqsWhere(taken, ({ isCopy }) => isCopy)).toEqual([]);
    expect(pairsOf(taken)).toEqual(["28 bash = 31"]);
  });

  it("that is a fork names its parent, and which records are copies of the parent's", () => {
    const fork = read(recordsOf("probe-life-fork.jsonl.zstd"));
    const parent = read(recordsOf("probe-life.jsonl.zstd"));
    const copied = (taken: readonly Taken[]): string[] =>
      namesOf(taken.filter(({ record }) => typeof record.seq === "number" && record.seq < 70));
    expect(fork.reading.header).toMatchObject({ id: "probe-life-fork", parent: "probe-life" });
    expect(copied(fork.taken)).toEqual(copied(parent.taken));
    expect(
      fork.taken.filter(({ items, isCopy }) => items.length > 0 && isCopy !== true).map(({ record }) => record.seq),
    ).toEqual([75, 82]);
    expect(seqsWhere(fork.taken, ({ startsWindow }) => startsWindow)).toEqual([37, 50]);
  });

  it("of a subagent names its parent, and copies nothing", () => {
    for (const name of ["probe-dream.child-create.jsonl.zstd", "probe-dream.child-subagent.jsonl.zstd"]) {
      const { reading, taken } = read(recordsOf(name));
      expect(reading.header.parent).toBe("probe-dream");
      expect(seqsWhere(taken, ({ isCopy }) => isCopy)).toEqual([]);
    }
    expect(pairsOf(read(recordsOf("probe-dream.child-create.jsonl.zstd")).taken)).toEqual([
      "28 notes_read = 30",
      "28 dream_delete = 32",
      "28 history_list = 34",
    ]);
    expect(namesOf(read(recordsOf("probe-dream.child-subagent.jsonl.zstd")).taken)).toEqual([
      "7 user",
      "8 context",
      "26 call notes_read",
      "26 call bash",
      "27 said before",
      "28 ok",
      "29 said before",
      "30 error",
      "39 assistant",
    ]);
    expect(pairsOf(read(recordsOf("probe-dream.parent.jsonl.zstd")).taken)).toEqual([
      "27 notes_write = 30",
      "27 dream = 32",
      "42 dream = 44",
    ]);
  });

  it("of version 0.1.1-rc.2 is the same format", () => {
    const one = read(recordsOf("v0.1.1-rc.2.probe-one.jsonl.zstd")).taken;
    const life = read(recordsOf("v0.1.1-rc.2.probe-life.jsonl.zstd")).taken;
    expect(seqsWhere(one, ({ startsWindow }) => startsWindow)).toEqual([124]);
    expect(pairsOf(one)).toHaveLength(10);
    expect(pairsOf(one).at(-1)).toBe("135 history_list = 137");
    expect(seqsWhere(life, ({ startsWindow }) => startsWindow)).toEqual([37, 50]);
    expect(namesOf(life)).toEqual([
      "7 context",
      "8 user",
      "9 context",
      "28 assistant",
      "28 call bash",
      "29 said before",
      "31 error",
      "37 context",
      "44 assistant",
      "50 context",
      "57 context",
      "58 user",
      "59 context",
      "68 assistant",
      "75 user",
      "83 user",
      "90 assistant",
    ]);
  });

  it.each(samples)("%s says the same read as bytes, but for letters, and each record the same by itself", (name) => {
    const latin1 = read(linesOf(name).map((line) => parse(Buffer.from(line, "utf8").toString("latin1"))));
    const utf8 = read(recordsOf(name));
    expect(namesOf(latin1.taken)).toEqual(namesOf(utf8.taken));
    for (const { record, items } of utf8.taken) expect(dshWire.items(record)).toHaveLength(items.length);
  });
});
