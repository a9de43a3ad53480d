import type { SessionFacts } from "../transport/request.ts";
import type { Host } from "./host.ts";
import type { PluginSettings } from "./options.ts";

/**
 * What the session is right now: a `/clear` gives it another id, and a person may have changed the
 * model or gone back in the conversation. A subagent's are those of the session that has started it.
 */
export async function sessionFacts($: Host, { notesHome, agent }: PluginSettings): Promise<SessionFacts> {
  const [sessionId, baseCwd, model, info, messages] = await Promise.all([
    $.session.id(),
    $.session.root(),
    $.session.model(),
    $.session.info(),
    $.session.messages({ last: 1 }),
  ]);
  const head = messages.at(-1)?.uuid ?? null;
  return { sessionId, baseCwd, model, transcriptPath: info.transcriptPath, head, notesHome, agent };
}
