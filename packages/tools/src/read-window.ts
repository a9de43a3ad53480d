import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { fitWindow, type TextWindow } from "@notesoup/text";
import type { Answer } from "./answer.ts";
import { requireWholeOrNone } from "./arguments.ts";

/** What part of a text a call asks for. Both numbers count code points. */
export interface WindowArguments {
  readonly offset_chars?: number;
  readonly limit_chars?: number;
}

/** A window on the wire. */
export interface WireWindow {
  readonly text: string;
  readonly total_chars: number;
  readonly next_offset_chars: number | null;
}

/**
 * Checks which part of a text is asked for.
 *
 * @throws Refused `invalid_range`
 */
export function requireWindow({ offset_chars: offsetChars, limit_chars: limitChars }: WindowArguments): void {
  requireWholeOrNone("offset_chars", offsetChars);
  requireWholeOrNone("limit_chars", limitChars, { least: 1 });
}

/**
 * The answer with as much of the requested part of a text as can be delivered (Read windows).
 *
 * @param answerOf the answer that delivers a window, `undefined` where it does not fit
 * @returns `undefined` where not one code point can be delivered
 */
export function largestWindow<Success>(
  text: string,
  { offset_chars: offsetChars, limit_chars: limitChars }: WindowArguments,
  answerOf: (window: WireWindow) => Answer<Success> | undefined,
): Answer<Success> | undefined {
  let fitting: Answer<Success> | undefined;
  let fittingUnits = -1;
  const fits = (window: TextWindow): boolean => {
    const answer = answerOf(wireWindow(window));
    if (answer === undefined) return false;
    // What was measured is what is delivered: the largest window that fitted.
    if (window.text.length > fittingUnits) {
      fittingUnits = window.text.length;
      fitting = answer;
    }
    return true;
  };
  fitWindow(text, { offsetChars, limitChars }, { maxBytes: OUTPUT_BUDGET_BYTES, fits });
  return fitting;
}

function wireWindow({ text, totalChars, nextOffsetChars }: TextWindow): WireWindow {
  return { text, total_chars: totalChars, next_offset_chars: nextOffsetChars };
}
