import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type HistoryCorpus, openLiveSession } from "../src/corpus.ts";
import { rawPatternOf } from "../src/raw-pattern.ts";
import type { SessionRef } from "../src/session-ref.ts";
import { claudeSession, dshSession, piSession, TestHome } from "./corpus-fixture.ts";
import { refusal, told } from "./session-fixture.ts";

const select = async (corpus: HistoryCorpus, selector: string): Promise<SessionRef> => {
  const selected = await corpus.select(selector);
  if ("kind" in selected) throw new Error("a wildcard");
  return selected;
};
const homeOfThree = async (): Promise<TestHome> => {
  const home = await TestHome.create();
  await home.pi("0193-pi-one", piSession(["said in pi"]), 30);
  await home.claude("0193-claude", claudeSession(["said in claude"]), 20);
  await home.dsh("0193-dsh", dshSession(["said in dsh"]), 10);
  return home;
};

describe("a corpus", () => {
  it("has the sessions of all harnesses, or of one, by their canonical names, the last active first", async () => {
    const corpus = (await homeOfThree()).corpus();
    expect((await corpus.sessions()).map(({ name }) => name)).toEqual([
      "pi:0193-pi-one",
      "claude:0193-claude",
      "dsh:0193-dsh",
    ]);
    expect(await corpus.sessions("dsh")).toMatchObject([{ harness: "dsh", id: "0193-dsh", lastActivity: 10_000 }]);
  });

  it("opens each by its own format", async () => {
    const corpus = (await homeOfThree()).corpus();
    for (const ref of await corpus.sessions()) {
      expect(told(await corpus.open(ref))).toEqual([`0 user: said in ${ref.harness}`]);
    }
  });

  it("selects by a whole name, an id, or how these begin", async () => {
    const corpus = (await homeOfThree()).corpus();
    for (const selector of ["pi:0193-pi-one", "0193-pi-one", "0193-p", "pi:0193-pi"]) {
      expect((await select(corpus, selector)).name).toBe("pi:0193-pi-one");
    }
    expect(await corpus.select("*")).toEqual({ kind: "wildcard", harness: undefined });
    expect(await corpus.select("claude:*")).toEqual({ kind: "wildcard", harness: "claude" });
    await refusal("session_not_found", () => corpus.select("0193-"));
    await refusal("session_not_found", () => corpus.select("dsh:0193-pi-one"));
  });

  it("names the candidates of a selector that fits several, with the folder that each was begun in", async () => {
    const home = await TestHome.create();
    await home.pi("shared-1", piSession([], { cwd: "/in pi" }), 2);
    await home.claude("shared-2", claudeSession(["x"]), 1);
    await home.dsh("shared-3", dshSession([], { cwd: "/в dsh" }), 3);
    await home.write("dsh/p/shared-4/session.jsonl.zstd", "no frame", 0);
    const message = await refusal("ambiguous_session", () => home.corpus().select("shared"));
    expect(message).toContain(
      'dsh:shared-3 in "/в dsh", last active 1970-01-01T00:00:03.000Z; pi:shared-1 in "/in pi"',
    );
    expect(message).toContain('claude:shared-2 in "/work"');
    expect(message).toContain("dsh:shared-4, last active");
  });

  it("refuses to open what cannot be read", async () => {
    const home = await TestHome.create();
    await home.dsh("newer", dshSession(["x"], { version: 7 }), 2);
    const path = await home.claude("gone", claudeSession(["x"]), 1);
    const corpus = home.corpus();
    const [newer, gone] = await corpus.sessions();
    await rm(path);
    const pattern = rawPatternOf(["word"]);
    expect(await refusal("session_unreadable", () => newer && corpus.open(newer))).toContain('version "7"');
    expect(await refusal("session_unreadable", () => gone && corpus.open(gone))).toContain("ENOENT");
    await refusal("session_unreadable", () => gone && corpus.mayHold(gone, pattern));
    const nowhere = { harness: "pi", id: "x", name: "pi:x", lastActivity: 0 } as const;
    await refusal("session_unreadable", () => corpus.open(nowhere));
  });

  it("tells from the bytes of a session's file whether it may hold a text", async () => {
    const home = await homeOfThree();
    const corpus = home.corpus();
    const mayHold = async (...texts: readonly string[]): Promise<string[]> => {
      const sessions = await corpus.sessions();
      const answers = await Promise.all(sessions.map((ref) => corpus.mayHold(ref, rawPatternOf(texts))));
      return sessions.filter((_, at) => answers[at]).map(({ harness }) => harness);
    };
    expect(await mayHold("said in dsh")).toEqual(["dsh"]);
    expect(await mayHold("IN CLAUDE", "in pi")).toEqual(["pi", "claude"]);
    expect(await mayHold("absent")).toEqual([]);
    expect(await mayHold("12")).toEqual(["pi", "claude", "dsh"]);
  });
});

describe("a corpus with a live session", () => {
  const records = piSession(["one", "two"]);

  it("has it first, though it has no file", async () => {
    const home = await homeOfThree();
    const corpus = home.corpus({ live: { harness: "pi", id: "live-session", records, head: "e0" } });
    const [first, ...others] = await corpus.sessions();
    expect(first).toMatchObject({ name: "pi:live-session" });
    expect(first?.path).toBeUndefined();
    expect(others).toHaveLength(3);
    expect(await corpus.sessions("dsh")).toHaveLength(1);
    expect(told(await corpus.open(await select(corpus, "live-session")))).toEqual(["0 user: one"]);
    expect(first && (await corpus.mayHold(first, rawPatternOf(["absent"])))).toBe(true);
  });

  it("takes it from its host, and not from its file, which it names", async () => {
    const home = await homeOfThree();
    const path = await home.pi("live-session", piSession(["one"]), 1);
    const corpus = home.corpus({ live: { harness: "pi", id: "live-session", records, head: "e1" } });
    const [first, ...others] = await corpus.sessions();
    expect(first).toMatchObject({ name: "pi:live-session", path, lastActivity: 1000 });
    expect(others.map(({ name }) => name)).not.toContain("pi:live-session");
    expect(told(await corpus.open(await select(corpus, "pi:live-session")))).toEqual(["0 user: one", "1 user: two"]);
  });

  it("opens it without its folders", () => {
    const session = openLiveSession({ harness: "pi", id: "x", records: records.slice(1), head: "e1" });
    expect(told(session)).toEqual(["0 user: one", "1 user: two"]);
    expect(session.damage).toEqual({ lines: 0, bytes: 0 });
    expect(openLiveSession({ harness: "pi", id: "x", records, head: null }).events).toHaveLength(0);
  });

  it("takes what is no record among its records for none", () => {
    const odd = [null, 1, "text", [records[1]], undefined, ...records];
    expect(told(openLiveSession({ harness: "pi", id: "x", records: odd, head: undefined }))).toHaveLength(2);
  });

  it("takes arguments that JSON cannot write for arguments that are not recorded", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const args of [circle, { n: 1n }]) {
      const content = [{ type: "toolCall", id: "c", name: "bash", arguments: args }];
      const odd = [{ type: "message", id: "a", parentId: null, message: { role: "assistant", content } }];
      expect(told(openLiveSession({ harness: "pi", id: "x", records: odd, head: undefined }))).toEqual([
        "0 tool bash pending: arguments not recorded",
      ]);
    }
  });
});

describe("names of sessions", () => {
  it("are whole names before they are ids that look like one", async () => {
    const home = await TestHome.create();
    await home.pi("origin-1", piSession(["in pi"]), 10);
    await home.claude("pi:origin-1", claudeSession(["in claude"]), 20);
    const corpus = home.corpus();
    expect(told(await corpus.open(await select(corpus, "pi:origin-1")))).toEqual(["0 user: in pi"]);
    expect(told(await corpus.open(await select(corpus, "claude:pi:origin-1")))).toEqual(["0 user: in claude"]);
  });

  it("are not those that stand for several, or that no call could say", async () => {
    const home = await TestHome.create();
    await home.claude("*", claudeSession(["star"]));
    await home.claude("two\nlines", claudeSession(["lines"]));
    await home.dsh("~002A", dshSession(["star"]));
    await home.dsh("half~D800", dshSession(["half"]));
    await home.claude("plain", claudeSession(["plain"]));
    expect((await home.corpus().sessions()).map(({ name }) => name)).toEqual(["claude:plain"]);
  });
});
