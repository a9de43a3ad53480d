import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HistoryError } from "../src/error.ts";
import type { JsonObject } from "../src/json.ts";
import { dshWire } from "../src/wire/dsh.ts";
import { Surface } from "../src/wire/dsh/surface.ts";
import type { WireItem, WireReading, WireRecord } from "../src/wire/wire.ts";
import { decompressFrame, frameAt } from "../src/zstd-frames.ts";

const folder = new URL("fixtures/dsh/", import.meta.url);
const samples = readdirSync(folder);

/** The text of a host's file. */
function textOf(name: string): string {
  const bytes = readFileSync(new URL(name, folder));
  if (!name.endsWith(".zstd")) return bytes.toString("utf8");
  const texts: Buffer[] = [];
  for (let at = 0; ;) {
    const frame = frameAt(bytes, at);
    if (typeof frame === "string") return Buffer.concat(texts).toString("utf8");
    texts.push(decompressFrame(bytes.subarray(at, frame.end)) ?? Buffer.alloc(0));
    at = frame.end;
  }
}

const parse = (line: string): JsonObject => JSON.parse(line) as JsonObject;
const linesOf = (name: string): string[] =>
  textOf(name)
    .split("\n")
    .filter((line) => line !== "");
const recordsOf = (name: string): JsonObject[] => linesOf(name).map(parse);

interface Taken extends WireRecord {
  readonly record: JsonObject;
}

/** A session that was read: what each of its records came to. */
function read(records: readonly JsonObject[]): { readonly reading: WireReading; readonly taken: readonly Taken[] } {
  const reading = dshWire.begin();
  return { reading, taken: records.map((record) => ({ record, ...reading.take(record) })) };
}

/** What an item is, on one line: its role, or its tool, or how it went. */
function nameOf(item: WireItem | undefined): string {
  switch (item?.kind) {
    case undefined:
      return "said before";
    case "message":
      return item.role;
    case "call":
      return `call ${item.tool}`;
    case "result":
      return item.isError ? "error" : "ok";
    case "nested":
      return `nested ${item.call.name} ${item.call.status}`;
  }
}

const namesOf = (taken: readonly Taken[]): string[] =>
  taken.flatMap(({ record, items }) => items.map((item) => `${String(record.seq)} ${nameOf(item)}`));
const itemsOf = (records: readonly JsonObject[]): WireItem[] =>
  read(records).taken.flatMap(({ items }) => items.filter((item) => item !== undefined));
const seqsWhere = (taken: readonly Taken[], holds: (one: Taken) => boolean | undefined): unknown[] =>
  taken.filter((one) => holds(one) === true).map(({ record }) => record.seq);

/** Calls and the seqs of their results, by pairing them in the order of appending. */
function pairsOf(taken: readonly Taken[]): string[] {
  const pairs: string[] = [];
  const open = new Map<string, string>();
  for (const { record, items } of taken) {
    for (const item of items) {
      if (item?.kind === "call") open.set(item.callId, `${String(record.seq)} ${item.tool}`);
      if (item?.kind !== "result") continue;
      pairs.push(`${open.get(item.callId) ?? "no call"} = ${String(record.seq)}`);
      open.delete(item.callId);
    }
  }
  return [...pairs, ...[...open.values()].map((call) => `${call} = nothing`)];
}

function wordsOf(item: WireItem | undefined): string | undefined {
  return item?.kind === "message" ? item.text() : item?.kind === "result" ? item.output() : undefined;
}

const header: JsonObject = { type: "session", version: 0, id: "s" };
const event = (seq: number, type: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
  type,
  seq,
  time: 1000 + seq,
  data,
  ...more,
});
const text = (words: string): JsonObject => ({ type: "text", text: words });
const append: JsonObject = { surfaceOp: "append" };
const user = (seq: number, words: string, more: JsonObject = append): JsonObject =>
  event(seq, "user/message", { content: [text(words)], source: { kind: "user" } }, more);
const answer = (seq: number, content: readonly JsonObject[], more: JsonObject = {}): JsonObject =>
  event(seq, "assistant/message", { turn: 1, step: 1, message: { content }, ...more }, append);
const block = (id: string): JsonObject => ({ type: "tool-call", id, name: "bash", arguments: "{}" });
const start = (seq: number, callId: string, step = 1): JsonObject =>
  event(seq, "tool/call", { turn: 1, step, callId, name: "bash", arguments: "{}" });
const result = (seq: number, callId: string, content: readonly JsonObject[], more: JsonObject = append): JsonObject =>
  event(seq, "tool/result", { message: { content: [{ type: "tool-result", toolCallId: callId, content }] } }, more);
const replaced = (from: number, to: number): JsonObject => ({ surfaceOp: { op: "replace", start: from, end: to } });
const checkpoint = (seq: number, from: number, to: number): JsonObject =>
  event(
    seq,
    "user/message",
    { content: [text("before: "), text("all")], source: { kind: "plugin", plugin: "compact", compactionId: "c" } },
    replaced(from, to),
  );

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

describe("a header", () => {
  it.each([
    [1, '"1"'],
    ["0", String.raw`"\"0\""`],
    ["a\n\u0085b", String.raw`"\"a\\n\u0085b\""`],
    [null, '"null"'],
    [undefined, '"none"'],
  ])("of another version (%j) is refused on one line, for version 0 alone is known", (version, named) => {
    const take = (): WireRecord => dshWire.begin().take({ type: "session", version });
    expect(take).toThrow(
      new HistoryError(
        "session_unreadable",
        `the session is of format version ${named}; of DeepSeek Harness only version 0 can be read`,
      ),
    );
    expect(take).toThrow(expect.objectContaining({ code: "session_unreadable" }));
  });

  it("that is not there leaves the session unnamed, and a second one is none", () => {
    expect(read([user(0, "a")]).reading.header).toEqual({});
    expect(read([header, { ...header, id: "t", version: 7 }]).reading.header.id).toBe("s");
  });

  it("without a parent has no copies, whatever it says", () => {
    const { taken } = read([{ ...header, seedLength: 9 }, user(0, "a")]);
    expect(seqsWhere(taken, ({ isCopy }) => isCopy)).toEqual([]);
  });
});

describe("a message", () => {
  it.each([
    ["user", "user"],
    ["user-rpc", "user"],
    ["plugin", "context"],
    ["agent-instructions", "context"],
    ["coordinator", "context"],
    ["a kind of a plugin", "context"],
    [undefined, "context"],
  ])("whose source is of the kind %j is the %s's", (kind, role) => {
    const [item] = itemsOf([header, event(0, "user/message", { content: [text("a")], source: { kind } }, append)]);
    expect(item).toMatchObject({ kind: "message", role, time: 1000 });
  });

  it("has a line for each block, and a mark for an image: never its data", () => {
    const image = { type: "image", attachment: { attachmentId: "x", mediaType: "image/png", bytes: 48_213 } };
    const content = [text("look"), image, { type: "of a newer host" }, { type: "image" }, text("here")];
    const [item] = itemsOf([header, event(0, "user/message", { content, source: { kind: "user" } }, append)]);
    expect(wordsOf(item)).toBe("look\n[image: image/png]\n[image: unknown type]\nhere");
  });

  it("that says nothing is none", () => {
    expect(itemsOf([header, user(0, " \n"), answer(1, []), answer(2, [text("\n\n"), block("a")])]).map(nameOf)).toEqual(
      ["call bash"],
    );
  });

  it("of the model is its reasoning and its answer, marked where both are there, and tells that it was interrupted", () => {
    const reasoning = { type: "reasoning", text: "hm" };
    const said = [
      answer(0, [reasoning, text("yes"), text("no")]),
      answer(1, [reasoning]),
      answer(2, [text("yes")], { interrupted: true }),
      answer(3, [reasoning, text("yes")], { interrupted: true }),
    ];
    expect(itemsOf([header, ...said]).map(wordsOf)).toEqual([
      "[reasoning]\nhm\n\n[answer]\nyes\nno",
      "[reasoning]\nhm",
      "yes\n\n[interrupted]",
      "[reasoning]\nhm\n\n[answer]\nyes\n\n[interrupted]",
    ]);
  });

  it("that only rewrites others for the model is none", () => {
    const records = [header, user(0, "a"), user(1, "b", replaced(0, 0)), result(2, "c", [], replaced(1, 1))];
    const rewritten = { ...answer(3, [text("d")]), ...replaced(2, 2) };
    expect(namesOf(read([...records, rewritten]).taken)).toEqual(["0 user"]);
  });
});

describe("a call", () => {
  it.each([
    ['{ "a" : [1e400, 12345678901234567890] }', '{ "a" : [1e400, 12345678901234567890] }'],
    ['{\n  "a": [1, "b"]\n}', '{"a":[1,"b"]}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"a":', String.raw`"{\"a\":"`],
    ["", '""'],
    [{ a: 1 }, '{"a":1}'],
    [undefined, undefined],
    [null, undefined],
  ])("has the arguments %j, as JSON", (args, json) => {
    const calls = itemsOf([header, answer(0, [{ ...block("a"), arguments: args }])]).filter(
      (item) => item.kind === "call",
    );
    expect(calls.map((call) => call.args())).toEqual([json]);
  });

  it("whose arguments are nested too deep to be written has them as they are", () => {
    const deep = `${"[".repeat(100_000)}\n${"]".repeat(100_000)}`;
    const [call] = itemsOf([header, answer(0, [{ ...block("a"), arguments: deep }])]);
    expect(call?.kind === "call" ? call.args() : undefined).toBe(JSON.stringify(deep));
  });

  it("that starts is one of its own where the answer does not name it: of this step, and once", () => {
    const records = [
      header,
      answer(0, [block("a"), block("b")]),
      start(1, "a"),
      start(2, "c"),
      start(3, "c"),
      start(4, "a", 2),
    ];
    expect(namesOf(read(records).taken)).toEqual([
      "0 call bash",
      "0 call bash",
      "1 said before",
      "2 call bash",
      "3 said before",
      "4 call bash",
    ]);
  });

  it("that started before its answer was written is not said again by it", () => {
    const records = [header, start(0, "a"), answer(1, [text("so"), block("a"), block("b")])];
    expect(namesOf(read(records).taken)).toEqual(["0 call bash", "1 assistant", "1 said before", "1 call bash"]);
  });

  it("without an id has one that no result has", () => {
    const records = [
      header,
      answer(0, [{ type: "tool-call" }, { type: "tool-call" }]),
      event(1, "tool/result", {}, append),
    ];
    expect(pairsOf(read(records).taken)).toEqual([
      "no call = 1",
      "0 unknown tool = nothing",
      "0 unknown tool = nothing",
    ]);
  });
});

describe("a result", () => {
  it("is of the call that its block names, or else its source", () => {
    const bySource = { message: { source: { callId: "b" }, content: [{ type: "tool-result", isError: true }] } };
    expect(
      itemsOf([header, result(0, "a", [text("x"), text("y")]), event(1, "tool/result", bySource, append)]),
    ).toMatchObject([
      { callId: "a", isError: false, time: 1000 },
      { callId: "b", isError: true, time: 1001 },
    ]);
    expect(itemsOf([header, result(0, "a", [text("x"), text(" \n"), text("y")])]).map(wordsOf)).toEqual(["x\n \n\ny"]);
  });

  it.each([
    ["[output truncated; full output: /t/a b].log]", "/t/a b].log"],
    ["(Omitted 7 bytes. Full formatted result stored at: /t/é. Use read with offset/limit, or grep …)", "/t/é"],
    ["(Omitted 7 bytes. Full formatted result stored at: /t/a. b. Use read with offset/limit, or grep …)", "/t/a. b"],
  ])("was cut where a line at its end says so: %s", (line, fullOutputPath) => {
    const cut = { outputTruncated: true, fullOutputPath };
    expect(itemsOf([header, result(0, "a", [text(`x\n${line}`)])])).toMatchObject([cut]);
    expect(itemsOf([header, result(0, "a", [text(`${line}\n\n[exit code: 1]`), text("more")])])).toMatchObject([cut]);
    expect(itemsOf([header, result(0, "a", [text(`x ${line}`)])])).not.toMatchObject([cut]);
    expect(itemsOf([header, result(0, "a", [text(`${line}\n${"x".repeat(5000)}`)])])).not.toMatchObject([cut]);
  });
});

describe("a compaction", () => {
  it("that leaves nothing of what the model saw starts a window with its checkpoint", () => {
    const { taken } = read([
      header,
      user(0, "a"),
      user(1, "b"),
      checkpoint(2, 0, 1),
      user(3, "c"),
      checkpoint(4, 2, 3),
    ]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([2, 4]);
    expect(taken.flatMap(({ items }) => items.map(wordsOf))).toEqual([
      "a",
      "b",
      "[compaction]\nbefore: \nall",
      "c",
      "[compaction]\nbefore: \nall",
    ]);
  });

  it("that keeps something starts none, nor does a message that is not its checkpoint", () => {
    const kept = [user(0, "a"), user(1, "b"), checkpoint(2, 0, 0), checkpoint(3, 1, 1), user(4, "c", replaced(3, 2))];
    const { taken } = read([header, ...kept, user(5, "d", replaced(4, 4))]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([]);
    expect(namesOf(taken)).toEqual(["0 user", "1 user", "2 context", "3 context"]);
  });

  it("counts by the order that the model sees, not by seqs", () => {
    // After 3 the model sees 3, 1, 2: from 3 to 2 is all of it, from 3 to 1 is not.
    const before = [header, user(0, "a"), user(1, "b"), user(2, "c"), checkpoint(3, 0, 0)];
    expect(read([...before, checkpoint(4, 3, 2)]).taken.at(-1)?.startsWindow).toBe(true);
    expect(read([...before, checkpoint(4, 3, 1)]).taken.at(-1)?.startsWindow).toBe(false);
  });

  it("alone does: what else takes the place of all, or stands nobody knows where, does not", () => {
    const rewritten = read([header, user(0, "a"), user(1, "b", replaced(0, 0))]);
    expect(rewritten.taken.at(-1)?.startsWindow).toBe(false);
    const source = { kind: "plugin", plugin: "another" };
    const snapshot = event(1, "user/message", { content: [text("b")], source }, replaced(0, 0));
    expect(read([header, user(0, "a"), snapshot]).taken.at(-1)).toMatchObject({ items: [], startsWindow: false });
    const elsewhere = user(1, "b", { surfaceOp: { op: "of a newer host" } });
    expect(read([header, user(0, "a"), elsewhere, checkpoint(2, 0, 0)]).taken.at(-1)?.startsWindow).toBe(true);
  });

  it("goes by what is there, where lines were lost", () => {
    const kept = [header, user(1, "b"), user(5, "f")];
    expect(read([...kept, checkpoint(6, 0, 5)]).taken.at(-1)?.startsWindow).toBe(true);
    expect(read([...kept, checkpoint(6, 0, 2)]).taken.at(-1)?.startsWindow).toBe(false);
    expect(read([header, checkpoint(6, 0, 5)]).taken.at(-1)?.startsWindow).toBe(true);
    const gone = [header, user(0, "a"), user(1, "b"), user(2, "c"), checkpoint(3, 1, 1)];
    expect(read([...gone, checkpoint(4, 1, 2)]).taken.at(-1)?.startsWindow).toBe(true);
  });

  it("is seen right however many there were: as by lists of all that the model sees", () => {
    let whole = 0;
    const step = fc.record({
      append: fc.boolean(),
      from: fc.nat({ max: 30 }),
      span: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 99),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const surface = new Surface();
        const nodes: number[] = [];
        for (const [seq, { append: isAppended, from, span }] of steps.entries()) {
          if (isAppended || nodes.length === 0) {
            surface.append(seq);
            nodes.push(seq);
            continue;
          }
          const first = span === 99 ? 0 : from % nodes.length;
          const last = Math.min(first + span, nodes.length - 1);
          const isWhole = last - first + 1 === nodes.length;
          expect(surface.replace(seq, nodes[first], nodes[last])).toBe(isWhole);
          nodes.splice(first, last - first + 1, seq);
          if (isWhole && nodes.length === 1) whole++;
        }
      }),
      { numRuns: 500 },
    );
    expect(whole).toBeGreaterThan(100);
  });
});

describe("an event", () => {
  it("that was written twice counts once, with its places kept", () => {
    const said = answer(0, [text("a"), block("b")]);
    const { taken } = read([header, said, start(1, "c"), said, start(1, "c"), result(2, "b", []), result(2, "b", [])]);
    expect(namesOf(taken)).toEqual([
      "0 assistant",
      "0 call bash",
      "1 call bash",
      "0 said before",
      "0 said before",
      "1 said before",
      "2 ok",
      "2 said before",
    ]);
  });

  it("that is not known says nothing, nor does a row of stream chunks", () => {
    const records = [
      header,
      event(0, "a type of a newer host", { content: [text("a")] }, append),
      { type: "text-chunks", seq0: 1, time0: 1, data: { turn: 1, step: 1, index: 0, dt: [1], texts: ["a", "b"] } },
      event(3, "assistant/chunk", { chunk: { type: "text-delta", text: "a" } }),
      event(4, "session/title", { title: "a" }),
    ];
    expect(itemsOf(records)).toEqual([]);
  });
});

describe("a branch", () => {
  const records = [
    header,
    user(0, "a"),
    { type: "text-chunks", seq0: 1, data: {} },
    user(4, "b"),
    { type: "x" },
    user(5, "c"),
  ];
  const active = (head?: string | null): boolean[] => {
    const isActive = read(records).reading.branch(head);
    return records.map((_record, number) => isActive(number));
  };

  it("is all that was appended: a log has no others", () => {
    expect(active()).toEqual([true, true, true, true, true, true]);
  });

  it("ends with the event of its head's seq, where that is given", () => {
    expect(active("4")).toEqual([true, true, true, true, true, false]);
    expect(active("0")).toEqual([true, true, false, false, false, false]);
    expect(active("2")).toEqual([true, true, true, false, false, false]);
    expect(active(null)).toEqual([false, false, false, false, false, false]);
  });

  it.each(["99", "", "-1", "1.5", "4a", "__proto__", "9".repeat(400)])(
    "is all where nobody knows the head %j",
    (head) => {
      expect(active(head)).toEqual([true, true, true, true, true, true]);
    },
  );

  it("has no records that were not taken", () => {
    expect(read(records).reading.branch("4")(99)).toBe(false);
  });
});

describe("a log that was changed by whatever means", () => {
  const types = [
    "session",
    "user/message",
    "assistant/message",
    "tool/call",
    "tool/result",
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    "turn/end",
    "session/title",
    "tool-call-chunks",
  ];
  const originals = samples.flatMap(recordsOf);
  const keys = [...new Set(originals.flatMap((record) => [...Object.keys(record), ...Object.keys(record.data ?? {})]))];
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      0,
      1.5,
      1e308,
      "",
      "\ud800",
      "user/message",
      "append",
      [],
      {},
      [null],
      [[]],
    ),
    fc.constant({ op: "replace" }),
    fc.record({ op: fc.constant("replace"), start: fc.nat({ max: 150 }), end: fc.nat({ max: 150 }) }),
    fc.jsonValue(),
    fc.constantFrom(parse('{"__proto__":{"type":"text","text":"a"}}'), parse('[{"__proto__":null}]')),
  );

  /** The value with another one somewhere in it. */
  function changed(value: unknown, path: readonly number[], other: unknown): unknown {
    const [first, ...rest] = path;
    if (first === undefined || typeof value !== "object" || value === null) return other;
    if (Array.isArray(value)) {
      const index = first % (value.length + 1);
      return value.toSpliced(index, 1, changed(value[index], rest, other));
    }
    const names = Object.keys(value);
    const name = names[first % (names.length + 1)] ?? keys[first % keys.length] ?? "__proto__";
    const inside = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
    return Object.fromEntries([...Object.entries(value), [name, changed(inside, rest, other)]]);
  }

  const record = fc
    .tuple(
      fc.oneof(
        ...types.map((type) => fc.constantFrom(...originals.filter((one) => one.type === type))),
        fc.constant(checkpoint(6, 0, 5)),
      ),
      fc.array(fc.tuple(fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 6 }), odd), { maxLength: 2 }),
    )
    .map(
      ([original, changes]) =>
        changes.reduce<unknown>((value, [path, other]) => changed(value, path, other), original) as JsonObject,
    )
    // Another version is refused, and rightly.
    .map((any) => (any.type === "session" ? { ...any, version: 0 } : any));

  it("is read without a failure, and each record has as many items as by itself, the same ones where they are new", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 40 }), (records) => {
        const { reading, taken } = read(records);
        for (const one of taken) {
          const alone = dshWire.items(one.record);
          expect(one.items).toHaveLength(alone.length);
          for (const [index, item] of one.items.entries()) {
            if (item === undefined) continue;
            expect(saidBy(item)).toEqual(saidBy(alone[index]));
            seen.set(item.kind, (seen.get(item.kind) ?? 0) + 1);
          }
          if (one.startsWindow === true) seen.set("window", (seen.get("window") ?? 0) + 1);
        }
        expect(
          Object.values(reading.header).every((value) => ["string", "number", "undefined"].includes(typeof value)),
        ).toBe(true);
        expect(typeof reading.branch("5")(0)).toBe("boolean");
      }),
      { numRuns: 1000 },
    );
    for (const kind of ["message", "call", "result", "nested", "window"])
      expect(seen.get(kind), kind).toBeGreaterThan(20);
  });

  /** An item with all that it says. */
  function saidBy(item: WireItem | undefined): unknown {
    switch (item?.kind) {
      case undefined:
        return undefined;
      case "message":
        return [item.role, item.time, item.text()];
      case "call":
        return [item.tool, item.time, item.callId, item.args()];
      case "result":
        return [item.callId, item.time, item.isError, item.outputTruncated, item.fullOutputPath, item.output()];
      case "nested":
        return [item.callId, item.call.id, item.call.name, item.call.args, item.call.status, item.isEnd];
    }
  }
});
