import { homedir } from "node:os";
import { join } from "node:path";
import { type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import {
  createHistoryCorpus,
  defaultHistoryRoots,
  type HistoryRoots,
  openLiveSession,
  type SessionCache,
} from "@notesoup/history";
import { historyToolContext, type HistoryToolContext } from "@notesoup/tools";
import { liveSessionOf } from "./live-session.ts";

/**
 * What a call can look into: the live session as Pi has it in memory, with the branch that is active
 * in it, and the sessions of every harness. Plain values, so that nothing of the session is touched
 * after the first `await`.
 */
export function liveHistory({ sessionManager }: ExtensionContext, cache: SessionCache): HistoryToolContext {
  const live = liveSessionOf(sessionManager);
  const roots = rootsWith(sessionManager.getSessionDir());
  return historyToolContext({
    live: () => openLiveSession(live),
    corpus: () => createHistoryCorpus({ roots, live, cache }),
  });
}

/** Where the harnesses keep their sessions, and where Pi keeps those of this project, wherever that was set. */
function rootsWith(sessionDir: string): HistoryRoots {
  const roots = defaultHistoryRoots({ home: homedir(), env: process.env });
  // Pi says itself where it keeps things: in what it is told a `~` stands for the home.
  const own = [join(getAgentDir(), "sessions"), ...(sessionDir === "" ? [] : [sessionDir])];
  return { ...roots, pi: [...new Set([...(roots.pi ?? []), ...own])] };
}
