import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerHistoryTools } from "./history/register.ts";
import { registerNotesTools } from "./notes/register.ts";
import { warnOfSettings } from "./settings.ts";

/** The extension as Pi loads it. */
export default function notesoup(pi: ExtensionAPI): void {
  registerNotesTools(pi);
  registerHistoryTools(pi);
  pi.on("session_start", (_event, ctx) => {
    warnOfSettings(pi, ctx);
  });
}
