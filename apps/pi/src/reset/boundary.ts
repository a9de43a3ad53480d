import type { TurnEndEvent } from "@earendil-works/pi-coding-agent";
import { BOOT_TYPE, type BootDetails, CARRIED_TYPE, type CarriedDetails, type ResetDetails } from "../window.ts";
import type { Said } from "./words.ts";

/** What can be appended at the end of a turn. */
export type Draft = TurnEndEvent["entries"][number];

/**
 * The boundary of a reset: a compaction that keeps nothing, which is the marker, and the boot behind
 * it. The marker is first, so that what a crash leaves is either all of the old window, or a new one
 * whose boot is missing and can be made.
 */
export function resetDrafts(session: string, details: ResetDetails, boot: string): Draft[] {
  const bootDetails: BootDetails = { session, window: details.window };
  return [
    { type: "compaction", summary: summaryOf(details), firstKeptEntryId: null, details },
    { type: "custom_message", customType: BOOT_TYPE, content: boot, display: false, details: bootDetails },
  ];
}

/** What a person said while the window was being closed: it is said again where the model sees it. It is on the screen already. */
export function carriedDraft({ id, content }: Said): Draft {
  const details: CarriedDetails = { of: id };
  return { type: "custom_message", customType: CARRIED_TYPE, content, display: false, details };
}

/** The same in the window that is not emptied after all: behind what was said since, and no more where it stood. */
export function movedDrafts(words: readonly Said[]): Draft[] {
  return [
    ...words.map(({ id }): Draft => ({ type: "context_edit", targetId: id, replacement: null })),
    ...words.map(carriedDraft),
  ];
}

/** Pi knows a compaction again by its text: no two may have the same. */
function summaryOf({ window, by }: ResetDetails): string {
  const whose = { model: "the agent", person: "a person", budget: "the token budget", host: "the host" }[by];
  return `The context was emptied at the request of ${whose}; window ${window} begins. What was before is in the notes and in history.`;
}
