import type { Agent } from "@deepseek-ai/dsh-agent";
import { isCheckpoint } from "../window.ts";
import { isOurs } from "./boundary.ts";

/** The reset that a crash has cut off. */
export type Cut = "before the new window" | "behind it";

const looked = new WeakSet<Agent>();

/**
 * Closes a boundary of ours that a crash has cut, once in the life of an agent: the log shows it as
 * going on until then.
 *
 * @returns where it was cut; `undefined` where none was
 */
export function repairBoundary(agent: Agent): Cut | undefined {
  if (looked.has(agent)) return undefined;
  looked.add(agent);
  const { session } = agent;
  const last = session.events.findLast(({ type }) => type === "compaction/start" || type === "compaction/end");
  if (last?.type !== "compaction/start" || !isOurs(last.data.compactionId)) return undefined;
  const { compactionId, sourceCommandId, turn } = last.data;
  const life = { compactionId, ...(sourceCommandId !== undefined && { sourceCommandId }), turn };
  if (session.events.slice(last.seq).some(isCheckpoint)) {
    session.append("compaction/end", life);
    return "behind it";
  }
  session.append("compaction/end", { ...life, error: "the process ended in the middle of it" });
  return "before the new window";
}
