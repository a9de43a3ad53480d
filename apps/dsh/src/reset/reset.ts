import type { Context } from "@deepseek-ai/cordis";
import type { Agent } from "@deepseek-ai/dsh-agent";
import type { CompactionResult } from "@deepseek-ai/dsh-compaction";
import { openLiveSession } from "@notesoup/history";
import { historyReadTool } from "@notesoup/protocol";
import { bootText } from "../boot.ts";
import type { House } from "../house.ts";
import { liveSessionOf } from "../live-session.ts";
import type { ResetBy } from "../marker.ts";
import type { DshSettings } from "../settings.ts";
import { currentWindow, nextWindowId } from "../window.ts";
import { asked, type CommandId, emptyWindow, openTurn } from "./boundary.ts";

/** What a reset is about. */
export interface ResetRequest {
  readonly by: ResetBy;
  /** Work is under way, which the model goes on with in the new window. */
  readonly goesOn: boolean;
  readonly sourceCommandId?: CommandId | undefined;
  /** Whoever stops the work does not agree to the reset. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ends the window: the next one begins with a boot, and in a subagent with what it was asked for.
 *
 * @returns `null` where nothing was to be emptied
 * @throws what keeps the boot from being made, and what the signal was aborted with; the window is as it was then
 */
export async function reset(
  ctx: Context,
  house: House,
  agent: Agent,
  { by, goesOn, sourceCommandId, signal }: ResetRequest,
): Promise<CompactionResult | null> {
  const { session } = agent;
  if (!currentWindow(session).isUsed) return null;
  const settings = house.notes ?? house.engine;
  if (settings === undefined) return null;
  const window = nextWindowId(session);
  const isBoot = session.header.origin !== "subagent";
  const text = isBoot ? await bootOf(agent, settings, house, window) : SUBAGENT;
  signal?.throwIfAborted();
  // By the model's own wish nothing is said again: it has written down what it goes on with, and a boot shows it.
  const isCarried = goesOn && (by !== "model" || !isBoot);
  const pointer = isCarried && house.notes !== undefined ? pointerToTask(agent) : "";
  return emptyWindow(
    session,
    {
      text: text + pointer,
      marker: isBoot ? { what: "boot", session: session.id, window, by } : { what: "emptied", session: session.id, by },
      turn: openTurn(session),
      sourceCommandId,
      carried: isCarried ? asked(session) : [],
    },
    ctx.get("tokenMeter")?.measure(session).surfaceTokens ?? 0,
  );
}

const SUBAGENT =
  "Your context window has been emptied in the middle of work. What you were asked for follows; what you have done about it is not lost, but is no more to be seen here.";

function bootOf(agent: Agent, settings: DshSettings, house: House, id: string): Promise<string> {
  return bootText(agent, settings, { id, begins: "here" }, house.notes !== undefined);
}

/** Where the work stands of which a window without a close-out has left nothing. */
function pointerToTask(agent: Agent): string {
  const { events } = openLiveSession(liveSessionOf(agent));
  let place = events.length - 1;
  while (place >= 0 && events.at(place)?.role !== "user") place--;
  const said = place < 0 ? undefined : events.at(place);
  if (said === undefined) return "";
  return `\n\nThe window before this one was emptied in the middle of work. Go on with that: what was asked last is ${historyReadTool.name} ${JSON.stringify({ seq: said.seq })}, and what was done about it came after it.`;
}
