import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { openLiveSession } from "@notesoup/history";
import { liveSessionOf } from "../history/live-session.ts";
import { BOOT_TOOLS } from "../tool-names.ts";

/**
 * Where a task stands of which a window without a close-out has left nothing.
 *
 * @param carried how many of the last things that a person said are said again anyway
 */
export function pointerToTask({ sessionManager }: ExtensionContext, carried: number): string {
  const { events } = openLiveSession(liveSessionOf(sessionManager));
  let left = carried;
  let place = events.length - 1;
  while (place >= 0 && (events.at(place)?.role !== "user" || left-- > 0)) place--;
  const said = place < 0 ? undefined : events.at(place);
  if (said === undefined) return "";
  return `\n\nThe window before this one was emptied in the middle of work, without notes of it. Go on with that: what a person said last is ${BOOT_TOOLS.historyRead} ${JSON.stringify({ seq: said.seq })}, and what was done about it came after it.`;
}
