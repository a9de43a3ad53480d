import { knownAndNotNone, knownTokens, type MaybeTokens } from "./known-tokens.ts";

/** The usage of one request as a provider reports it, in tokens. */
export interface ProviderUsage {
  /** The part of the prompt that came neither from the cache nor went into it. */
  readonly input: MaybeTokens;
  /**
   * The part of the prompt that was read from the cache. To be left out where the provider has
   * counted it in `input` already (`prompt_tokens` with `cached_tokens` among them).
   */
  readonly cacheRead?: MaybeTokens;
  /** The part of the prompt that was written to the cache; to be left out as above. */
  readonly cacheWrite?: MaybeTokens;
  /** The answer: it stands in the next prompt. */
  readonly output?: MaybeTokens;
}

/**
 * The tokens that a window holds after an answer: the prompt, with what was read from the cache and
 * what was written to it, each once, and the answer.
 *
 * @returns `null` where `input` is unknown, and where all is 0: an aborted request, or a provider
 * that does not count
 */
export function usedTokensOf(usage: ProviderUsage): number | null {
  const input = knownTokens(usage.input);
  if (input === null) return null;
  const more = [usage.cacheRead, usage.cacheWrite, usage.output].map((tokens) => knownTokens(tokens) ?? 0);
  return knownAndNotNone(more.reduce((sum, tokens) => sum + tokens, input));
}

/** One reading of the usage. */
export interface UsageSample {
  /** The window that was read: another one after each reset. */
  readonly windowId: string;
  /**
   * What the figure comes from, such as the id of the answer: a figure that is read twice does not
   * confirm itself.
   */
  readonly id: string;
  /** Tokens that the window holds; `null` where that is unknown. 0 is unknown too, for no prompt is empty. */
  readonly usedTokens: MaybeTokens;
  /** The size of the model's context window in tokens; 0 means unknown. */
  readonly contextWindow: MaybeTokens;
}

/** What is believed of a window's usage after a number of samples. Plain data: it survives JSON. */
export interface UsageBelief {
  readonly windowId: string;
  /** Tokens that the window holds, as far as is known and believed now; else `null`. */
  readonly usedTokens: number | null;
  /** The last figure of this window that was believed: a jump is measured against it. */
  readonly lastBelievedTokens: number | null;
  /** A figure that waits for a second one to agree, and what it came from. */
  readonly doubted: { readonly id: string; readonly usedTokens: number } | null;
}

/** A figure of more than this many times another does not agree with it. */
const MAX_RATIO = 2;

/**
 * Takes one more sample into account. A figure above the context window, and one of more than twice
 * the last believed figure, is not believed until a sample with another id agrees with it, neither
 * being more than twice the other; until then the belief is what it was before. Providers have
 * reported such figures once in a while, and a window must not be emptied for one.
 *
 * An unknown figure makes the belief unknown and forgets nothing else. A sample of another window
 * forgets everything: no figure survives a reset.
 *
 * @param previous the belief so far, of whatever window, or `null` at first
 */
export function believe(previous: UsageBelief | null, sample: UsageSample): UsageBelief {
  const { windowId, id } = sample;
  const before: UsageBelief =
    previous?.windowId === windowId
      ? previous
      : { windowId, usedTokens: null, lastBelievedTokens: null, doubted: null };

  const usedTokens = knownAndNotNone(sample.usedTokens);
  if (usedTokens === null) return { ...before, usedTokens: null };

  const contextWindow = knownAndNotNone(sample.contextWindow);
  const isDoubtful =
    (contextWindow !== null && usedTokens > contextWindow) ||
    (before.lastBelievedTokens !== null && isJump(before.lastBelievedTokens, usedTokens));
  const { doubted } = before;
  const isConfirmed =
    doubted !== null &&
    doubted.id !== id &&
    !isJump(doubted.usedTokens, usedTokens) &&
    !isJump(usedTokens, doubted.usedTokens);

  if (isDoubtful && !isConfirmed) return { ...before, doubted: { id, usedTokens } };
  return { windowId, usedTokens, lastBelievedTokens: usedTokens, doubted: null };
}

function isJump(from: number, to: number): boolean {
  return to > MAX_RATIO * from;
}
