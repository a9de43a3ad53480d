import { again } from "@notesoup/history";
import type { HistoryReadArguments, HistoryReadResult } from "@notesoup/protocol";
import { renderHistoryRead } from "@notesoup/render";
import type { Answer } from "../answer.ts";
import { requireWhole } from "../arguments.ts";
import { deliver } from "../delivery.ts";
import { largestWindow, requireWindow } from "../read-window.ts";
import { answering, Refused } from "../refused.ts";
import type { HistoryToolContext } from "./context.ts";
import { damageField, eventFields } from "./row.ts";
import { type OneSession, sessionOfCall } from "./session-of-call.ts";

/**
 * `history_read`: delivers as much of the requested range of an event's document as both forms of the
 * result can hold. Positions count code points of the document.
 *
 * Refuses with `invalid_range` (a number that is not whole, `limit_chars` below 1), `seq_not_found`,
 * `session_not_found` (also for several sessions), `ambiguous_session`, `session_unreadable`,
 * `invalid_text` and `output_too_large`.
 */
export function historyRead(
  context: HistoryToolContext,
  args: HistoryReadArguments,
): Promise<Answer<HistoryReadResult>> {
  return answering(async () => {
    requireWhole("seq", args.seq);
    requireWindow(args);
    return again(async () => {
      const chosen = await sessionOfCall(context, args.session);
      if ("wildcard" in chosen)
        throw new Refused("session_not_found", "session names several; an event is read from one: name that");
      return fitted(context, chosen, args);
    });
  });
}

function fitted(
  { decorate }: HistoryToolContext,
  { session, name }: OneSession,
  args: HistoryReadArguments,
): Answer<HistoryReadResult> {
  const event = session.event(args.seq);
  const nested = event.tool?.nested;
  const known = {
    ...eventFields(event, name),
    ...(nested === undefined ? {} : { nested_calls: { call_count: nested.callCount, complete: nested.complete } }),
  };
  const damage = damageField(session);
  const answer = largestWindow(session.document(event), args, (window) =>
    deliver<HistoryReadResult>({ ...known, ...window, ...damage }, renderHistoryRead, decorate),
  );
  if (answer === undefined) {
    throw new Refused(
      "output_too_large",
      `seq ${args.seq} cannot be delivered: what is known of it beside its text, or what the host adds, leaves no room in the output budget for one character; make the host add less`,
    );
  }
  return answer;
}
