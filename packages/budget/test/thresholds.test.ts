import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_MARGINS, thresholds } from "../src/thresholds.ts";

describe("thresholds", () => {
  it("reminds with 24,576 left and has the last word with 12,288 left", () => {
    expect(DEFAULT_MARGINS).toEqual({ reminder: 24_576, lastWord: 12_288 });
  });

  it("stays within a quarter and an eighth of what the reserve leaves, in whole tokens", () => {
    const tokens = fc.nat({ max: 3_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (contextWindow, reserveTokens, reminder, lastWord) => {
        const margins = { reminderMarginTokens: reminder, lastWordMarginTokens: lastWord };
        const lines = thresholds({ contextWindow, reserveTokens, ...margins });
        const usable = contextWindow - reserveTokens;
        expect(lines === null).toBe(usable <= 0);
        if (lines === null) return;
        expect(lines.reminder).toBe(Math.min(reminder, Math.floor(usable / 4)));
        expect(lines.lastWord).toBe(Math.min(lastWord, Math.floor(usable / 8)));
      }),
    );
  });
});
