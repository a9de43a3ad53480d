import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { LiveSession } from "@notesoup/history";

/** The live session as Pi has it in memory, with the branch that is active in it: plain values. */
export function liveSessionOf(sessionManager: ExtensionContext["sessionManager"]): LiveSession {
  const header = sessionManager.getHeader();
  return {
    harness: "pi",
    id: sessionManager.getSessionId(),
    records: [...(header === null ? [] : [header]), ...sessionManager.getEntries()],
    head: sessionManager.getLeafId(),
  };
}
