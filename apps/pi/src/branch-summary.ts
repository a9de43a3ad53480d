import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { isOn } from "./switch.ts";
import { isWindowStart } from "./window.ts";

/** What stands for a branch that is left and goes over a reset. */
const SUMMARY =
  "The branch that was left goes over a reset of the context. Nothing of what was said before that reset is carried over; what was written down there is in the notes.";

/** A summary of a branch that is left never carries text from before a reset back into the context. */
export function registerBranchSummary(pi: ExtensionAPI): void {
  pi.on("session_before_tree", ({ preparation }, ctx) => {
    if (!preparation.userWantsSummary || !isOn(pi, ctx)) return undefined;
    return preparation.entriesToSummarize.some(isWindowStart) ? { summary: { summary: SUMMARY } } : undefined;
  });
}
