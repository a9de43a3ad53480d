import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { piWire } from "../src/wire/pi.ts";
import type { NestedCalls, WireItem, WireResult } from "../src/wire/wire.ts";
import { assistant, call, entry, recordsOf, take, text, told } from "./wire-pi-fixture.ts";

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
