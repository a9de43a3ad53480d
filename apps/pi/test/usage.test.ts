import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { reserveTokensOf, UsageMeter } from "../src/budget/usage.ts";

/** What Pi knows at some time: its own figure, and how the answers on the branch ended. */
interface Known {
  readonly tokens?: number | null;
  readonly answers?: readonly ("stop" | "aborted" | "error")[];
  readonly contextWindow?: number;
}

/** What is left, as a meter says it of one time after the other. */
function remaining(...times: readonly Known[]): (number | null)[] {
  const meter = new UsageMeter({ getSettings: () => ({}) } as unknown as ExtensionAPI);
  return times.map(({ tokens = null, answers = ["stop"], contextWindow = 116_384 }) => {
    const branch = answers.map((stopReason, index) => ({
      type: "message",
      id: `answer-${index}`,
      message: { role: "assistant", stopReason, usage: { totalTokens: stopReason === "stop" ? 1 : 0 } },
    }));
    const ctx = {
      sessionManager: { getBranch: () => branch, getSessionId: () => "s" },
      model: { provider: "scripted", id: "model", contextWindow },
      // Pi has none where it does not know the size of the window.
      getContextUsage: () => (contextWindow > 0 ? { tokens, contextWindow, percent: 0 } : undefined),
    };
    return meter.remaining(ctx as unknown as ExtensionContext);
  });
}

describe("UsageMeter", () => {
  it("knows what is left above the reserve, and forgets it where Pi does", () => {
    expect(remaining({ tokens: 40_000 }, { tokens: null }, { tokens: 41_000 })).toEqual([60_000, null, 59_000]);
  });

  it("knows nothing where the size of the window is unknown", () => {
    expect(remaining({ tokens: 40_000, contextWindow: 0 })).toEqual([null]);
  });

  it("takes nothing that Pi guesses before the first answer for a measure of what comes then", () => {
    expect(remaining({ tokens: 1000, answers: [] }, { tokens: 40_000 })).toEqual([null, 60_000]);
  });

  it("does not believe a jump because of an answer that was stopped or failed and has no figure of its own", () => {
    const times = [
      { tokens: 20_000 },
      { tokens: 90_000, answers: ["stop", "stop"] },
      { tokens: 90_000, answers: ["stop", "stop", "aborted"] },
      { tokens: 90_000, answers: ["stop", "stop", "aborted", "error"] },
      { tokens: 90_000, answers: ["stop", "stop", "aborted", "error", "stop"] },
    ] as const;
    expect(remaining(...times)).toEqual([80_000, 80_000, 80_000, 80_000, 10_000]);
  });
});

describe("reserveTokensOf", () => {
  const model = { provider: "scripted", id: "vendor/model" };
  const modelOverrides = { "scripted/vendor/model": { reserveTokens: 500 }, "scripted/other": { reserveTokens: 7 } };

  it("is Pi's own default where its settings say nothing", () => {
    expect(reserveTokensOf(undefined, model)).toBe(16_384);
    expect(reserveTokensOf({}, undefined)).toBe(16_384);
    expect(reserveTokensOf({ modelOverrides: { "scripted/vendor/model": {} } }, model)).toBe(16_384);
  });

  it("is the ordinary setting, 0 too, and that of the model before it", () => {
    expect(reserveTokensOf({ reserveTokens: 0 }, model)).toBe(0);
    expect(reserveTokensOf({ reserveTokens: 9000, modelOverrides }, model)).toBe(500);
    expect(reserveTokensOf({ reserveTokens: 9000, modelOverrides }, { provider: "other", id: "vendor/model" })).toBe(
      9000,
    );
    expect(reserveTokensOf({ reserveTokens: 9000, modelOverrides }, undefined)).toBe(9000);
  });
});
