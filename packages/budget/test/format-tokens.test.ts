import { describe, expect, it } from "vitest";
import { formatTokens } from "../src/format-tokens.ts";

describe("formatTokens", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1,000"],
    [24_576, "24,576"],
    [100_000, "100,000"],
    [2_000_000, "2,000,000"],
  ])("writes %j as %j", (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});
