import { remainingTokens, usedTokensOf } from "@notesoup/budget";
import type { Agent } from "@deepseek-ai/dsh-agent";
import { currentWindow } from "../window.ts";
import type { Usage } from "./usage.ts";

/**
 * Whether to empty the window helps. Not where it was emptied for its tokens already, and had no room
 * from its first answer on: its head alone is more than there is, and that of the next one would be.
 */
export function hasRoom({ session }: Agent, usage: Usage): boolean {
  const { resetBy } = currentWindow(session);
  if (resetBy !== "budget" && resetBy !== "host") return true;
  return remainingTokens({ ...usage, usedTokens: firstFigure(session) }) !== 0;
}

/** Tokens that the first answer of the window was made from; `null` before it. */
function firstFigure(session: Agent["session"]): number | null {
  for (const seq of session.surface.nodes) {
    const event = session.events[seq];
    if (event?.type !== "assistant/message" || event.data.usage === undefined) continue;
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = event.data.usage;
    return usedTokensOf({
      input: inputTokens,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
      output: outputTokens,
    });
  }
  return null;
}
