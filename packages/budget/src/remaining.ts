import { knownAndNotNone, knownTokens, type MaybeTokens } from "./known-tokens.ts";

/** What the remaining tokens are computed from. All numbers are tokens. */
export interface RemainingInput {
  /** The size of the model's context window; 0 means unknown. */
  readonly contextWindow: MaybeTokens;
  /** What is kept free at the end of the window for the answer and the close-out. */
  readonly reserveTokens: MaybeTokens;
  /** What the window holds now: the `usedTokens` of a {@link UsageBelief}. */
  readonly usedTokens: MaybeTokens;
}

/**
 * Tokens left above the reserve: `max(0, contextWindow - reserveTokens - usedTokens)`, a whole
 * number; `null` where one of the three is unknown. Never `NaN`, never negative.
 *
 * @example
 * ```ts
 * remainingTokens({ contextWindow: 200_000, reserveTokens: 16_384, usedTokens: 150_000 }); // 33616
 * remainingTokens({ contextWindow: 0, reserveTokens: 16_384, usedTokens: 150_000 }); // null
 * ```
 */
export function remainingTokens(input: RemainingInput): number | null {
  const contextWindow = knownAndNotNone(input.contextWindow);
  const reserve = knownTokens(input.reserveTokens);
  const used = knownTokens(input.usedTokens);
  if (contextWindow === null || reserve === null || used === null) return null;
  return Math.max(0, contextWindow - reserve - used);
}
