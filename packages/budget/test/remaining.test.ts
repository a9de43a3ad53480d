import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remainingTokens } from "../src/remaining.ts";

const anyTokens = fc.oneof(fc.double(), fc.integer(), fc.nat({ max: 2_000_000 }), fc.constantFrom(null, undefined, -0));

describe("remainingTokens", () => {
  it("is null or a whole number of at least 0, never NaN, for whatever a host hands over", () => {
    fc.assert(
      fc.property(anyTokens, anyTokens, anyTokens, (contextWindow, reserveTokens, usedTokens) => {
        const left = remainingTokens({ contextWindow, reserveTokens, usedTokens });
        expect(left === null || (Number.isInteger(left) && left >= 0)).toBe(true);
      }),
    );
  });

  it("never grows with the usage", () => {
    const tokens = fc.nat({ max: 2_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (contextWindow, reserveTokens, used, more) => {
        const window = { contextWindow, reserveTokens };
        const before = remainingTokens({ ...window, usedTokens: used });
        const after = remainingTokens({ ...window, usedTokens: used + more });
        expect((after ?? 0) <= (before ?? 0)).toBe(true);
      }),
    );
  });
});
