import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { claudeWire } from "../src/wire/claude.ts";
import type { WireItem, WireResult } from "../src/wire/wire.ts";
import {
  assistant,
  attachment,
  boundary,
  linesOf,
  row,
  SESSIONS,
  take,
  text,
  thinking,
  toldItem,
  toolResult,
  toolUse,
  user,
} from "./wire-claude-fixture.ts";

const items = (record: JsonObject): readonly WireItem[] => claudeWire.items(record);
/** Each item's role or kind, with its whole text. */
const texts = (record: JsonObject): string[] =>
  items(record).map((item) => (item.kind === "message" ? `${item.role}: ${item.text()}` : toldItem(item)));
function resultOf(record: JsonObject): WireResult {
  const item = items(record).find(({ kind }) => kind === "result");
  if (item?.kind !== "result") throw new Error("no result");
  return item;
}
const base64 = (bytes: number): JsonObject => ({
  type: "base64",
  media_type: "image/png",
  data: Buffer.alloc(bytes, 7).toString("base64"),
});

describe("a user's row", () => {
  it.each<[string, unknown, JsonObject]>([
    ["a text", "do it", {}],
    ["blocks", [text("do it")], {}],
    ["a text of a known person", "do it", { origin: { kind: "human" } }],
  ])("is the person's: %s", (_, content, more) => {
    expect(texts(user("a", null, content, more))).toEqual(["user: do it"]);
  });

  it("is the person's where it is a command", () => {
    expect(texts(user("a", null, "<command-name>/compact</command-name>"))).toEqual([
      "user: <command-name>/compact</command-name>",
    ]);
    expect(texts(user("a", null, "<bash-input>ls</bash-input>"))).toEqual(["user: <bash-input>ls</bash-input>"]);
  });

  it.each<[string, string, JsonObject]>([
    ["meta", "read this", { isMeta: true }],
    ["a summary", "it was so", { isCompactSummary: true }],
    ["shown to a person only", "it was so", { isVisibleInTranscriptOnly: true }],
    ["of another origin", "it has ended", { origin: { kind: "task-notification" } }],
    ["a command's output", "<local-command-stdout>out</local-command-stdout>", {}],
    ["a shell's output", "<bash-stdout>out</bash-stdout>", {}],
    ["a notification", "<task-notification>done</task-notification>", {}],
    ["an interruption", "[Request interrupted by user for tool use]", {}],
  ])("is context where it is %s", (_, content, more) => {
    expect(texts(user("a", null, content, more))).toEqual([`context: ${content}`]);
  });

  it("is the person's where a reminder stands before the prompt", () => {
    expect(texts(user("a", null, [text("<system-reminder>x</system-reminder>"), text("do it")]))).toEqual([
      "user: <system-reminder>x</system-reminder>\ndo it",
    ]);
  });

  it("never has an image's data, but its type and bytes", () => {
    const image = { type: "image", source: base64(2_000_000) };
    expect(texts(user("a", null, [image, text("see")]))).toEqual(["user: [image: image/png, 2000000 bytes]\nsee"]);
    const pdf = { type: "document", source: { ...base64(3), media_type: "application/pdf" } };
    const plain = { type: "document", source: { type: "text", media_type: "text/plain", data: "words" } };
    const linked = { type: "image", source: { type: "url", url: "https://example.org/a.png" } };
    expect(texts(user("a", null, [pdf, plain, linked]))).toEqual([
      "user: [document: application/pdf, 3 bytes]\nwords\n[image: unknown type]",
    ]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an empty text", ""],
    ["white space", [text("\n ")]],
    ["blocks that are not known", [{ type: "hologram" }, null, 7]],
  ])("says nothing with %s", (_, content) => {
    expect(items(user("a", null, content))).toEqual([]);
    expect(items(row("a", null, { type: "user" }))).toEqual([]);
  });

  it("has several results, and what stands beside them as context, in their order", () => {
    const content = [
      toolResult("t1", "one"),
      text("a reminder"),
      toolResult("t2", "two", { is_error: true }),
      text("end"),
    ];
    expect(texts(user("a", null, content))).toEqual(["t1 gives one", "context: a reminder\nend", "t2 fails two"]);
  });
});

describe("a result", () => {
  it("has its blocks a line each, with images as marks and what is not known as JSON", () => {
    const content = [
      text("one"),
      { type: "image", source: base64(3) },
      { type: "tool_reference", tool_name: "Monitor" },
    ];
    expect(resultOf(user("a", null, [toolResult("t", content)])).output()).toBe(
      'one\n[image: image/png, 3 bytes]\n[tool_reference]\n{"tool_name":"Monitor"}',
    );
  });

  it("never has the data of a block that is not known", () => {
    const data = Buffer.alloc(30_000, 7).toString("base64");
    const content = [{ type: "audio", data, mimeType: "audio/wav" }];
    expect(resultOf(user("a", null, [toolResult("t", content)])).output()).toBe(
      '[audio]\n{"data":"[30000 bytes]","mimeType":"audio/wav"}',
    );
  });

  it.each<[unknown, string]>([
    [undefined, ""],
    [null, ""],
    [7, ""],
    ["", ""],
  ])("with the content %j has the output %j", (content, output) => {
    expect(resultOf(user("a", null, [toolResult("t", content)])).output()).toBe(output);
  });

  it("is an error only where the host says so", () => {
    for (const isError of [undefined, null, false, "true", 1]) {
      expect(resultOf(user("a", null, [toolResult("t", "error", { is_error: isError })])).isError).toBe(false);
    }
    expect(resultOf(user("a", null, [toolResult("t", "fine", { is_error: true })])).isError).toBe(true);
  });

  it("names the whole output that the tool's record names, where the row has one result", () => {
    const toolUseResult = { persistedOutputPath: "/home/dev/.claude/out.txt" };
    const one = resultOf(user("a", null, [toolResult("t", "cut")], { toolUseResult }));
    expect([one.outputTruncated, one.fullOutputPath]).toEqual([true, "/home/dev/.claude/out.txt"]);
    const two = resultOf(user("a", null, [toolResult("t", "cut"), toolResult("u", "cut")], { toolUseResult }));
    expect([two.outputTruncated, two.fullOutputPath]).toEqual([false, undefined]);
  });

  it("names the whole output that its text names, and says that it is cut where none is named", () => {
    const saved = "<persisted-output>\nOutput too large (1.5MB). Full output saved to: /a b/c.txt\n\nPreview:\nx";
    expect(resultOf(user("a", null, [toolResult("t", [text(saved)])])).fullOutputPath).toBe("/a b/c.txt");
    const lost = resultOf(user("a", null, [toolResult("t", "<persisted-output>\nOutput too large (1.5MB).")]));
    expect([lost.outputTruncated, lost.fullOutputPath]).toEqual([true, undefined]);
    const quoted = resultOf(user("a", null, [toolResult("t", "see: Full output saved to: /x")]));
    expect([quoted.outputTruncated, quoted.fullOutputPath]).toEqual([false, undefined]);
  });
});

describe("an assistant's row", () => {
  it("says reasoning and answer as parts of one message", () => {
    expect(texts(assistant("a", null, "m", [thinking("hm")]))).toEqual(["assistant: [reasoning]\nhm"]);
    expect(texts(assistant("a", null, "m", [text("yes")]))).toEqual(["assistant: yes"]);
    expect(texts(assistant("a", null, "m", [thinking("hm"), text("yes")]))).toEqual([
      "assistant: [reasoning]\nhm",
      "assistant: [answer]\nyes",
    ]);
    expect(texts(assistant("a", null, "m", "yes"))).toEqual(["assistant: yes"]);
  });

  it("says that reasoning is redacted, and nothing of reasoning that is not shown", () => {
    expect(texts(assistant("a", null, "m", [{ type: "redacted_thinking", data: "secret" }]))).toEqual([
      "assistant: [reasoning redacted]",
    ]);
    expect(texts(assistant("a", null, "m", [thinking("")]))).toEqual([]);
  });

  it("is a group by the message's id, or by its own", () => {
    const groups = (record: JsonObject): unknown[] =>
      items(record).map((item) => (item.kind === "message" ? item.group : undefined));
    expect(groups(assistant("a", null, "m", [thinking("x"), text("y")]))).toEqual(["m", "m"]);
    expect(groups(assistant("a", null, undefined, [thinking("x"), text("y")]))).toEqual(["a", "a"]);
    expect(groups(assistant("a", null, "", [text("y")]))).toEqual(["a"]);
  });

  it("has calls with their arguments as JSON", () => {
    expect(texts(assistant("a", null, "m", [toolUse("t", { input: { b: 1, a: [] } })]))).toEqual([
      't calls Bash {"b":1,"a":[]}',
    ]);
    expect(texts(assistant("a", null, "m", [{ type: "tool_use" }]))).toEqual(["a/0 calls unknown tool nothing"]);
  });

  it("has the calls and results of the provider's own tools", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
      { type: "web_search_tool_result", tool_use_id: "s", content: [{ type: "web_search_result", title: "T" }] },
    ];
    expect(texts(assistant("a", null, "m", content))).toEqual([
      's calls web_search {"query":"q"}',
      's gives [web_search_result]⏎{"ti',
    ]);
  });

  it("says how a request has failed", () => {
    const failed = { isApiErrorMessage: true };
    expect(texts(assistant("a", null, "m", [text("API Error: 529")], { ...failed, error: "overloaded" }))).toEqual([
      "assistant: [error: overloaded]\nAPI Error: 529",
    ]);
    expect(texts(assistant("a", null, "m", undefined, failed))).toEqual(["assistant: [error]"]);
  });
});

describe("what the host has put there", () => {
  it("is an attachment's text as the model was sent it", () => {
    const rendered = [{ content: "one" }, { content: [text("two")] }, null];
    expect(texts(attachment("a", null, { type: "date", date: "x" }, { rendered }))).toEqual(["context: one\ntwo\n"]);
    expect(texts(attachment("a", null, { type: "date", date: "x" }, { rendered: [] }))).toEqual([]);
  });

  it("is what an older attachment was made of", () => {
    expect(texts(attachment("a", null, { type: "todo", items: [1] }))).toEqual(['context: [todo]\n{"items":[1]}']);
    expect(texts(attachment("a", null, { type: "hook_success", content: "said" }))).toEqual([
      "context: [hook_success]\nsaid",
    ]);
    expect(texts(attachment("a", null, { type: "hook_additional_context", content: ["a", "b"] }))).toEqual([
      "context: [hook_additional_context]\na\nb",
    ]);
  });

  it("has neither an image's data nor an end where it is huge", () => {
    const file = { type: "image", file: { base64: Buffer.alloc(90_000, 7).toString("base64") } };
    expect(texts(attachment("a", null, { type: "file", content: file }))).toEqual([
      'context: [file]\n{"content":{"type":"image","file":{"base64":"[90000 bytes]"}}}',
    ]);
    expect(texts(attachment("a", null, { type: "file", content: { text: "x ".repeat(100_000) } }))[0]).toHaveLength(
      "context: [file]\n".length + 65_536 + 1,
    );
  });

  it.each<[string, JsonObject]>([
    ["the system prompt's copy", { type: "prompt_snapshot", systemPrompt: ["x"] }],
    ["a hook that has added nothing", { type: "hook_success", content: "", stdout: "x" }],
    ["a context without parts", { type: "session_context", context: {} }],
  ])("is nothing of %s", (_, value) => {
    expect(items(attachment("a", null, value))).toEqual([]);
  });

  it("is a person's where a prompt was queued, and else is not", () => {
    const queued = (more: JsonObject): string[] =>
      texts(
        attachment(
          "a",
          null,
          { type: "queued_command", prompt: "and this", ...more },
          { rendered: [{ content: "x" }] },
        ),
      );
    expect(queued({})).toEqual(["user: and this"]);
    expect(queued({ commandMode: "prompt", origin: { kind: "human" } })).toEqual(["user: and this"]);
    expect(queued({ prompt: [text("and"), { type: "image", source: base64(3) }] })).toEqual([
      "user: and\n[image: image/png, 3 bytes]",
    ]);
    expect(queued({ commandMode: "task-notification" })).toEqual(["context: and this"]);
    expect(queued({ origin: { kind: "harness" } })).toEqual(["context: and this"]);
    expect(queued({ isMeta: true })).toEqual(["context: and this"]);
    expect(queued({ prompt: null })).toEqual([]);
  });

  it("is a system's row with words, and none without", () => {
    const system = (more: JsonObject): string[] => texts(row("a", null, { type: "system", ...more }));
    expect(system({ subtype: "informational", content: "told" })).toEqual(["context: told"]);
    expect(system({ subtype: "turn_duration", durationMs: 5 })).toEqual([]);
    expect(texts(boundary("a", undefined))).toEqual(["context: [compaction: auto]"]);
    expect(texts(boundary("a", undefined, { compactMetadata: null }))).toEqual(["context: [compaction]"]);
  });

  it("is nothing where a row has no id, or a type that is not known", () => {
    expect(items({ type: "user", message: { content: "x" } })).toEqual([]);
    expect(items({ type: "user", uuid: 7, message: { content: "x" } })).toEqual([]);
    expect(items({ type: "summary", uuid: "a", summary: "x", content: "x" })).toEqual([]);
    expect(items({})).toEqual([]);
  });
});

describe("a session", () => {
  it("has a message once, whose rows repeat what was said before", () => {
    const { records } = take([
      assistant("a", null, "m", [text("one"), toolUse("t1")]),
      assistant("b", "a", "m", [text("one"), toolUse("t1"), toolUse("t2")]),
      assistant("c", "b", "m2", [toolUse("t1")]),
    ]);
    const kinds = records.map(({ items: all }) => all.map((item) => item && toldItem(item)));
    expect(kinds).toEqual([
      ["assistant: one", "t1 calls Bash {}"],
      ["assistant: one", undefined, "t2 calls Bash {}"],
      // Another message's call of the same id is another call.
      ["t1 calls Bash {}"],
    ]);
  });

  it("has an identity once, wherever its second row is", () => {
    const { records, reading } = take([
      user("a", null, "one"),
      assistant("b", "a", "m", [toolUse("t")]),
      user("a", "b", [toolResult("t", "x"), text("two")]),
    ]);
    expect(records.map(({ items: all }) => all.map((item) => item?.kind))).toEqual([
      ["message"],
      ["call"],
      [undefined, undefined],
    ]);
    expect([0, 1, 2].map(reading.branch())).toEqual([true, true, false]);
    expect([0, 1, 2].map(reading.branch("a"))).toEqual([true, false, false]);
  });

  it("has a subagent's copy of a row not at all, and the row itself once", () => {
    const { records, reading } = take([
      user("a", null, "one", { isSidechain: true }),
      boundary("x", "a", { isSidechain: true }),
      user("a", null, "one"),
      user("b", "a", "two", { isSidechain: true }),
    ]);
    expect(records.map(({ items: all }) => all.map((item) => item?.kind))).toEqual([
      [undefined],
      [undefined],
      ["message"],
      [undefined],
    ]);
    expect(records.some(({ startsWindow }) => startsWindow)).toBe(false);
    expect([0, 1, 2, 3].map(reading.branch())).toEqual([false, false, true, false]);
  });

  it("ends a turn where the model has stopped, and where a person has stopped it", () => {
    const { records } = take([
      user("a", null, "go"),
      row("b", "a", { type: "system", subtype: "turn_duration" }),
      row("c", "b", { type: "system", subtype: "stop_hook_summary" }),
      user("d", "c", [text("[Request interrupted by user]")]),
      boundary("e", "d"),
      user("d", "c", [text("[Request interrupted by user]")]),
    ]);
    expect(records.map(({ endsTurn }) => endsTurn === true)).toEqual([false, true, true, true, false, false]);
  });

  it("says of itself what its first records say, and no more than they have said", () => {
    const reading = claudeWire.begin();
    const none = { id: undefined, cwd: undefined, createdAt: undefined, parent: undefined };
    expect(reading.header).toEqual(none);
    reading.take({ type: "mode", sessionId: null, cwd: 7, timestamp: "yesterday" });
    expect(reading.header).toEqual(none);
    reading.take(user("a", null, "x", { sessionId: "s1", cwd: "/a", timestamp: "2026-11-30T17:00:00.000Z" }));
    reading.take(user("b", "a", "x", { sessionId: "s2", cwd: "/b", timestamp: "2020-11-30T17:00:00.000Z" }));
    expect(reading.header).toEqual({ ...none, id: "s1", cwd: "/a", createdAt: Date.parse("2026-11-30T17:00:00.000Z") });
  });

  it("has a time that cannot be read as none", () => {
    expect(items(user("a", null, "x", { timestamp: undefined }))[0]?.kind).toBe("message");
    expect(items(user("a", null, "x", { timestamp: undefined }))).toMatchObject([{ time: null }]);
    expect(items(user("a", null, "x", { timestamp: "soon" }))).toMatchObject([{ time: null }]);
  });
});

describe("a copy", () => {
  const early = { timestamp: "2026-11-30T16:00:00.000Z" };
  const begun: JsonObject = { type: "queue-operation", timestamp: "2026-11-30T16:59:00.000Z", sessionId: "s" };
  const copies = (records: readonly JsonObject[]): boolean[] =>
    take(records).records.map(({ isCopy }) => isCopy === true);

  it("says where it is from", () => {
    const records = [user("a", null, "x", { forkedFrom: { sessionId: "p", messageUuid: "a" } }), user("b", "a", "y")];
    expect(copies(records)).toEqual([true, false]);
    expect(take(records).reading.header.parent).toBe("p");
    const asked = assistant("c", "b", "m", [text("z")], { requestSessionId: "q" });
    expect(copies([asked])).toEqual([true]);
    expect(take([asked]).reading.header.parent).toBe("q");
    expect(copies([assistant("c", "b", "m", [text("z")], { requestSessionId: "s" })])).toEqual([false]);
  });

  it("of a copy is from the session that the last one names", () => {
    const first = assistant("a", null, "m", [text("x")], { requestSessionId: "p" });
    const second = assistant("b", "a", "n", [text("y")], { requestSessionId: "q" });
    expect(take([first, second]).reading.header.parent).toBe("q");
  });

  it("is from before what the session has written of itself", () => {
    expect(
      copies([begun, user("a", null, "x", early), attachment("b", "a", { type: "t" }, early), user("c", "b", "y")]),
    ).toEqual([false, true, true, false]);
  });

  it("is none that a hook has said before that, or a clock that was set back", () => {
    expect(
      copies([begun, attachment("a", null, { type: "t" }, early), user("b", "a", "x"), user("c", "b", "y", early)]),
    ).toEqual([false, false, false, false]);
    expect(copies([user("a", null, "x"), begun, user("b", "a", "y", early)])).toEqual([false, false, false]);
  });
});

describe("anything", () => {
  const samples = SESSIONS.flatMap((sample) => linesOf(sample)).filter((line) => line.length < 4000);
  const wild = fc.oneof(
    fc.constantFrom(null, true, 0, -1, 1e308, "", "x", "__proto__", "\ud800", [], {}, [[[[]]]]),
    fc.jsonValue({ maxDepth: 4 }),
    fc.constant(JSON.parse('{"__proto__":{"uuid":"x","type":"user"},"constructor":null}')),
    fc.constant("y".repeat(100_000)),
  );

  /** A record with some values of it, at any depth, put in others' place or taken out. */
  const mutated = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.record({ at: fc.nat(), value: fc.option(wild, { nil: undefined }) }), { maxLength: 6 }),
    )
    .map(([line, changes]) => {
      const record = JSON.parse(line) as JsonObject;
      for (const { at, value } of changes) change(record, at, value);
      return record;
    });

  it("is taken without an error, and gives as many items as when it is asked again", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(mutated, fc.dictionary(fc.string(), wild)), { maxLength: 12 }), (records) => {
        const { reading, records: taken } = take(records);
        for (const [index, record] of records.entries()) {
          const again = claudeWire.items(record);
          expect(taken[index]?.items).toHaveLength(again.length);
          for (const item of again) toldItem(item);
        }
        const heads = [undefined, null, ...records.map(({ uuid }) => (typeof uuid === "string" ? uuid : "x"))];
        for (const head of heads) {
          const isActive = reading.branch(head);
          for (const index of [-1, ...records.keys(), records.length]) expect(typeof isActive(index)).toBe("boolean");
        }
        expect(typeof reading.header).toBe("object");
      }),
      { numRuns: 300 },
    );
  });

  it("gives seqs that do not depend on what is appended", () => {
    fc.assert(
      fc.property(fc.array(mutated, { minLength: 1, maxLength: 20 }), fc.nat(), (records, cut) => {
        const shape = (all: readonly JsonObject[]): unknown[] =>
          take(all).records.map(({ items: found }) => found.map((item) => item?.kind));
        const count = cut % records.length;
        expect(shape(records.slice(0, count))).toEqual(shape(records).slice(0, count));
      }),
    );
  });

  it("is taken where it is nested deeper than can be written", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(texts(assistant("a", null, "m", [toolUse("t", { input: deep })]))).toEqual(["t calls Bash nothing"]);
    expect(texts(attachment("a", null, { type: "t", deep }))).toEqual(["context: [t]"]);
    expect(resultOf(user("a", null, [toolResult("t", [{ type: "odd", deep }])])).output()).toBe("[odd]");
  });
});

/** Changes the value that is reached by a number: as many steps down as there are objects on the way. */
function change(target: JsonObject, at: number, value: unknown): void {
  const keys = Object.keys(target);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return;
  const inner = target[key];
  if (typeof inner === "object" && inner !== null && at % 3 !== 0) {
    change(inner as JsonObject, Math.floor(at / 3), value);
    return;
  }
  if (value === undefined) Reflect.deleteProperty(target, key);
  else Reflect.set(target, key, value);
}
