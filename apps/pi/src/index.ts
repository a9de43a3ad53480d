import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerBranchSummary } from "./branch-summary.ts";
import { registerRemainingTool } from "./budget/remaining-tool.ts";
import { registerStatus } from "./budget/status.ts";
import { UsageMeter } from "./budget/usage.ts";
import { registerCommands } from "./commands.ts";
import { registerHistoryTools } from "./history/register.ts";
import { registerNotesTools } from "./notes/register.ts";
import { registerReset } from "./reset/register.ts";
import { warnOfSettings } from "./settings.ts";

/** The extension as Pi loads it, anew for each session. */
export default function notesoup(pi: ExtensionAPI): void {
  pi.on("session_start", (_event, ctx) => warnOfSettings(pi, ctx));
  registerNotesTools(pi);
  registerHistoryTools(pi);
  const meter = new UsageMeter(pi);
  registerRemainingTool(pi, meter);
  const askForReset = registerReset(pi, meter);
  registerBranchSummary(pi);
  registerCommands(pi, meter, askForReset);
  registerStatus(pi, meter);
}
