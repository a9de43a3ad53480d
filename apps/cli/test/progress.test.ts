import type { HistoryCorpus, Session, SessionRef } from "@notesoup/history";
import { describe, expect, it } from "vitest";
import { watched } from "../src/command/history/progress.ts";

const refs: readonly SessionRef[] = ["a", "b"].map((id) => ({
  harness: "pi",
  id,
  name: `pi:${id}`,
  lastActivity: 0,
}));

const corpus: HistoryCorpus = {
  sessions: () => Promise.resolve(refs),
  select: () => Promise.resolve({ kind: "wildcard", harness: undefined }),
  open: () => Promise.resolve({} as Session),
  mayHold: () => Promise.resolve(true),
};

async function lookThrough(seen: HistoryCorpus): Promise<void> {
  for (const ref of await seen.sessions()) {
    await seen.mayHold(ref, undefined);
    await seen.open(ref);
  }
}

describe("watched", () => {
  it("counts each session once, on a terminal, and clears its line", async () => {
    let shown = "";
    const line = { isTTY: true, write: (text: string) => (shown += text) };
    const { corpus: seen, clear } = watched(corpus, line);
    clear();
    expect(shown).toBe("");
    await lookThrough(seen);
    clear();
    const at = (count: number): string => `\r\u001B[Ksearching session ${count} of 2; Ctrl-C stops`;
    expect(shown).toBe(`${at(1)}${at(2)}\r\u001B[K`);
  });

  it("is the corpus itself where nobody looks", async () => {
    const line = {
      isTTY: false,
      write: () => {
        throw new Error("nobody looks");
      },
    };
    const { corpus: seen, clear } = watched(corpus, line);
    await lookThrough(seen);
    clear();
    expect(seen).toBe(corpus);
  });
});
