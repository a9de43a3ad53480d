import type { DreamOptions } from "./options.ts";
import type { DreamRecord } from "./record.ts";

/** How many sessions were active since the last dream that were no dreams. */
export async function countSessions(
  { sessions, session }: Pick<DreamOptions, "sessions" | "session">,
  { lastDream, sessions: dreams }: DreamRecord,
): Promise<number> {
  const since = lastDream?.time ?? Number.NEGATIVE_INFINITY;
  const all = (await sessions?.()) ?? [];
  return all.filter(({ name, lastActivity }) => lastActivity > since && name !== session && !dreams.includes(name))
    .length;
}

/**
 * When the last run ended. One that was stopped by its own fault counts, so that it is not begun again at
 * once; one that was cancelled or died with its host does not.
 */
export function lastTime({ lastDream, lastStopped }: DreamRecord): number | undefined {
  const times = [lastDream?.time, lastStopped?.mayRetry === true ? undefined : lastStopped?.time].filter(
    (time) => time !== undefined,
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
