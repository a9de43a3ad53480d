import type { Context } from "@deepseek-ai/cordis";
import type { Agent } from "@deepseek-ai/dsh-agent";
import type { ToolDefinition } from "@deepseek-ai/dsh-tools";
import { SessionCache } from "@notesoup/history";
import { historyListTool, historyReadTool } from "@notesoup/protocol";
import { renderHistoryList, renderHistoryRead } from "@notesoup/render";
import { historyList, historyRead, type HistoryToolContext } from "@notesoup/tools";
import { liveHistory } from "../live-session.ts";
import { toolDefinition } from "./offer.ts";

/** The history tools. What has happened is read from the live session at each call. */
export function historyTools(ctx: Context): readonly ToolDefinition[] {
  const cache = new SessionCache();
  const contextOf = (agent: Agent): HistoryToolContext => liveHistory(ctx, agent, cache);
  return [
    toolDefinition({
      contract: historyListTool,
      contextOf,
      operation: historyList,
      render: renderHistoryList,
      kind: "search",
      subject: ({ session, query = "" }) =>
        [session, [query].flat().join(" | ")].filter((part) => part !== undefined && part !== "").join(" · ") ||
        "this session",
    }),
    toolDefinition({
      contract: historyReadTool,
      contextOf,
      operation: historyRead,
      render: renderHistoryRead,
      kind: "read",
      subject: ({ session, seq }) =>
        `${session === undefined ? "" : `${session} · `}${seq === undefined ? "…" : `seq ${seq}`}`,
    }),
  ];
}
