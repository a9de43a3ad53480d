import { describe, expect, it } from "vitest";
import { UsageMeter } from "../src/budget/usage.ts";

type Context = ConstructorParameters<typeof UsageMeter>[0];
type Agent = Parameters<UsageMeter["measure"]>[0];

/** A host whose meter says so many tokens. */
const hostWith = (totalTokens: number): Context =>
  ({ get: () => ({ measure: () => ({ totalTokens, baseline: { kind: "usage" } }) }) }) as unknown as Context;

const ANSWER = { type: "assistant/message", seq: 3, data: {} };
const CHECKPOINT = {
  type: "user/message",
  seq: 4,
  surfaceOp: { op: "replace" },
  data: { source: { kind: "plugin", plugin: "compact" } },
};

/** An agent whose model has a window of so many tokens. */
const agentWith = (contextWindow: number | undefined, ...events: readonly object[]): Agent =>
  ({
    session: {
      id: "s1",
      events,
      surface: { nodes: [] },
      requestContext: () => (contextWindow === undefined ? undefined : { contextWindow }),
    },
  }) as unknown as Agent;

describe("what is left of a window", () => {
  it.each([
    { contextWindow: 200_000, reserve: undefined, kept: 16_384 },
    { contextWindow: 20_000, reserve: undefined, kept: 4000 },
    { contextWindow: 200_000, reserve: 1000, kept: 1000 },
    { contextWindow: 200_000, reserve: "host" as const, kept: 40_000 },
  ])("is counted above what is kept free: $kept of $contextWindow ($reserve)", ({ contextWindow, reserve, kept }) => {
    const meter = new UsageMeter(hostWith(10_000), () => reserve);
    const agent = agentWith(contextWindow, ANSWER);
    expect(meter.measure(agent)).toEqual({ windowId: "s1:1", contextWindow, reserveTokens: kept, usedTokens: 10_000 });
    expect(meter.remaining(agent)).toBe(contextWindow - kept - 10_000);
  });

  it("is unknown before the first answer, from a reset to the next one, and where the window has no known size", () => {
    const meter = new UsageMeter(hostWith(10_000), () => undefined);
    expect(meter.remaining(agentWith(200_000))).toBeNull();
    expect(meter.remaining(agentWith(200_000, ANSWER, CHECKPOINT))).toBeNull();
    expect(meter.remaining(agentWith(200_000, CHECKPOINT, ANSWER))).toBe(173_616);
    expect(meter.remaining(agentWith(undefined, ANSWER))).toBeNull();
  });

  it("is unknown where the host does not count", () => {
    const host = { get: () => undefined } as unknown as Context;
    expect(new UsageMeter(host, () => undefined).remaining(agentWith(200_000, ANSWER))).toBeNull();
  });
});
