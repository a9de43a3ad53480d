import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerNotesTools } from "./notes/register.ts";
import { warnOfSettings } from "./settings.ts";

/** The extension as Pi loads it. */
export default function notesoup(pi: ExtensionAPI): void {
  registerNotesTools(pi);
  pi.on("session_start", (_event, ctx) => {
    warnOfSettings(pi, ctx);
  });
}
