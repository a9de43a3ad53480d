import { describe, expect, it } from "vitest";
import {
  BOOT_TYPE,
  CARRIED_TYPE,
  countedAnswer,
  currentWindow,
  hasReset,
  isJustCompacted,
  isKept,
  isWindowStart,
  nextWindowId,
  NOTICE_TYPE,
  type ResetDetails,
  type SessionEntry,
  SWITCH_TYPE,
  switchOf,
} from "../src/window.ts";

let ids = 0;

/** An entry with the fields that matter here. */
const entry = (fields: object): SessionEntry => ({ id: `e${++ids}`, parentId: null, ...fields }) as SessionEntry;

const message = (role: string, fields: object = {}): SessionEntry =>
  entry({ type: "message", message: { role, content: "", ...fields } });
const answer = (totalTokens: number, stopReason = "stop"): SessionEntry =>
  message("assistant", { stopReason, usage: { totalTokens } });
const boot = (details: unknown): SessionEntry => entry({ type: "custom_message", customType: BOOT_TYPE, details });
const bootEntry = (data: unknown): SessionEntry => entry({ type: "custom", customType: BOOT_TYPE, data });
const carried = (details: unknown): SessionEntry =>
  entry({ type: "custom_message", customType: CARRIED_TYPE, details });
const notice = (details: unknown): SessionEntry => entry({ type: "custom_message", customType: NOTICE_TYPE, details });
const switched = (data: unknown): SessionEntry => entry({ type: "custom", customType: SWITCH_TYPE, data });

/** A compaction that keeps nothing. */
function start(details?: unknown): SessionEntry {
  const id = `e${++ids}`;
  return entry({ type: "compaction", id, firstKeptEntryId: id, details });
}

const reset = (window: string, fields: Partial<ResetDetails> = {}): ResetDetails => ({
  kind: "notesoup-reset",
  window,
  by: "model",
  isBoot: false,
  ...fields,
});

/** What somebody else may have put where our own details stand. */
const FOREIGN = [undefined, null, 7, "text", [], {}, { session: 7, fingerprint: 7, on: "yes", kind: "other" }];

describe("currentWindow", () => {
  it("is the first one of the session where nothing was emptied", () => {
    const first = {
      number: 1,
      id: "s:1",
      reset: undefined,
      hasBoot: false,
      bootEntry: undefined,
      unsaid: [],
      isUsed: false,
      said: new Set(),
      firstFigure: null,
    };
    expect(currentWindow([], "s")).toEqual(first);
    expect(currentWindow([message("user")], "s")).toEqual({ ...first, isUsed: true });
  });

  it("begins behind the last compaction that keeps nothing, whoever made it", () => {
    const ours = start(reset("s:2", { by: "budget" }));
    const windows = [message("user"), ours, message("user"), start()];
    expect(currentWindow(windows.slice(0, 2), "s")).toMatchObject({ number: 2, id: "s:2", reset: { by: "budget" } });
    expect(currentWindow(windows, "s")).toMatchObject({ number: 3, id: "s:3", reset: undefined, isUsed: false });
  });

  it("goes on over a compaction that keeps something", () => {
    const kept = message("user");
    const compaction = entry({ type: "compaction", firstKeptEntryId: kept.id });
    expect(isWindowStart(compaction)).toBe(false);
    expect(currentWindow([kept, compaction], "s")).toMatchObject({ number: 1, id: "s:1", isUsed: true });
  });

  it("has the name that its reset gave it, in a copy of the session too", () => {
    expect(currentWindow([start(reset("parent:2"))], "s").id).toBe("parent:2");
  });

  it("has a boot only of its own session, and only within itself", () => {
    const own = boot({ session: "s", window: "s:1" });
    expect(currentWindow([own], "s").hasBoot).toBe(true);
    expect(currentWindow([boot({ session: "parent", window: "parent:1" })], "s").hasBoot).toBe(false);
    expect(currentWindow([own, start(reset("s:2"))], "s").hasBoot).toBe(false);
    expect(currentWindow([start(reset("s:2")), own], "s").hasBoot).toBe(true);
  });

  it("has one where the text of its compaction is the boot, but not that of a parent's compaction", () => {
    const details = reset("s:2", { by: "host", isBoot: true });
    expect(currentWindow([start(details)], "s").hasBoot).toBe(true);
    expect(currentWindow([start({ ...details, window: "parent:2" })], "s").hasBoot).toBe(false);
  });

  it("is used when somebody has said something in it; its prompt, a boot and a notice are nothing said", () => {
    const silent = [message("system"), boot({ session: "s", window: "s:1" }), notice({ fingerprint: "a" })];
    expect(currentWindow(silent, "s").isUsed).toBe(false);
    for (const role of ["user", "assistant", "toolResult", "bashExecution"])
      expect(currentWindow([...silent, message(role)], "s").isUsed).toBe(true);
  });

  it("knows what was said in it, and nothing of what was said before it", () => {
    const before = [notice({ fingerprint: "before" }), start(reset("s:2"))];
    const said = currentWindow([...before, notice({ fingerprint: "a" }), notice({ fingerprint: "b" })], "s").said;
    expect(said).toEqual(new Set(["a", "b"]));
  });

  it("has lost what a compaction in it did not keep: a boot, and what was said", () => {
    const kept = message("user");
    const compaction = entry({ type: "compaction", firstKeptEntryId: kept.id });
    const head = [boot({ session: "s", window: "s:1" }), notice({ fingerprint: "a" })];
    expect(currentWindow([...head, kept, compaction], "s")).toMatchObject({ hasBoot: false, said: new Set() });
    const details = reset("s:2", { by: "host", isBoot: true });
    expect(currentWindow([start(details), kept, compaction], "s").hasBoot).toBe(false);
    const later = [...head, kept, compaction, boot({ session: "s", window: "s:1" }), notice({ fingerprint: "b" })];
    expect(currentWindow(later, "s")).toMatchObject({ hasBoot: true, said: new Set(["b"]) });
  });

  it("has a boot of its own session in an entry too, as long as that is kept, and its text", () => {
    const data = { session: "s", window: "s:2", content: "the boot" };
    const branch = [start(), bootEntry(data), message("user")];
    expect(currentWindow(branch, "s")).toMatchObject({ hasBoot: true, bootEntry: "the boot" });
    for (const lost of [
      { ...data, session: "parent" },
      { ...data, content: 7 },
    ])
      expect(currentWindow([start(), bootEntry(lost)], "s")).toMatchObject({ hasBoot: false, bootEntry: undefined });
    expect(currentWindow([...branch, start()], "s")).toMatchObject({ hasBoot: false, bootEntry: undefined });
    const kept = message("user");
    const later = [...branch, kept, entry({ type: "compaction", firstKeptEntryId: kept.id })];
    expect(currentWindow(later, "s")).toMatchObject({ hasBoot: false, bootEntry: undefined });
  });

  it("is still to hear what its reset carries and no message of it says, in its order", () => {
    const marker = start(reset("s:2", { carries: ["a", "b", "c"] }));
    expect(currentWindow([marker], "s").unsaid).toEqual(["a", "b", "c"]);
    expect(currentWindow([marker, carried({ of: "b" })], "s").unsaid).toEqual(["a", "c"]);
    expect(currentWindow([marker, answer(7), message("user")], "s").unsaid).toEqual(["a", "b", "c"]);
    expect(currentWindow([carried({ of: "a" }), start(reset("s:2"))], "s").unsaid).toEqual([]);
  });

  it("hears what a reset carries that somebody emptied the window behind, if nobody has answered it", () => {
    const marker = start(reset("s:2", { carries: ["a"] }));
    expect(currentWindow([marker, carried({ of: "a" }), start()], "s").unsaid).toEqual(["a"]);
    expect(currentWindow([marker, start(reset("s:3", { carries: ["b"] }))], "s").unsaid).toEqual(["a", "b"]);
    expect(currentWindow([marker, carried({ of: "a" }), answer(7), start()], "s").unsaid).toEqual([]);
    const kept = message("user");
    const compaction = entry({ type: "compaction", firstKeptEntryId: kept.id });
    expect(currentWindow([marker, answer(7), kept, compaction], "s").unsaid).toEqual([]);
  });

  it("tells from how many tokens its first answer was made that has a figure", () => {
    expect(currentWindow([answer(7), start(reset("s:2"))], "s").firstFigure).toBeNull();
    expect(currentWindow([start(reset("s:2")), answer(0), answer(9), answer(11)], "s").firstFigure).toBe(9);
  });

  it("takes nothing for ours that only has the name", () => {
    for (const details of FOREIGN) {
      const entries = [start(details), boot(details), bootEntry(details), notice(details), carried(details)];
      const window = currentWindow(entries, "s");
      expect(window).toEqual({
        number: 2,
        id: "s:2",
        reset: undefined,
        hasBoot: false,
        bootEntry: undefined,
        unsaid: [],
        isUsed: false,
        said: new Set(),
        firstFigure: null,
      });
    }
  });
});

describe("isKept", () => {
  it("is true from the first thing on that a person or the model says", () => {
    expect(isKept([message("system"), boot({ session: "s" }), switched({ on: false }), start()])).toBe(false);
    for (const role of ["user", "assistant"]) expect(isKept([message("system"), message(role)])).toBe(true);
  });
});

describe("hasReset", () => {
  it("is whether the window was begun on the branch, be it ended already", () => {
    const branch = [start(reset("s:2")), message("user"), start(reset("s:3")), start()];
    expect(["s:1", "s:2", "s:3", "s:4"].filter((window) => hasReset(branch, window))).toEqual(["s:2", "s:3"]);
  });
});

describe("isJustCompacted", () => {
  it("is true from a compaction on, be it one that keeps something, until an answer", () => {
    const compaction = entry({ type: "compaction", firstKeptEntryId: "e0" });
    expect(isJustCompacted([])).toBe(false);
    expect(isJustCompacted([message("user")])).toBe(false);
    for (const last of [compaction, start()]) {
      expect(isJustCompacted([answer(7), last, message("user"), notice({})])).toBe(true);
      expect(isJustCompacted([last, message("user"), answer(7), message("user")])).toBe(false);
    }
  });
});

describe("nextWindowId", () => {
  it("is a name that no window of the session has, on whatever branch that is", () => {
    const [one, other] = [start(reset("s:2")), start(reset("s:3"))];
    expect(nextWindowId([message("user")], "s")).toBe("s:2");
    expect(nextWindowId([message("user"), one, message("user"), other], "s")).toBe("s:4");
  });
});

describe("switchOf", () => {
  it("is what was said last on the branch, over all windows", () => {
    expect(switchOf([])).toBeUndefined();
    expect(switchOf([switched({ on: false })])).toBe(false);
    expect(switchOf([switched({ on: false }), start(), switched({ on: true }), message("user")])).toBe(true);
  });

  it("takes nothing for a switch that only has the name", () => {
    for (const data of FOREIGN) {
      expect(switchOf([switched(data)])).toBeUndefined();
      expect(switchOf([switched({ on: false }), switched(data)])).toBe(false);
    }
  });
});

describe("countedAnswer", () => {
  it("is the last one with a figure: an aborted or failed one repeats the figure before it, and confirms nothing", () => {
    const counted = answer(9000);
    expect(countedAnswer([])).toBeUndefined();
    expect(countedAnswer([message("user")])).toBeUndefined();
    for (const later of [answer(9000, "aborted"), answer(9000, "error"), answer(0), message("assistant")])
      expect(countedAnswer([answer(1), counted, later, message("user")])).toBe(counted.id);
  });

  it("is the last one where none has a figure: what Pi guesses then changes with it", () => {
    const last = answer(0);
    expect(countedAnswer([answer(0), last])).toBe(last.id);
  });
});
