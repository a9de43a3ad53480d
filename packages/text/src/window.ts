import { countCodePoints, unitIndexAfter } from "./code-points.ts";
import { largestFitting } from "./largest-fitting.ts";

/** What part of a text is asked for. Both numbers count code points. */
export interface WindowRequest {
  /** Where to start; 0 if absent. A negative offset selects a tail; one longer than the text starts at 0. */
  readonly offsetChars?: number | undefined;
  /** How many code points at the most, at least 1; no limit of its own if absent. */
  readonly limitChars?: number | undefined;
}

/** A contiguous, unmodified part of a text, and where to go on. */
export interface TextWindow {
  readonly text: string;
  /** Code points of the whole text. */
  readonly totalChars: number;
  /** The first code point that is not delivered, or `null` at the true end. */
  readonly nextOffsetChars: number | null;
}

/** What a window may weigh. */
export interface WindowBudget {
  /**
   * No window of more code points than this is tried: a code point takes a byte at least, so that
   * a text far past the budget is never measured whole.
   */
  readonly maxBytes: number;
  /** Measures a window in every form in which it will be delivered. Must not fit again once it has stopped to fit. */
  readonly fits: (window: TextWindow) => boolean;
}

/**
 * The longest prefix of the requested range that fits the budget. A code point is never split.
 * An offset at or past the end, and an empty text, give an empty window with a `null` next.
 *
 * @returns `undefined` where not even the first code point of the range fits, or, for an empty
 * range, the empty window itself does not
 */
export function fitWindow(text: string, request: WindowRequest, budget: WindowBudget): TextWindow | undefined {
  const totalChars = countCodePoints(text);
  const offset = request.offsetChars ?? 0;
  const start = Math.min(offset < 0 ? Math.max(0, totalChars + offset) : offset, totalChars);
  const available = Math.min(totalChars - start, request.limitChars ?? Number.POSITIVE_INFINITY);
  const startUnits = unitIndexAfter(text, start);

  const windowOf = (chars: number): TextWindow => ({
    text: text.slice(startUnits, unitIndexAfter(text, chars, startUnits)),
    totalChars,
    nextOffsetChars: start + chars < totalChars ? start + chars : null,
  });

  if (available === 0) {
    const empty = windowOf(0);
    return budget.fits(empty) ? empty : undefined;
  }
  // The whole range is tried by itself: at the true end the notice of continuation falls away, so
  // that it may fit where one code point less does not.
  if (available <= budget.maxBytes) {
    const whole = windowOf(available);
    if (budget.fits(whole)) return whole;
  }
  const chars = largestFitting(Math.min(available - 1, budget.maxBytes), (count) => budget.fits(windowOf(count)));
  return chars === 0 ? undefined : windowOf(chars);
}
