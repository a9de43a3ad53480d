import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countdown, type Announcement, type CountdownInput } from "../src/countdown.ts";
import { thresholds } from "../src/thresholds.ts";

const full: CountdownInput = { windowId: "w1", contextWindow: 200_000, reserveTokens: 16_384, usedTokens: 160_000 };
const urgency = ["reminder", "lastWord", "reset"];

/** Says all that there is to say about a series of inputs, each with what was said before, as a session keeps it. */
function saidAbout(inputs: readonly CountdownInput[]): readonly Announcement[] {
  let session = "[]";
  for (const input of inputs) {
    const soFar = JSON.parse(session) as readonly Announcement[];
    const fingerprints = soFar.map(({ fingerprint }) => fingerprint);
    const now = countdown(fingerprints, input);
    if (now !== null) session = JSON.stringify([...soFar, now]);
  }
  return JSON.parse(session) as readonly Announcement[];
}

describe("countdown", () => {
  it("says a line again in another window, and for a model of another size or another reserve, and not else", () => {
    const [first] = saidAbout([full]);
    const said = [first?.fingerprint ?? ""];
    expect(countdown(said, full)).toBeNull();
    expect(countdown(said, { ...full, reminderMarginTokens: 30_000 })).toBeNull();
    expect(countdown(said, { ...full, windowId: "w2" })?.kind).toBe("reminder");
    expect(countdown(said, { ...full, contextWindow: 198_000 })?.kind).toBe("reminder");
    expect(countdown(said, { ...full, reserveTokens: 17_000 })?.kind).toBe("reminder");
  });

  it("does not mix up windows, whatever their ids hold", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const said = saidAbout([{ ...full, windowId: one }]).map(({ fingerprint }) => fingerprint);
        expect(countdown(said, { ...full, windowId: other }) === null).toBe(one === other);
      }),
    );
  });

  it("passes over a line with a margin of 0", () => {
    const nearlyFull = { ...full, usedTokens: 183_000 };
    expect(countdown([], { ...nearlyFull, reminderMarginTokens: 0 })?.kind).toBe("lastWord");
    expect(countdown([], { ...nearlyFull, lastWordMarginTokens: 0 })?.kind).toBe("reminder");
    expect(countdown([], { ...nearlyFull, reminderMarginTokens: 0, lastWordMarginTokens: 0 })).toBeNull();
    const atTheEnd = { ...full, usedTokens: 200_000, autoReset: false };
    expect(countdown([], { ...atTheEnd, reminderMarginTokens: 0, lastWordMarginTokens: 0 })).toBeNull();
  });

  const contextWindow = fc.integer({ min: 1, max: 2_000_000 });
  const reserveTokens = fc.integer({ min: 0, max: 100_000 });
  const usages = fc.array(fc.option(fc.nat({ max: 2_100_000 }), { nil: null }), { maxLength: 30 });

  it("says each line at most once a window, in the order of urgency, and only when it is crossed", () => {
    fc.assert(
      fc.property(contextWindow, reserveTokens, usages, fc.boolean(), (size, reserve, series, autoReset) => {
        const window = { windowId: "w1", contextWindow: size, reserveTokens: reserve, autoReset };
        const said = saidAbout(series.map((usedTokens) => ({ ...window, usedTokens })));
        const order = said.map(({ kind }) => urgency.indexOf(kind));
        expect(order).toEqual([...new Set(order)].toSorted((one, other) => one - other));
        const lines = thresholds(window);
        for (const { kind, remainingTokens } of said) expect(remainingTokens).toBeLessThanOrEqual(lines?.[kind] ?? -1);
        if (!autoReset) expect(said.map(({ kind }) => kind)).not.toContain("reset");
      }),
    );
  });

  it("has said the most urgent line by the time that it is crossed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 2_000_000 }), fc.nat({ max: 999 }), usages, (size, reserve, series) => {
        const window = { windowId: "w1", contextWindow: size, reserveTokens: reserve };
        const said = saidAbout([...series, size].map((usedTokens) => ({ ...window, usedTokens })));
        expect(said.at(-1)?.kind).toBe("reset");
      }),
    );
  });

  it("says nothing about what it does not know, and never a number that is none", () => {
    const anyTokens = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(anyTokens, anyTokens, anyTokens, anyTokens, (size, reserve, usedTokens, margin) => {
        const now = countdown([], {
          windowId: "w1",
          contextWindow: size,
          reserveTokens: reserve,
          usedTokens,
          reminderMarginTokens: margin,
        });
        if (now !== null) expect(Number.isInteger(now.remainingTokens) && now.remainingTokens >= 0).toBe(true);
      }),
    );
  });
});
