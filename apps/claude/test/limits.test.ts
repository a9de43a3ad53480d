import { expect, it } from "vitest";
import { limitsOf } from "../src/module/usage.ts";

// As the host has them: 1,000,000 is compacted at 967,000, 200,000 at 167,000, and 150,000 at 117,000.
it.each([
  [1_000_000, 967_000],
  [200_000, 167_000],
  [150_000, 117_000],
])("of a window of %i that is compacted at %i, the rest is kept free", (rawMaxTokens, autoCompactThreshold) => {
  const breakdown = { rawMaxTokens, autoCompactThreshold };
  expect(limitsOf({ window: 1_000_000, breakdown })).toEqual({
    contextWindow: rawMaxTokens,
    reserveTokens: 33_000,
    isCompacted: true,
  });
});

it("where the host does not compact by itself, the whole window of the model is there", () => {
  const whole = { contextWindow: 200_000, reserveTokens: 0, isCompacted: false };
  expect(limitsOf({ window: 200_000, breakdown: { rawMaxTokens: 150_000, isAutoCompactEnabled: false } })).toEqual(
    whole,
  );
  expect(limitsOf({ window: 200_000 })).toEqual(whole);
});
