import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countdown } from "../src/countdown.ts";
import { remainingTokens } from "../src/remaining.ts";
import { believe, type UsageBelief, type UsageSample } from "../src/usage.ts";

/** The beliefs after each figure of one window, each figure of an answer of its own. */
function beliefs(contextWindow: number | null, figures: readonly (number | null)[]): readonly UsageBelief[] {
  const all: UsageBelief[] = [];
  for (const [index, usedTokens] of figures.entries()) {
    all.push(believe(all.at(-1) ?? null, { windowId: "w1", id: `a${index}`, usedTokens, contextWindow }));
  }
  return all;
}

const K = 1_000;
const M = 1_000_000;

describe("believe", () => {
  it.each`
    contextWindow | figures                             | believed                           | why
    ${1 * M}      | ${[101_778, 211_034, 108_228]}      | ${[101_778, 101_778, 108_228]}     | ${"a jump that nothing confirms"}
    ${1 * M}      | ${[100 * K, 210 * K, 215 * K]}      | ${[100 * K, 100 * K, 215 * K]}     | ${"a jump that is confirmed"}
    ${1 * M}      | ${[100 * K, 210 * K, 900 * K]}      | ${[100 * K, 100 * K, 100 * K]}     | ${"two jumps that do not agree"}
    ${1 * M}      | ${[100 * K, 900 * K, 210 * K]}      | ${[100 * K, 100 * K, 100 * K]}     | ${"nor the other way about"}
    ${1 * M}      | ${[100 * K, 200 * K]}               | ${[100 * K, 200 * K]}              | ${"twice is no jump"}
    ${1 * M}      | ${[100 * K, 200_001]}               | ${[100 * K, 100 * K]}              | ${"more than twice is one"}
    ${200 * K}    | ${[150 * K, 250 * K, 151 * K]}      | ${[150 * K, 150 * K, 151 * K]}     | ${"above the window"}
    ${200 * K}    | ${[150 * K, 250 * K, 251 * K]}      | ${[150 * K, 150 * K, 251 * K]}     | ${"above the window, and confirmed"}
    ${200 * K}    | ${[150 * K, 200 * K]}               | ${[150 * K, 200 * K]}              | ${"a full window is not above it"}
    ${200 * K}    | ${[250 * K, 10 * K]}                | ${[null, 10 * K]}                  | ${"the first one above the window"}
    ${200 * K}    | ${[150 * K, 30 * K]}                | ${[150 * K, 30 * K]}               | ${"less is believed at once"}
    ${null}       | ${[150 * K, 250 * K]}               | ${[150 * K, 250 * K]}              | ${"above no window that is known"}
    ${200 * K}    | ${[null, 5 * K]}                    | ${[null, 5 * K]}                   | ${"unknown at first"}
    ${200 * K}    | ${[50 * K, null, 52 * K]}           | ${[50 * K, null, 52 * K]}          | ${"unknown in between"}
    ${200 * K}    | ${[50 * K, 0, Number.NaN, -1]}      | ${[50 * K, null, null, null]}      | ${"what stands for unknown"}
    ${1 * M}      | ${[50 * K, null, 180 * K]}          | ${[50 * K, null, null]}            | ${"unknown does not make a jump believable"}
    ${1 * M}      | ${[50 * K, 180 * K, null, 185 * K]} | ${[50 * K, 50 * K, null, 185 * K]} | ${"unknown does not take a doubt's confirmation away"}
  `("of $contextWindow: $figures is believed to be $believed ($why)", ({ contextWindow, figures, believed }) => {
    expect(beliefs(contextWindow, figures).map(({ usedTokens }) => usedTokens)).toEqual(believed);
  });

  it("lets no figure confirm itself, however often it is read", () => {
    const read = { windowId: "w1", contextWindow: 200_000 };
    const before = believe(null, { ...read, id: "a1", usedTokens: 50_000 });
    const once = believe(before, { ...read, id: "a2", usedTokens: 180_000 });
    const again = believe(once, { ...read, id: "a2", usedTokens: 181_000 });
    expect(again.usedTokens).toBe(50_000);
    expect(believe(again, { ...read, id: "a3", usedTokens: 182_000 }).usedTokens).toBe(182_000);
  });

  it("keeps nothing of the window before a reset, neither a figure nor a doubt", () => {
    const old = beliefs(200_000, [180_000, 390_000]).at(-1) ?? null;
    const fresh = { windowId: "w2", contextWindow: 200_000 };
    const unknown = believe(old, { ...fresh, id: "b0", usedTokens: null });
    expect(unknown).toEqual({ windowId: "w2", usedTokens: null, lastBelievedTokens: null, doubted: null });
    expect(remainingTokens({ ...fresh, reserveTokens: 16_384, usedTokens: unknown.usedTokens })).toBeNull();
    expect(believe(old, { ...fresh, id: "b1", usedTokens: 390_000 }).usedTokens).toBeNull();
    expect(believe(old, { ...fresh, id: "b1", usedTokens: 9_000 }).usedTokens).toBe(9_000);
  });

  it("gives null, not NaN, where a host knows neither window nor tokens", () => {
    const { usedTokens } = believe(null, { windowId: "w1", id: "a1", usedTokens: null, contextWindow: null });
    expect(remainingTokens({ contextWindow: null, reserveTokens: 16_384, usedTokens })).toBeNull();
  });

  it("empties no window for one impossible sample", () => {
    const window = { windowId: "w1", contextWindow: 200_000, reserveTokens: 16_384 };
    for (const { usedTokens } of beliefs(200_000, [90_000, 185_000, 91_000, 400_000, 92_000])) {
      expect(countdown([], { ...window, usedTokens })).toBeNull();
    }
  });

  const figure = fc.oneof(fc.nat({ max: 500_000 }), fc.constantFrom(null, Number.NaN));
  const sample: fc.Arbitrary<UsageSample> = fc.record({
    windowId: fc.constantFrom("w1", "w2"),
    id: fc.constantFrom("a1", "a2", "a3"),
    usedTokens: figure,
    contextWindow: fc.constantFrom(200_000, 400_000, null, 0),
  });

  it("believes only figures that it was given for this window, is plain data and does not change the belief before", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 20 }), (samples) => {
        let belief: UsageBelief | null = null;
        let given: (number | null | undefined)[] = [];
        for (const next of samples) {
          if (belief?.windowId !== next.windowId) given = [];
          given.push(next.usedTokens);
          const frozen: UsageBelief | null = belief === null ? null : Object.freeze(belief);
          belief = believe(frozen, next);
          expect(JSON.parse(JSON.stringify(belief))).toEqual(belief);
          expect(belief.windowId).toBe(next.windowId);
          if (belief.usedTokens !== null) expect(given).toContain(belief.usedTokens);
        }
      }),
    );
  });

  it("believes the same figure of a second answer, after whatever", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 10 }), fc.integer({ min: 1, max: 500_000 }), (samples, usedTokens) => {
        let belief: UsageBelief | null = null;
        for (const next of samples) belief = believe(belief, next);
        const read = { windowId: "w1", usedTokens, contextWindow: 200_000 };
        belief = believe(believe(belief, { ...read, id: "b1" }), { ...read, id: "b2" });
        expect(belief.usedTokens).toBe(usedTokens);
      }),
    );
  });

  it("is never moved by one impossible sample between two ordinary ones", () => {
    const ordinary = fc.integer({ min: 1, max: 200_000 });
    const impossible = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(ordinary, impossible, (usedTokens, more) => {
        const odd = Math.max(2 * usedTokens, 200_000) + more;
        const [, during, after] = beliefs(200_000, [usedTokens, odd, usedTokens]);
        expect(during?.usedTokens).toBe(usedTokens);
        expect(after).toEqual({ windowId: "w1", usedTokens, lastBelievedTokens: usedTokens, doubted: null });
      }),
    );
  });
});
