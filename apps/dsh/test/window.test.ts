import { describe, expect, it } from "vitest";
import { sourceOf, type Marker } from "../src/marker.ts";
import { currentWindow, nextWindowId } from "../src/window.ts";

type Session = Parameters<typeof currentWindow>[0];

interface Said {
  readonly type: "user/message" | "assistant/message";
  readonly source?: object;
  /** Replaces all that the model saw. */
  readonly replaces?: boolean;
}

/** A session of what was said in it. */
function sessionOf(...said: readonly Said[]): Session {
  const events = said.map(({ type, source = { kind: "user" }, replaces = false }, seq) => ({
    type,
    seq,
    surfaceOp: replaces ? { op: "replace", start: 0, end: seq - 1 } : "append",
    data: { source },
  }));
  const last = said.findLastIndex(({ replaces }) => replaces === true);
  return {
    id: "s1",
    events,
    surface: { nodes: events.map(({ seq }) => seq).slice(Math.max(0, last)) },
  } as unknown as Session;
}

const marked = (marker: Marker): Said => ({ type: "user/message", source: sourceOf(marker, "notice", "") });
const BOOT = marked({ what: "boot", session: "s1", window: "s1:1" });
const PROMPT: Said = { type: "user/message" };
const ANSWER: Said = { type: "assistant/message" };
const reset = (marker: object | undefined): Said => ({
  type: "user/message",
  source: { kind: "plugin", plugin: "compact", compactionId: "x", ...(marker !== undefined && { notesoup: marker }) },
  replaces: true,
});

describe("the window that the model sees", () => {
  it("is the first one, empty and without a boot, before anything is said", () => {
    expect(currentWindow(sessionOf())).toEqual({
      id: "s1:1",
      hasBoot: false,
      resetBy: undefined,
      isUsed: false,
      said: [],
      closeOut: undefined,
    });
    expect(nextWindowId(sessionOf())).toBe("s1:2");
  });

  it("has a boot that names this session, and not one that a fork has brought", () => {
    expect(currentWindow(sessionOf(BOOT)).hasBoot).toBe(true);
    expect(currentWindow(sessionOf(marked({ what: "boot", session: "parent", window: "parent:1" }))).hasBoot).toBe(
      false,
    );
  });

  it("is counted on by every compaction, whoever made it, and knows who emptied the one before it", () => {
    const ours = sessionOf(BOOT, PROMPT, ANSWER, reset({ what: "boot", session: "s1", window: "s1:2", by: "budget" }));
    expect(currentWindow(ours)).toMatchObject({ id: "s1:2", hasBoot: true, resetBy: "budget", isUsed: false });
    const hosts = sessionOf(BOOT, PROMPT, ANSWER, reset(undefined));
    expect(currentWindow(hosts)).toMatchObject({ id: "s1:2", hasBoot: false, resetBy: undefined });
    const subagents = sessionOf(PROMPT, reset({ what: "emptied", session: "s1", by: "host" }));
    expect(currentWindow(subagents)).toMatchObject({ hasBoot: false, resetBy: "host" });
  });

  it("is used by a prompt and by an answer, and by nothing that we say", () => {
    const notice = marked({ what: "notice", session: "s1", fingerprint: "f" });
    expect(currentWindow(sessionOf(BOOT, notice))).toMatchObject({ isUsed: false, said: ["f"] });
    expect(currentWindow(sessionOf(BOOT, PROMPT))).toMatchObject({ isUsed: true });
    expect(currentWindow(sessionOf(BOOT, PROMPT, ANSWER))).toMatchObject({ isUsed: true });
  });

  it("is not used by what the host says of the workspace, and is by what another agent says", () => {
    const said = (source: object): Said => ({ type: "user/message", source });
    expect(currentWindow(sessionOf(BOOT, said({ kind: "agent-instructions", form: "instructions" }))).isUsed).toBe(
      false,
    );
    expect(currentWindow(sessionOf(BOOT, said({ kind: "skill-catalog", form: "catalog" }))).isUsed).toBe(false);
    expect(currentWindow(sessionOf(BOOT, said({ kind: "agent-message", form: "relay" }))).isUsed).toBe(true);
    expect(currentWindow(sessionOf(BOOT, said({ kind: "coordinator" }))).isUsed).toBe(true);
  });

  it("has a close-out until it is taken back", () => {
    const closeOut = marked({ what: "close-out", session: "s1", by: "budget", fingerprint: "r" });
    expect(currentWindow(sessionOf(BOOT, PROMPT, closeOut))).toMatchObject({
      closeOut: { seq: 2, by: "budget" },
      said: ["r"],
    });
    const withdrawn = marked({ what: "withdrawn", session: "s1" });
    expect(currentWindow(sessionOf(BOOT, PROMPT, closeOut, withdrawn)).closeOut).toBeUndefined();
  });
});
