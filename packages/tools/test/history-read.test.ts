import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openLiveSession } from "@notesoup/history";
import { historyReadTool, OUTPUT_BUDGET_BYTES, resultOf } from "@notesoup/protocol";
import { renderHistoryRead } from "@notesoup/render";
import { countCodePoints } from "@notesoup/text";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { type Decorate, historyRead, historyToolContext, type HistoryToolContext } from "../src/index.ts";
import {
  awkwardTexts,
  historyFixture,
  type HistoryFixture,
  liveContext,
  PiRecords,
  read,
  START,
} from "./history-fixture.ts";
import { code, decorators, fits, success } from "./notes-fixture.ts";

let session: PiRecords;
let context: HistoryToolContext;
beforeEach(() => {
  session = new PiRecords();
  context = liveContext(session);
});

/** The context again, after something has happened in the session. */
const now = (decorate?: Decorate): HistoryToolContext => liveContext(session, { decorate });

/** The document of an event, from the library that makes it. */
function documentOf(seq: number): string {
  const opened = openLiveSession(session.live);
  return opened.document(opened.event(seq));
}

/** An event's windows, read one after another. */
async function windows(of: HistoryToolContext, seq: number, limit?: number): Promise<string[]> {
  const texts: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const answer = await historyRead(of, {
      seq,
      offset_chars: offset,
      ...(limit === undefined ? {} : { limit_chars: limit }),
    });
    const data = success(answer);
    if (!fits(data, renderHistoryRead, of.decorate)) throw new Error("past the budget");
    if (answer.text !== of.decorate(renderHistoryRead(data))) throw new Error("not the text of the result");
    texts.push(data.text);
    offset = data.next_offset_chars;
  }
  return texts;
}

describe("history_read", () => {
  it("delivers an event with what is known of it, without a session where none was named", async () => {
    session.user("Remember: plain files.");
    const answer = await historyRead(now(), { seq: 0 });
    expect(success(answer)).toEqual({
      seq: 0,
      role: "user",
      created_at: "2026-01-01T00:00:00.000Z",
      text: "Remember: plain files.",
      total_chars: 22,
      next_offset_chars: null,
    });
    expect(answer.text).toBe("seq 0 | user | 2026-01-01T00:00:00.000Z\n\nRemember: plain files.");
    expect(Check(historyReadTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("sums up an execution, and its document holds arguments and output", async () => {
    const seq = session.run("c1", { command: "ls" }, "a.txt", { isError: true, fullOutputPath: "/tmp/out.log" });
    const data = await read(now(), { seq });
    expect(data).toMatchObject({
      role: "tool",
      tool: "bash",
      tool_status: "error",
      output_truncated: true,
      full_output_path: "/tmp/out.log",
    });
    expect(data.text).toContain('{"command":"ls"}');
    expect(data.text).toContain("a.txt");
    expect(data).not.toHaveProperty("nested_calls");
  });

  it("names a cut output also where nobody kept the whole one", async () => {
    const seq = session.run("c1", {}, "…", { isTruncated: true });
    const data = await read(now(), { seq });
    expect(data.output_truncated).toBe(true);
    expect(data).not.toHaveProperty("full_output_path");
  });

  it("reports nested calls as they were recorded, whatever the window shows of them", async () => {
    const calls = [{ id: "n1", name: "read", status: "ok" }];
    const seq = session.run("c1", {}, "done", { nestedCalls: { calls, complete: false } });
    const { nested_calls: nested, text } = await read(now(), { seq, limit_chars: 1 });
    expect([nested, text]).toEqual([{ call_count: 1, complete: false }, "b"]);
  });

  it("shows a call of the live turn as pending, one of a turn that is over as unfinished, a result alone as unpaired", async () => {
    const pending = session.call("c1");
    expect((await read(now(), { seq: pending })).tool_status).toBe("pending");
    session.user("go on");
    expect((await read(now(), { seq: pending })).tool_status).toBe("unfinished");
    const unpaired = session.result("nobody", "x");
    expect((await read(now(), { seq: unpaired })).tool_status).toBe("unpaired");
  });

  it("has null for the time of an event without one", async () => {
    const seq = session.user("when?", { time: null });
    expect((await read(now(), { seq })).created_at).toBeNull();
  });

  it("makes a lone surrogate well-formed before positions, in the text and in the summary", async () => {
    const seq = session.run("c1", {}, "a\ud800b", { tool: "odd\udfff", fullOutputPath: "/tmp/\ud800" });
    const data = await read(now(), { seq });
    expect(JSON.stringify(data)).not.toMatch(/\\ud[89a-f]/u);
    expect(data).toMatchObject({ tool: "odd\ufffd", full_output_path: "/tmp/\ufffd" });
    expect(data.total_chars).toBe(countCodePoints(data.text));
  });
});

describe("whose event is read", () => {
  let history: HistoryFixture;
  beforeEach(async () => {
    history = await historyFixture();
    session.user("hello");
    history.given(session);
  });

  it("is told by the canonical name where the call named the session, by whatever it named it", async () => {
    for (const selector of ["pi:live-session", "live-session", "live-s", "pi:live-s"]) {
      const answer = await historyRead(history.context, { seq: 0, session: selector });
      expect(success(answer)).toMatchObject({ session: "pi:live-session", text: "hello" });
      expect(answer.text).toMatch(/^session pi:live-session \| seq 0 \| user \| /u);
    }
  });

  it("is told also where it is the live one that was named", async () => {
    session.user("only live");
    const ofBoth = historyToolContext({
      live: () => openLiveSession(session.live),
      corpus: () => history.corpus(session.live),
    });
    expect(await read(ofBoth, { seq: 1, session: "live-session" })).toMatchObject({
      session: "pi:live-session",
      text: "only live",
    });
    expect(await read(ofBoth, { seq: 1 })).not.toHaveProperty("session");
  });

  it("says what of the session could not be read, only where there is any", async () => {
    const [name] = readdirSync(join(history.folder, "--app--"));
    expect(await read(history.context, { seq: 0, session: "live-session" })).not.toHaveProperty("damage");
    appendFileSync(join(history.folder, "--app--", name ?? ""), "no json\n");
    const answer = await historyRead(history.context, { seq: 0, session: "live-session" });
    expect(success(answer).damage).toEqual({ lines: 1, bytes: 7 });
    expect(answer.text).toContain("\ndamage: 1 line, 7 bytes could not be read\n");
  });
});

describe("the windows of a read", () => {
  it("put together are the document, for every limit", async () => {
    const seq = session.run("c1", { text: "界\u0000" }, 'né"😀\r\n', { nestedCalls: { calls: [], complete: true } });
    const document = documentOf(seq);
    const chars = [...document];
    for (let limit = 1; limit <= chars.length; limit++) {
      const texts = await windows(now(), seq, limit);
      expect(texts.join("")).toBe(document);
      expect(texts.map(countCodePoints).slice(0, -1)).toEqual(texts.slice(1).map(() => limit));
    }
  });

  it("put together are a document of any length under any decoration, each the longest that fits", async () => {
    await fc.assert(
      fc.asyncProperty(awkwardTexts, fc.integer({ min: 1, max: 9000 }), decorators, async (text, times, decorate) => {
        session = new PiRecords();
        const seq = session.user(text.repeat(times));
        const texts = await windows(now(decorate), seq);
        const document = documentOf(seq);
        expect(texts.join("")).toBe(document);
        const [first, second] = texts;
        if (first === undefined || second === undefined) return;
        const known = await read(now(decorate), { seq, limit_chars: 1 });
        const longer = first + String.fromCodePoint(second.codePointAt(0) ?? 0);
        const whole = longer === document;
        const data = { ...known, text: longer, next_offset_chars: whole ? null : countCodePoints(longer) };
        expect(fits(data, renderHistoryRead, decorate)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it.each<[{ offset_chars?: number; limit_chars?: number }, string, number | null]>([
    [{ offset_chars: -3 }, "789", null],
    [{ offset_chars: -3, limit_chars: 1 }, "7", 8],
    [{ offset_chars: -30 }, "0123456789", null],
    [{ offset_chars: 10 }, "", null],
    [{ offset_chars: 11 }, "", null],
    [{ offset_chars: 8, limit_chars: 1 }, "8", 9],
  ])("begin and end as asked: %j", async (range, text, next) => {
    const seq = session.user("0123456789");
    expect(await read(now(), { seq, ...range })).toMatchObject({ text, next_offset_chars: next, total_chars: 10 });
  });
});

describe("a refused read", () => {
  it.each<[string, object]>([
    ["invalid_range", {}],
    ["invalid_range", { seq: 0.5 }],
    ["invalid_range", { seq: "0" }],
    ["invalid_range", { seq: 0, offset_chars: 0.5 }],
    ["invalid_range", { seq: 0, limit_chars: 0 }],
    ["invalid_range", { seq: 0, limit_chars: Number.NaN }],
  ])("opens nothing where its arguments are wrong: %s, %j", async (expected, args) => {
    const opened = (): never => {
      throw new Error("opened");
    };
    const lazy = historyToolContext({ live: opened, corpus: opened });
    expect(code(await historyRead(lazy, args as never))).toBe(expected);
  });

  it("names the call of a result's slot, and tells a branch that was left from what is not there", async () => {
    const prompt = session.user("first");
    const branching = session.lastId;
    const call = session.run("c1", {}, "out");
    session.user("again", { parentId: branching });
    const abandoned = await historyRead(now(), { seq: call });
    expect(code(abandoned)).toBe("seq_not_found");
    expect(abandoned.text).toContain("branch");
    for (const seq of [99, -1]) {
      const missing = await historyRead(now(), { seq });
      expect(code(missing)).toBe("seq_not_found");
      expect(missing.text).toContain("the last one is at seq 3");
    }
    expect(prompt).toBe(0);

    session = new PiRecords();
    session.run("c1", {}, "out");
    const slot = await historyRead(now(), { seq: 1 });
    expect(code(slot)).toBe("seq_not_found");
    expect(slot.text).toContain("read seq 0");
  });

  it("has a session that is not there, that several have begun with, or that stands for several", async () => {
    const history = await historyFixture();
    for (const id of ["session-a", "session-b"]) history.given(new PiRecords(id));
    const refused = async (selector: string): Promise<string> =>
      code(await historyRead(history.context, { seq: 0, session: selector }));
    expect(await refused("nowhere")).toBe("session_not_found");
    expect(await refused("")).toBe("session_not_found");
    expect(await refused("session-")).toBe("ambiguous_session");
    expect(await refused("*")).toBe("session_not_found");
    expect(await refused("pi:*")).toBe("session_not_found");
  });

  it("has no session where the host has none to give", async () => {
    const nothing = historyToolContext();
    const withoutLive = await historyRead(nothing, { seq: 0 });
    expect(code(withoutLive)).toBe("session_not_found");
    expect(withoutLive.text).toContain("name one");
    expect(code(await historyRead(nothing, { seq: 0, session: "pi:any" }))).toBe("session_not_found");
    expect(code(await historyRead(context, { seq: 0, session: 5 } as never))).toBe("invalid_text");
  });

  it("is one of which not one character fits", async () => {
    const seq = session.user("x");
    const answer = await historyRead(
      now((text) => text.padStart(OUTPUT_BUDGET_BYTES + 1)),
      { seq },
    );
    expect(code(answer)).toBe("output_too_large");
    expect(answer.text).toMatch(/^error: output_too_large: seq 0 [^\n]+$/u);
  });

  it("lets through what is no refusal", async () => {
    const broken = historyToolContext({ live: () => Promise.reject(new TypeError("a fault of the host")) });
    await expect(historyRead(broken, { seq: 0 })).rejects.toThrow("a fault of the host");
  });
});

it("reads a file as it reads the live session", async () => {
  const history = await historyFixture();
  session.user("a");
  session.run("c1", { path: "界" }, "out");
  session.assistant("done", { time: START });
  history.given(session);
  for (const seq of session.addresses) {
    const { session: name, ...filed } = await read(history.context, { seq, session: "live-session" });
    expect([name, filed]).toEqual(["pi:live-session", await read(now(), { seq })]);
  }
});
