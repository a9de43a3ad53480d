import { type BootTools, renderBoot, takeBootSnapshot } from "@notesoup/boot";
import { HistoryError, openLiveSession, type Session } from "@notesoup/history";
import type { BootAnswer } from "../transport/answer.ts";
import type { BootRequest, SessionFacts } from "../transport/request.ts";
import { toolName } from "../transport/tool-names.ts";
import { liveSession } from "./history.ts";
import { notesIdentity } from "./notes-identity.ts";

/** The tools of which a boot speaks. */
const BOOT_TOOLS: BootTools = {
  notesRead: toolName("notes_read"),
  notesWrite: toolName("notes_write"),
  notesUpdate: toolName("notes_update"),
  notesList: toolName("notes_list"),
  notesSearch: toolName("notes_search"),
  historyList: toolName("history_list"),
  historyRead: toolName("history_read"),
  remaining: toolName("get_context_remaining"),
};

/**
 * Makes the text with which a window begins.
 *
 * @throws BadSetting
 */
export async function boot({ session, begins }: BootRequest): Promise<BootAnswer> {
  const identity = notesIdentity(session);
  const live = await sessionSoFar(session);
  const all = live?.windows ?? [];
  const windows = begins === "here" ? all : all.slice(0, -1);
  const windowId = `${session.sessionId}:${windows.length + 1}`;
  const snapshot = await takeBootSnapshot({
    identity,
    capturedAt: Date.now(),
    // Of a session that keeps no transcript nobody knows the windows.
    ...(live === undefined ? {} : { session: { windowId, windows } }),
  });
  return {
    kind: "boot",
    text: renderBoot(snapshot, { tools: BOOT_TOOLS }),
    windowId,
    lastPromptSeq: live === undefined ? null : lastPromptSeq(live),
  };
}

/** The session until now; nothing where its transcript is not kept, or has vanished: the notes are there all the same. */
async function sessionSoFar(session: SessionFacts): Promise<Session | undefined> {
  if (session.transcriptPath === "") return undefined;
  try {
    return openLiveSession(await liveSession(session));
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}

function lastPromptSeq({ events }: Session): number | null {
  for (let place = events.length - 1; place >= 0; place--) {
    const event = events.at(place);
    if (event?.role === "user") return event.seq;
  }
  return null;
}
