import { again } from "@notesoup/history";
import type { HistoryListArguments, HistoryListResult } from "@notesoup/protocol";
import type { Answer } from "../answer.ts";
import { answering } from "../refused.ts";
import { acrossSessions } from "./across-sessions.ts";
import type { HistoryToolContext } from "./context.ts";
import { listQuery } from "./list-query.ts";
import { sessionOfCall } from "./session-of-call.ts";
import { sessionPage } from "./session-page.ts";

/**
 * `history_list`: a page of one session's events, or what was found in several sessions.
 *
 * Refuses with `invalid_range`, `invalid_time`, `invalid_text`, `wildcard_bounds`, `session_not_found`,
 * `ambiguous_session`, `session_unreadable` and `page_too_large`.
 */
export function historyList(
  context: HistoryToolContext,
  args: HistoryListArguments,
): Promise<Answer<HistoryListResult>> {
  return answering(async () => {
    const query = listQuery(args);
    return again(async () => {
      const chosen = await sessionOfCall(context, args.session);
      return "wildcard" in chosen
        ? acrossSessions(chosen, query, context.decorate)
        : sessionPage(chosen, query, context.decorate);
    });
  });
}
