import { knownAndNotNone, knownTokens, type MaybeTokens } from "./known-tokens.ts";

/** What the lines are computed from. All numbers are tokens. */
export interface ThresholdsInput {
  /** The size of the model's context window; 0 means unknown. */
  readonly contextWindow: MaybeTokens;
  /** What is kept free at the end of the window for the answer and the close-out. */
  readonly reserveTokens: MaybeTokens;
  /** Where to remind; {@link DEFAULT_MARGINS} where it is absent or no number of tokens; 0 for never. */
  readonly reminderMarginTokens?: MaybeTokens;
  /** Where to say the last word; as above. */
  readonly lastWordMarginTokens?: MaybeTokens;
}

/** The lines of a window, each in tokens left above the reserve. A line is crossed when no more than that is left. */
export interface Thresholds {
  /** At most a quarter of `contextWindow - reserveTokens`; 0 where nothing is reminded of. */
  readonly reminder: number;
  /** At most an eighth of `contextWindow - reserveTokens`; 0 where no last word is said. */
  readonly lastWord: number;
  /** The window is full up to the reserve. */
  readonly reset: 0;
}

/** The margins of a window that is large enough for them, in tokens left above the reserve. */
export const DEFAULT_MARGINS = { reminder: 24_576, lastWord: 12_288 } as const;

const SMALL_WINDOW_REMINDER_SHARE = 1 / 4;
const SMALL_WINDOW_LAST_WORD_SHARE = 1 / 8;

/**
 * The lines of a window. The shares keep a small window from being reminded of its end right after
 * its beginning.
 *
 * @returns `null` where the window or the reserve is unknown, and where the reserve takes the whole
 * window: such a window would be emptied again and again, and never used
 *
 * @example
 * ```ts
 * thresholds({ contextWindow: 200_000, reserveTokens: 16_384 }); // { reminder: 24576, lastWord: 12288, reset: 0 }
 * thresholds({ contextWindow: 32_768, reserveTokens: 16_384 }); // { reminder: 4096, lastWord: 2048, reset: 0 }
 * ```
 */
export function thresholds(input: ThresholdsInput): Thresholds | null {
  const contextWindow = knownAndNotNone(input.contextWindow);
  const reserve = knownTokens(input.reserveTokens);
  if (contextWindow === null || reserve === null || reserve >= contextWindow) return null;
  const usable = contextWindow - reserve;
  const reminder = knownTokens(input.reminderMarginTokens) ?? DEFAULT_MARGINS.reminder;
  const lastWord = knownTokens(input.lastWordMarginTokens) ?? DEFAULT_MARGINS.lastWord;
  return {
    reminder: Math.min(reminder, Math.floor(usable * SMALL_WINDOW_REMINDER_SHARE)),
    lastWord: Math.min(lastWord, Math.floor(usable * SMALL_WINDOW_LAST_WORD_SHARE)),
    reset: 0,
  };
}
