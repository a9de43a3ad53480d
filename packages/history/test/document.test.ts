import { describe, expect, it } from "vitest";
import { documentOf } from "../src/document.ts";
import { imageMark } from "../src/media.ts";
import type { JsonObject } from "../src/json.ts";
import { call, record, result } from "./plain-wire.ts";
import { filed, live } from "./session-fixture.ts";

const documentsOf = (records: readonly JsonObject[]): string[] => {
  const session = live(records);
  return [...session.events].map((event) => session.document(event));
};
const words = (...texts: readonly string[]): string[] =>
  documentsOf(texts.map((text) => record([{ is: "assistant", text, group: "g" }])));

describe("the document of words", () => {
  it("is their text, as it is", () => {
    expect(words("  a\n\n b\t\r\n")).toEqual(["  a\n\n b\t\r\n"]);
    expect(words("")).toEqual([""]);
  });

  it("has the parts of several records behind one another, each text once, empty ones never", () => {
    expect(words("one", "", "two", "one", "three")).toEqual(["one\n\ntwo\n\nthree"]);
  });

  it("is well-formed: a lone surrogate is U+FFFD, a pair stays what it is", () => {
    expect(words("a\ud83d", "\ude00b😀")).toEqual(["a\ufffd\n\n\ufffdb😀"]);
  });
});

describe("the document of an execution", () => {
  it("has the tool and how it stands, the arguments as JSON, and the output behind a blank line", () => {
    const args = { path: "/a b", list: [1, { deep: null }], text: "x\n\u0001 \u2028 ä", __proto__: null };
    const pair = [record([call("a", { tool: "write_file", args })]), record([result("a", "line 1\n\nline 3\n")])];
    expect(documentsOf(pair)).toEqual([
      'write_file · ok\n{"path":"/a b","list":[1,{"deep":null}],"text":"x\\n\\u0001 \u2028 ä"}\n\nline 1\n\nline 3\n',
    ]);
  });

  it("has the whole arguments, whatever their keys and however long they are", () => {
    const long = "x".repeat(300_000);
    const args = JSON.parse(`{"__proto__":{"a":1},"constructor":"${long}"}`) as JsonObject;
    expect(documentsOf([record([call("a", { args })])])).toEqual([
      `bash · pending\n{"__proto__":{"a":1},"constructor":"${long}"}`,
    ]);
  });

  it("says where the arguments are not recorded, and says nothing of those of a call that is not there", () => {
    expect(documentsOf([record([call("a", { args: undefined })])])).toEqual(["bash · pending\narguments not recorded"]);
    expect(documentsOf([record([result("a", "out", { tool: "read" })])])).toEqual(["read · unpaired\n\nout"]);
  });

  it("has no place for an output that is empty", () => {
    expect(documentsOf([record([call("a"), result("a", "")])])).toEqual(["bash · ok\n{}"]);
  });

  it("is well-formed, though arguments and output are not", () => {
    const pair = [record([call("a", { tool: "t\ud83d", args: { x: "\ud83d" } }), result("a", "\ude00")])];
    expect(documentsOf(pair)).toEqual(['t\ufffd · ok\n{"x":"\\ud83d"}\n\n\ufffd']);
  });

  it("is the same each time, live and filed", async () => {
    const records = [record([call("a", { args: { я: "\ud83d", z: 1, b: 2 } }), result("a", "€\ud83d")])];
    const session = await filed(records);
    const event = session.events.at(0);
    const document = event && session.document(event);
    expect(event && session.document(event)).toBe(document);
    expect(documentsOf(records)).toEqual([document]);
  });
});

describe("the nested calls of a document", () => {
  const withNested = (all: readonly JsonObject[], more: JsonObject = {}): string => {
    const nested = { callCount: all.length, complete: true, all, ...more };
    return documentsOf([record([call("a", { tool: "code" }), result("a", "out", { nested })])])[0] ?? "";
  };
  const head = "code · ok\n{}\n\nout\n\nnested calls: ";

  it("stand at its end, a line each, with all that was recorded and never what came back", () => {
    const all = [
      { id: "1", name: "read", status: "ok", durationMs: 12, args: '{"path":"x"}', output: "secret" },
      { id: "2", name: "bash", status: "error", durationMs: 0, args: "{}", error: "exit 1" },
      { id: "3", name: "bash", status: "unfinished", args: '"text"' },
    ];
    expect(withNested(all)).toBe(
      `${head}3 · complete\n1 · read · ok · 12 ms · {"path":"x"}\n2 · bash · error · 0 ms · {} · error: exit 1\n3 · bash · unfinished · "text"`,
    );
  });

  it("say where the host has left arguments out, and nothing where it says nothing of them", () => {
    const all = [
      { id: "1", name: "read", status: "ok", argumentsBytes: 70_000 },
      { id: "2", name: "read", status: "ok" },
    ];
    expect(withNested(all)).toBe(
      `${head}2 · complete\n1 · read · ok · arguments omitted by host (70000 bytes)\n2 · read · ok`,
    );
  });

  it("are counted as recorded, and never anew", () => {
    expect(withNested([{ id: "1", name: "read", status: "ok" }], { callCount: 9, complete: false })).toBe(
      `${head}9 · incomplete\n1 · read · ok`,
    );
    expect(withNested([])).toBe(`${head}0 · complete`);
  });

  it("are merged of what each of their records tells", () => {
    const nested = (child: JsonObject, end: boolean): JsonObject =>
      record([{ is: "nested", id: "a", call: child, end }]);
    const records = [
      record([call("a", { tool: "code" })]),
      nested({ id: "1", name: "read", args: '{"x":1}', status: "unfinished" }, false),
      nested({ id: "2", name: "bash", argumentsBytes: 5, status: "unfinished" }, false),
      nested({ id: "1", name: "read", status: "ok", durationMs: 3 }, true),
      record([result("a", "out")]),
    ];
    expect(documentsOf(records)).toEqual([
      `${head}2 · incomplete\n1 · read · ok · 3 ms · {"x":1}\n2 · bash · unfinished · arguments omitted by host (5 bytes)`,
    ]);
  });
});

describe("an image in a document", () => {
  it("is a mark with its type and size, and never its data", () => {
    expect(imageMark("image/png", Buffer.alloc(48_213).toString("base64"))).toBe("[image: image/png, 48213 bytes]");
    expect(imageMark(undefined, "")).toBe("[image: unknown type, 0 bytes]");
    expect(imageMark("image/webp", undefined)).toBe("[image: image/webp]");
  });

  it.each([0, 1, 2, 3, 4, 1000, 1001, 1002])("is told to have the %d bytes that it has", (bytes) => {
    expect(imageMark("image/gif", Buffer.alloc(bytes).toString("base64"))).toContain(`, ${bytes} bytes]`);
  });
});

describe("a document of items that are not what they should be", () => {
  it("has none of their text", () => {
    const message = { kind: "message", role: "user", time: null, text: () => "words" } as const;
    const tool = {
      tool: "t",
      status: "ok",
      outputTruncated: false,
      fullOutputPath: undefined,
      nested: undefined,
    } as const;
    expect(documentOf({ tool, message: [], call: message, result: message, nested: [] })).toBe("t · ok");
  });
});
