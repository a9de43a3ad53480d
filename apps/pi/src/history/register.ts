import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { SessionCache } from "@notesoup/history";
import { historyListTool, historyReadTool } from "@notesoup/protocol";
import { historyList, historyRead, type HistoryToolContext } from "@notesoup/tools";
import { READS, registerTool, type ToolGroup } from "../tool-offer.ts";
import { liveHistory } from "./live-history.ts";

/** Registers the history tools. What the session is, and where its branch ends, is read anew at each call. */
export function registerHistoryTools(pi: ExtensionAPI): void {
  const cache = new SessionCache();
  const history: ToolGroup<HistoryToolContext> = {
    namespace: {
      name: "history",
      description: "What happened: every session of Pi, Claude Code and dsh on this machine, as events.",
    },
    contextOf: (_pi, ctx) => liveHistory(ctx, cache),
  };
  registerTool(pi, history, {
    contract: historyListTool,
    label: "List history",
    snippet: "List or search what happened in this session or another one",
    guideline:
      "Use history_list when you need what was said or done before and no longer see it: a command, an output, an error, a decision.",
    annotations: READS,
    operation: historyList,
    subject: ({ session, query = "" }) =>
      [session, [query].flat().join(" | ")].filter((part) => part !== undefined && part !== "").join(" · ") ||
      "this session",
  });
  registerTool(pi, history, {
    contract: historyReadTool,
    label: "Read history",
    snippet: "Read one event of a session in full",
    guideline: "Use history_read with a seq from history_list; go on at next_offset_chars where an event is cut.",
    annotations: READS,
    operation: historyRead,
    subject: ({ session, seq }) =>
      `${session === undefined ? "" : `${session} · `}${seq === undefined ? "…" : `seq ${seq}`}`,
  });
}
