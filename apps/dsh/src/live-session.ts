import { homedir } from "node:os";
import { dirname } from "node:path";
import type { Context } from "@deepseek-ai/cordis";
import type { Agent } from "@deepseek-ai/dsh-agent";
import type { SessionLocation } from "@deepseek-ai/dsh-session-persistence";
import {
  createHistoryCorpus,
  defaultHistoryRoots,
  type HistoryRoots,
  type LiveSession,
  openLiveSession,
  type SessionCache,
} from "@notesoup/history";
import { historyToolContext, type HistoryToolContext } from "@notesoup/tools";

/**
 * A session as the host has it in memory: its file's header, and the events, of which the array that
 * is handed out never changes. A log has no branches: all of it is active.
 */
export function liveSessionOf({ session }: Pick<Agent, "session">): LiveSession {
  return {
    harness: "dsh",
    id: session.id,
    records: [{ type: "session", ...session.header }, ...session.events],
    head: undefined,
  };
}

/** What a call of the history can look into: the live session, and the sessions of every harness. */
export function liveHistory(ctx: Context, agent: Agent, cache: SessionCache): HistoryToolContext {
  const live = liveSessionOf(agent);
  const roots = rootsWith(folderOf(ctx, agent));
  return historyToolContext({
    live: () => openLiveSession(live),
    corpus: () => createHistoryCorpus({ roots, live, cache }),
  });
}

/** The folder in which the host keeps sessions, wherever that was set. */
function folderOf(ctx: Context, { session }: Agent): string | undefined {
  const location: SessionLocation | undefined = ctx.get("sessionPersistence")?.locate(session.header);
  // Of a session there is a folder, and of a project one around it.
  return location?.kind === "jsonl" ? dirname(dirname(dirname(location.path))) : undefined;
}

function rootsWith(own: string | undefined): HistoryRoots {
  const roots = defaultHistoryRoots({ home: homedir(), env: process.env });
  return { ...roots, dsh: [...new Set([...(roots.dsh ?? []), ...(own === undefined ? [] : [own])])] };
}
