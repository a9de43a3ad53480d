import { remainingTokens, type RemainingInput } from "./remaining.ts";
import { thresholds, type ThresholdsInput } from "./thresholds.ts";

/** The lines of a window, from the first that is crossed to the last. */
export type LineKind = "reminder" | "lastWord" | "reset";

/** What the countdown looks at. All numbers are tokens. */
export interface CountdownInput extends ThresholdsInput, RemainingInput {
  /** The window: another one after each reset, the same after a reload or a resume. */
  readonly windowId: string;
  /** Whether the last line empties the window; `true` if absent. */
  readonly autoReset?: boolean | undefined;
}

/** What to say or to do now. */
export interface Announcement {
  /** `reminder` and `lastWord` are to be said; `reset` is to be done, after a close-out. */
  readonly kind: LineKind;
  /** Tokens left above the reserve. */
  readonly remainingTokens: number;
  /** To be kept in the session beside what was said, and handed in from then on. */
  readonly fingerprint: string;
}

/** The most urgent first. */
const BY_URGENCY: readonly LineKind[] = ["reset", "lastWord", "reminder"];

/**
 * What to say now, if anything. Each line is said once a window, and a less urgent one never after a
 * more urgent one: where several are crossed at once, the most urgent is said and the others count
 * as said. A model with a window of another size, or another reserve, counts down anew.
 *
 * A pure function: what was said before is what the caller hands in, and nothing else is remembered.
 *
 * @param said the fingerprints that stand in the session, in any order, those of other windows included
 * @returns `null` where there is nothing to say, and where window, reserve or usage is unknown
 */
export function countdown(said: readonly string[], input: CountdownInput): Announcement | null {
  const lines = thresholds(input);
  const remaining = remainingTokens(input);
  if (lines === null || remaining === null) return null;

  for (const kind of BY_URGENCY) {
    const fingerprint = fingerprintOf(kind, input);
    if (said.includes(fingerprint)) return null;
    const isOn = kind === "reset" ? input.autoReset !== false : lines[kind] > 0;
    if (isOn && remaining <= lines[kind]) return { kind, remainingTokens: remaining, fingerprint };
  }
  return null;
}

/** The id stands last, for it may hold anything; the margin is not in it, so that a changed setting repeats nothing. */
function fingerprintOf(kind: LineKind, { windowId, contextWindow, reserveTokens }: CountdownInput): string {
  return `${kind}/${contextWindow}/${reserveTokens}/${windowId}`;
}
