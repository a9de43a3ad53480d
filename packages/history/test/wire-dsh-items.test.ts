import { describe, expect, it } from "vitest";
import { HistoryError } from "../src/error.ts";
import { dshWire } from "../src/wire/dsh.ts";
import type { WireRecord } from "../src/wire/wire.ts";
import {
  answer,
  append,
  block,
  event,
  header,
  itemsOf,
  nameOf,
  namesOf,
  pairsOf,
  read,
  replaced,
  result,
  seqsWhere,
  start,
  text,
  user,
  wordsOf,
} from "./wire-dsh-fixture.ts";

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
