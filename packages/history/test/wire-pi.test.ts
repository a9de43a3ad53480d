import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { piWire } from "../src/wire/pi.ts";
import type { NestedCalls, WireItem, WireReading, WireRecord, WireResult } from "../src/wire/wire.ts";

const SAMPLES = [
  "session-clone-child",
  "session-codemode-nested",
  "session-images-models-labels",
  "session-reset-boundary",
  "session-tree-bash-branch-compaction",
] as const;
type Sample = (typeof SAMPLES)[number];

function linesOf(sample: Sample): Buffer[] {
  const text = readFileSync(new URL(`fixtures/pi/${sample}.jsonl`, import.meta.url), "latin1");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line, "latin1"));
}

const recordsOf = (sample: Sample): JsonObject[] =>
  linesOf(sample).map((line) => JSON.parse(line.toString("utf8")) as JsonObject);

interface Taken {
  readonly reading: WireReading;
  readonly records: readonly WireRecord[];
}

function take(records: readonly JsonObject[]): Taken {
  const reading = piWire.begin();
  return { reading, records: records.map((record) => reading.take(record)) };
}

/** One line an item: where it is, what it is, and how its text begins. */
function told(records: readonly JsonObject[]): string[] {
  return take(records).records.flatMap(({ items }, record) =>
    items.map((item) => `${record} ${item === undefined ? "repeated" : toldItem(item)}`),
  );
}

function toldItem(item: WireItem): string {
  switch (item.kind) {
    case "message":
      return `${item.role}: ${begin(item.text())}`;
    case "call":
      return `${item.callId} calls ${item.tool} ${begin(item.args() ?? "")}`;
    case "result":
      return `${item.callId} ${item.isError ? "fails" : "gives"} ${begin(item.output())}`;
    case "nested":
      return "nested";
  }
}

const begin = (text: string): string => JSON.stringify(text.slice(0, 40));

let counter = 0;
/** An entry with a message. */
const entry = (message: unknown, more: JsonObject = {}): JsonObject => ({
  type: "message",
  id: `e${++counter}`,
  parentId: null,
  timestamp: "2026-11-30T17:00:00.000Z",
  message,
  ...more,
});
const assistant = (content: unknown, more: JsonObject = {}): JsonObject =>
  entry({ role: "assistant", content, stopReason: "stop", ...more });
const text = (value: string): JsonObject => ({ type: "text", text: value });
const call = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: {},
  ...more,
});

function textOf(record: JsonObject): string | undefined {
  const [item] = piWire.items(record);
  return item?.kind === "message" ? item.text() : undefined;
}

function resultOf(record: JsonObject | undefined): WireResult {
  const item = piWire.items(record ?? {}).at(-1);
  if (item?.kind !== "result") throw new Error("not a result");
  return item;
}

const result = (more: JsonObject): WireResult =>
  resultOf(entry({ role: "toolResult", toolCallId: "call_1", toolName: "bash", content: [], ...more }));

const nestedOf = (value: unknown): NestedCalls | undefined => result({ nestedCalls: value }).nested;

/** Everything that an item can be asked for. */
function wholeText(item: WireItem): string {
  switch (item.kind) {
    case "message":
      return item.text();
    case "call":
      return item.args() ?? "";
    case "result":
      return `${item.output()}${JSON.stringify(item.nested?.calls())}`;
    case "nested":
      return JSON.stringify(item.call);
  }
}

describe("the items of a session", () => {
  it("are a tree's prompts, words, calls, results, commands of a person and summaries, on whatever branch", () => {
    expect(told(recordsOf("session-tree-bash-branch-compaction"))).toEqual([
      '4 user: "Do the tools"',
      String.raw`5 assistant: "[reasoning]\nlet me think about it\n\n[answ"`,
      String.raw`5 call_1 calls bash "{\"command\":\"seq 1 5000\"}"`,
      String.raw`5 call_2 calls read "{\"path\":\"missing.txt\"}"`,
      String.raw`5 call_3 calls edit "{\"path\":\"a.txt\",\"edits\":[{\"oldText\":\"bet"`,
      String.raw`5 call_4 calls read "{\"path\":\"big.txt\"}"`,
      String.raw`5 call_5 calls nosuchtool "{\"a\":1}"`,
      String.raw`5 call_6 calls bash "{\"cmd\":1}"`,
      String.raw`6 call_1 gives "3001\n3002\n3003\n3004\n3005\n3006\n3007\n3008\n"`,
      `7 call_2 fails "ENOENT: no such file or directory, acces"`,
      '8 call_3 gives "Successfully replaced 1 block(s) in a.tx"',
      String.raw`9 call_4 gives "line 0\nline 1\nline 2\nline 3\nline 4\nline "`,
      '10 call_5 fails "Tool nosuchtool not found"',
      String.raw`11 call_6 fails "Validation failed for tool \"bash\":\n  - c"`,
      '12 assistant: "First answer."',
      String.raw`14 context: "[lab-state]\n{\"count\":42,\"a\":\"hello\"}"`,
      '15 context: "injected context"',
      String.raw`17 bashExecution/e98f3586 calls bash "{\"command\":\"seq 1 4000\"}"`,
      String.raw`17 bashExecution/e98f3586 gives "2001\n2002\n2003\n2004\n2005\n2006\n2007\n2008\n"`,
      String.raw`18 bashExecution/cfd72041 calls bash "{\"command\":\"echo secret; exit 2\"}"`,
      String.raw`18 bashExecution/cfd72041 fails "secret\n"`,
      '19 user: "second prompt"',
      '20 assistant: "Second answer on branch one."',
      String.raw`21 context: "[branch summary]\nThe user explored a dif"`,
      '23 user: "third prompt"',
      '24 assistant: "Third answer on branch two."',
      String.raw`25 context: "[compaction]\nNo prior history.\n\n---\n\n**T"`,
      '26 user: "after compaction"',
      String.raw`27 call_7 calls codemode "{\"code\":\"const a = await tools.bash({com"`,
      String.raw`28 call_7 gives "Script completed\nWall time 1.2 seconds\nO"`,
      '29 assistant: "Answer after compaction."',
      '30 user: "error please"',
      String.raw`31 assistant: "[error: 400: {\"message\":\"bad request scr"`,
      '32 user: "recover"',
      '33 assistant: "Recovered."',
    ]);
  });

  it("are parallel calls of one message, each with its result, and the state that an extension keeps", () => {
    expect(told(recordsOf("session-codemode-nested"))).toEqual([
      '4 user: "go"',
      String.raw`5 call_1 calls codemode "{\"code\":\"\\nconst out = {};\\nconst j = as"`,
      String.raw`6 context: "[codemode-store]\n{\"set\":{\"k\":{\"a\":1}},\"d"`,
      String.raw`7 call_1 gives "Script completed\nWall time 1.2 seconds\nO"`,
      String.raw`8 call_2 calls st_ok "{\"n\":3}"`,
      '8 call_3 calls st_refuse "{}"',
      '8 call_4 calls plain_err "{}"',
      '8 call_5 calls st_throw "{}"',
      '8 call_6 calls orch "{}"',
      '9 call_2 gives "TEXT n=3"',
      '10 call_3 fails "error: not_found: nope"',
      '11 call_4 fails "plain failure text"',
      '12 call_5 fails "boom-throw"',
      String.raw`13 call_6 gives "{\"tools\":[\"read\",\"bash\",\"edit\",\"write\",\""`,
      String.raw`14 call_7 calls codemode "{\"code\":\"text(load('k')); store('k', und"`,
      String.raw`15 call_7 fails "Script failed\nWall time 0.5 seconds\nOutp"`,
      String.raw`16 call_8 calls codemode "{\"code\":\"const r=[]; for (let i=0;i<300;"`,
      String.raw`17 call_8 gives "Script completed\nWall time 0.5 seconds\nO"`,
      '18 assistant: "all done"',
    ]);
  });

  it("are of what is said and done, not of models, labels, names and what the model is sent of the past", () => {
    expect(told(recordsOf("session-images-models-labels"))).toEqual([
      String.raw`5 user: "look\n[image: image/png, 70 bytes]"`,
      String.raw`6 call_1 calls read "{\"path\":\"p.png\"}"`,
      String.raw`7 call_1 gives "Read image file [image/png]\n[image: imag"`,
      '8 assistant: "saw image"',
      '11 user: "think"',
      String.raw`12 assistant: "[reasoning]\nhmm\n\n[answer]\nthought"`,
      '15 user: "long one"',
      '16 assistant: "cut off"',
    ]);
  });

  it("are the marker, the summary and the boot of a reset", () => {
    expect(told(recordsOf("session-reset-boundary"))).toEqual([
      '4 user: "go"',
      '5 call_1 calls get_context_remaining "{}"',
      '6 call_1 gives "126576"',
      String.raw`7 call_2 calls bash "{\"command\":\"echo a\"}"`,
      String.raw`7 call_3 calls empty_brain "{\"note\":\"N1\"}"`,
      String.raw`7 call_4 calls bash "{\"command\":\"echo b\"}"`,
      String.raw`8 call_2 gives "a\n"`,
      '9 call_3 gives "reset armed"',
      String.raw`10 call_4 gives "b\n"`,
      String.raw`11 context: "[lab-reset-mark]\n{\"n\":0}"`,
      String.raw`12 context: "[compaction]\nRESET SUMMARY #1"`,
      '13 context: "BOOT MESSAGE #1 note=N1"',
      '14 call_5 calls get_context_remaining "{}"',
      '15 call_5 gives "126525"',
      '16 assistant: "after reset"',
      '17 user: "again"',
      '18 assistant: "resumed answer"',
    ]);
  });

  it.each(SAMPLES)("are the same by themselves as in the reading: %s", (sample) => {
    const records = recordsOf(sample);
    expect(take(records).records.map(({ items }) => items.map((item) => item && toldItem(item)))).toEqual(
      records.map((record) => piWire.items(record).map(toldItem)),
    );
  });

  it.each(SAMPLES)("never hold the data of an image: %s", (sample) => {
    const texts = recordsOf(sample).flatMap((record) => piWire.items(record).map(wholeText));
    expect(texts.filter((whole) => whole.includes("iVBORw0KGgo"))).toEqual([]);
  });

  it("have the time of their entry, which is when it was appended, even where a clock has jumped back", () => {
    const times = take([
      entry({ role: "user", content: "a", timestamp: 5 }, { timestamp: "2026-11-30T17:00:00.250Z" }),
      entry({ role: "user", content: "b", timestamp: 5 }, { timestamp: "2001-01-01T00:00:00.000+01:00" }),
      entry({ role: "user", content: "c", timestamp: 5 }, { timestamp: "yesterday" }),
      entry({ role: "user", content: "d", timestamp: 1e300 }, { timestamp: null }),
    ]).records.map(({ items }) => items[0]?.kind === "message" && items[0].time);
    expect(times).toEqual([Date.UTC(2026, 10, 30, 17, 0, 0, 250), Date.UTC(2000, 11, 31, 23), 5, null]);
  });
});

describe("a message", () => {
  it("is its texts, a line each, with a mark for an image", () => {
    const image = { type: "image", data: "AAAA".repeat(500_000), mimeType: "image/png" };
    expect(textOf(entry({ role: "user", content: [text("a"), image, text("b")] }))).toBe(
      "a\n[image: image/png, 1500000 bytes]\nb",
    );
    expect(textOf(entry({ role: "user", content: "plain" }))).toBe("plain");
    expect(textOf({ type: "custom_message", content: [text("x"), { type: "image" }] })).toBe(
      "x\n[image: unknown type]",
    );
  });

  it.each([null, undefined, 7, {}, [], [null, 1, { type: "text" }, { type: "video" }]])(
    "of a person is there without a text, where the content is %j",
    (content) => {
      expect(textOf(entry({ role: "user", content }))).toBe("");
    },
  );

  it("of an extension is context, in the old roles as well", () => {
    expect(told([entry({ role: "custom", content: "a" }), entry({ role: "hookMessage", content: "b" })])).toEqual([
      '0 context: "a"',
      '1 context: "b"',
    ]);
  });

  it("of an extension's state says its type, and its data where there is any", () => {
    expect(textOf({ type: "custom", customType: "mark" })).toBe("[mark]");
    expect(textOf({ type: "custom", customType: "mark", data: null })).toBe("[mark]\nnull");
    expect(textOf({ type: "custom" })).toBe("[custom]");
  });

  it("of a summary says what it is, even if there is no text", () => {
    expect(textOf({ type: "branch_summary", summary: "s" })).toBe("[branch summary]\ns");
    expect(textOf({ type: "branch_summary", summary: 5 })).toBe("[branch summary]");
    expect(textOf({ type: "compaction" })).toBe("[compaction]");
  });
});

describe("what the model says", () => {
  const thinking = (value: string, more: JsonObject = {}): JsonObject => ({
    type: "thinking",
    thinking: value,
    ...more,
  });

  it("is the reasoning and the answer, each marked where there is both", () => {
    expect(textOf(assistant([text("only")]))).toBe("only");
    expect(textOf(assistant([thinking("why")]))).toBe("[reasoning]\nwhy");
    expect(textOf(assistant([thinking("why"), text("a"), thinking("more"), text("b")]))).toBe(
      "[reasoning]\nwhy\nmore\n\n[answer]\na\nb",
    );
    expect(textOf(assistant("a plain text"))).toBe("a plain text");
  });

  it("shows nothing of a reasoning that was redacted, but that there was one", () => {
    const redacted = thinking("[Reasoning redacted]", { thinkingSignature: "c2VjcmV0", redacted: true });
    expect(textOf(assistant([redacted, text("a")]))).toBe("[reasoning redacted]\n\n[answer]\na");
    expect(textOf(assistant([redacted, thinking("seen")]))).toBe("[reasoning]\nseen");
  });

  it("ends with how it ended, if not well", () => {
    expect(textOf(assistant([], { stopReason: "error", errorMessage: "400: no" }))).toBe("[error: 400: no]");
    expect(textOf(assistant([], { stopReason: "error" }))).toBe("[error]");
    expect(textOf(assistant([text("so f")], { stopReason: "aborted" }))).toBe("so f\n\n[aborted]");
    expect(textOf(assistant(null, { stopReason: "aborted", errorMessage: "Request was aborted" }))).toBe(
      "[error: Request was aborted]\n[aborted]",
    );
  });

  it.each(
    [[], [text(""), text(" \n"), { type: "thinking", thinking: "" }], null, undefined].map((content) => ({ content })),
  )("is no item where there is nothing to say: $content", ({ content }) => {
    expect(piWire.items(assistant(content))).toEqual([]);
    expect(told([assistant([...(content ?? []), call("c")])])).toEqual(['0 c calls read "{}"']);
  });

  it("comes before its calls, which follow in the order of the message", () => {
    expect(told([assistant([call("a"), text("words"), call("b")])])).toEqual([
      '0 assistant: "words"',
      '0 a calls read "{}"',
      '0 b calls read "{}"',
    ]);
  });
});

describe("a call", () => {
  const calls = (block: JsonObject): WireItem | undefined => piWire.items(assistant([block]))[0];
  const argsOf = (block: JsonObject): string | undefined => {
    const item = calls(block);
    return item?.kind === "call" ? item.args() : "no call";
  };

  it("has its whole arguments as JSON, whatever they are", () => {
    const long = "x".repeat(100_000);
    expect(argsOf(call("a", { arguments: { long } }))).toBe(JSON.stringify({ long }));
    expect(argsOf(call("a", { arguments: null }))).toBe("null");
    expect(argsOf(JSON.parse('{"type":"toolCall","arguments":{"__proto__":{"toJSON":1}}}') as JsonObject)).toBe(
      '{"__proto__":{"toJSON":1}}',
    );
  });

  it("has no arguments where none are recorded, or they are too deep to be written", () => {
    const deep: unknown = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
    expect(argsOf({ type: "toolCall" })).toBeUndefined();
    expect(argsOf(call("a", { arguments: { deep } }))).toBeUndefined();
  });

  it("without an id never meets a result without one", () => {
    const records = [assistant([{ type: "toolCall" }, { type: "toolCall" }]), entry({ role: "toolResult" })];
    for (const each of [records, records.map((record) => ({ ...record, id: undefined }))]) {
      const ids = take(each).records.flatMap(({ items }) =>
        items.map((item) => (item?.kind === "call" || item?.kind === "result" ? item.callId : "")),
      );
      expect(new Set(ids).size).toBe(3);
    }
  });
});

describe("a result", () => {
  const truncated = recordsOf("session-tree-bash-branch-compaction");

  it("says that its output was cut, and where the whole is", () => {
    expect(resultOf(truncated[6])).toMatchObject({ outputTruncated: true, fullOutputPath: "/home/dev/project" });
    expect(result({ details: { fullOutputPath: "/tmp/pi-codemode-1.txt" } })).toMatchObject({
      outputTruncated: true,
      fullOutputPath: "/tmp/pi-codemode-1.txt",
    });
    expect(resultOf(truncated[17])).toMatchObject({ outputTruncated: true, fullOutputPath: "/home/dev/project" });
  });

  it("says that its output was cut where the host has told no path", () => {
    expect(resultOf(truncated[9])).toMatchObject({ outputTruncated: true, fullOutputPath: undefined });
    expect(result({ details: { truncation: { truncated: true }, fullOutputPath: "" } })).toMatchObject({
      outputTruncated: true,
      fullOutputPath: undefined,
    });
  });

  it("claims no cut where the host says of none", () => {
    for (const details of [undefined, null, 5, {}, { truncation: { truncated: false } }, { truncation: "true" }]) {
      expect(result({ details })).toMatchObject({ outputTruncated: false, fullOutputPath: undefined });
    }
  });

  it.each([
    "[Showing lines 3-2002 of 2002. Full output: /tmp/pi-bash-1.log]\n\nCommand aborted",
    "[Showing lines 9-40 of 40 (50.0KB limit). Full output: /tmp/pi-bash-1.log]\n\nCommand timed out after 5 seconds",
    "[Showing last 50.0KB of line 1 (line is 2.0MB). Full output: /tmp/pi-bash-1.log]\n\nCommand terminated without an exit code",
  ])("of a command that has thrown has the path from its text: %s", (end) => {
    const content = [text(`${"out\n".repeat(20_000)}\n\n${end}`), text("a reminder")];
    expect(result({ isError: true, details: {}, content })).toMatchObject({
      outputTruncated: true,
      fullOutputPath: "/tmp/pi-bash-1.log",
    });
    // Whoever prints such a line has not failed.
    expect(result({ isError: false, details: {}, content })).toMatchObject({ outputTruncated: false });
    expect(result({ isError: true, content: [text(`${end}\nmore`)] })).toMatchObject({ outputTruncated: false });
  });

  it("is an error only where the host says so", () => {
    expect(result({ isError: true }).isError).toBe(true);
    expect(result({}).isError).toBe(false);
    expect(result({ isError: "true" }).isError).toBe(false);
  });

  it("keeps its id, tool and output without its call, and a second one for the same call is one too", () => {
    const orphan = { role: "toolResult", toolCallId: "gone", toolName: "read", content: [text("kept")] };
    expect(told([entry(orphan), entry(orphan)])).toEqual(['0 gone gives "kept"', '1 gone gives "kept"']);
  });
});

describe("a command of a person", () => {
  const command = (more: JsonObject): WireResult =>
    resultOf(entry({ role: "bashExecution", command: "ls", output: "", ...more }));

  it("is a call and its result, of one id, with places of their own", () => {
    const items = piWire.items(entry({ role: "bashExecution", command: "ls", output: "a" }, { id: "x1" }));
    expect(items).toMatchObject([
      { kind: "call", callId: "bashExecution/x1", tool: "bash" },
      { kind: "result", callId: "bashExecution/x1", tool: "bash", isError: false },
    ]);
  });

  it("has failed with any other exit code than 0, and where it was cancelled", () => {
    expect(command({ exitCode: 0 }).isError).toBe(false);
    expect(command({ exitCode: 2 }).isError).toBe(true);
    expect(command({ exitCode: null }).isError).toBe(false);
    expect(command({ cancelled: true }).isError).toBe(true);
  });
});

describe("nested calls", () => {
  const nested = recordsOf("session-codemode-nested");

  it("are what the host has recorded: how many, and whether these are all", () => {
    expect(resultOf(nested[7]).nested).toMatchObject({ callCount: 17, complete: false });
    expect(resultOf(nested[13]).nested).toMatchObject({ callCount: 3, complete: true });
    expect(resultOf(nested[13]).nested?.calls()).toMatchObject([
      { id: "call_6/1", name: "st_ok", status: "ok", args: '{"n":5}', durationMs: 10 },
      { id: "call_6/2", name: "nonexistent", status: "error", args: "{}", error: "Tool nonexistent not found" },
      { id: "call_6/3", name: "st_ok", status: "error", args: '{"n":"notnum"}' },
    ]);
  });

  it("are counted as stored where the host has dropped some, and tell which arguments it has left out", () => {
    const record = resultOf(nested[17]).nested;
    expect(record).toMatchObject({ callCount: 256, complete: false });
    const calls = record?.calls() ?? [];
    expect(calls).toHaveLength(256);
    expect(calls[0]?.args).toBe(JSON.stringify({ x: "q".repeat(200) }));
    expect(calls[0]?.argumentsBytes).toBeUndefined();
    expect(calls.at(-1)).toMatchObject({ args: undefined, argumentsBytes: 208, status: "ok" });
  });

  it("stay unfinished where the host saw no end", () => {
    const record = resultOf(recordsOf("session-tree-bash-branch-compaction")[28]).nested;
    expect(record).toMatchObject({ callCount: 2, complete: false });
    expect(record?.calls()[1]).toMatchObject({ id: "call_7/2", status: "unfinished", durationMs: undefined });
  });

  it("claim nothing where there is no record: a list for the screen is none", () => {
    expect(resultOf(nested[15]).nested).toBeUndefined();
    expect(nestedOf(null)).toBeUndefined();
    expect(nestedOf([])).toBeUndefined();
  });

  it("are counted with what cannot be read", () => {
    const record = nestedOf({ calls: [null, { id: 1, status: "cancelled", durationMs: Infinity }], complete: "yes" });
    expect(record).toMatchObject({ callCount: 2, complete: false });
    expect(record?.calls()).toHaveLength(2);
    expect(record?.calls()[1]).toMatchObject({ status: "unfinished", durationMs: undefined });
  });
});

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

describe("whatever a record is", () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>(
      undefined,
      null,
      "",
      "\ud800",
      Infinity,
      "assistant",
      "toolResult",
      "bashExecution",
      [{ type: "toolCall" }, { type: "text", text: 5 }, { type: "thinking", redacted: true }],
      JSON.parse('{"__proto__":{"type":"message"},"toJSON":1,"length":-1}'),
      JSON.parse("[".repeat(20_000) + "]".repeat(20_000)),
    ),
  );
  const samples = SAMPLES.flatMap((sample) => recordsOf(sample));
  const replaced = (target: unknown, path: readonly number[], by: unknown): unknown => {
    if (typeof target !== "object" || target === null || path.length === 0) return by;
    const keys = Object.keys(target);
    const key = keys[(path[0] ?? 0) % Math.max(1, keys.length)];
    if (key === undefined) return by;
    const child = replaced((target as JsonObject)[key], path.slice(1), by);
    return Array.isArray(target) ? target.with(Number(key), child) : { ...target, [key]: child };
  };
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }), value)
    .map(([record, path, by]) => replaced(record, path, by) as JsonObject);

  it("can be taken, and every text of it can be read", () => {
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 12 }), fc.option(fc.string(), { nil: undefined }), (records, head) => {
        const { reading, records: taken } = take(records);
        const isActive = reading.branch(head);
        for (const [number, record] of records.entries()) {
          const items = piWire.items(record);
          expect(taken[number]?.items).toHaveLength(items.length);
          for (const item of [...items, ...(taken[number]?.items ?? [])]) if (item !== undefined) wholeText(item);
          isActive(number);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("has the same items when its line was read as bytes", () => {
    const shapesOf = (line: string): unknown[] =>
      piWire
        .items(JSON.parse(line) as JsonObject)
        .map((item) => [item.kind, item.kind === "nested" ? null : item.time]);
    fc.assert(
      fc.property(mutated, fc.string({ unit: "binary" }), (record, words) => {
        const said = [
          record,
          assistant([text(words)], { errorMessage: words }),
          entry({ role: "user", content: words }, { id: words, timestamp: words }),
        ];
        for (const each of said) {
          let line: string;
          try {
            line = JSON.stringify(each);
          } catch {
            continue;
          }
          expect(shapesOf(Buffer.from(line, "utf8").toString("latin1"))).toEqual(shapesOf(line));
        }
      }),
    );
  });
});
