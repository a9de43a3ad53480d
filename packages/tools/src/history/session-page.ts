import { type HistoryQuery, type HistoryRow, listEvents } from "@notesoup/history";
import type { HistoryListResult } from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import { largestFitting } from "@notesoup/text";
import type { Answer, Decorate } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { pageTooLarge } from "./page-too-large.ts";
import { pageRecipe, sessionField } from "./recipes.ts";
import { damageField, wireRow } from "./row.ts";
import type { OneSession } from "./session-of-call.ts";

/**
 * A page of one session: as many rows from the end that `from` counts from as both forms of the result
 * can hold, and the recipe that lists the others of the call's range.
 *
 * @throws Refused `page_too_large`
 */
export async function sessionPage(
  { session, name }: OneSession,
  query: HistoryQuery,
  decorate: Decorate,
): Promise<Answer<HistoryListResult>> {
  const { rows, hasMore } = await listEvents(session, query);
  const isNewest = query.from === "newest";
  const items = rows.map((row) => wireRow(row, name));
  const oneBehindLast = (session.events.at(-1)?.seq ?? -1) + 1;
  const { afterSeq = -1, beforeSeq = oneBehindLast } = query;

  const answerOf = (count: number): Answer<HistoryListResult> | undefined => {
    const start = isNewest ? rows.length - count : 0;
    const [first, last] = [rows[start], rows[start + count - 1]];
    const isWhole = first === undefined || last === undefined || (count === rows.length && !hasMore);
    const older = isWhole || !isNewest ? null : pageRecipe(name, "newest", afterSeq, firstSeq(first));
    const newer = isWhole || isNewest ? null : pageRecipe(name, "oldest", lastSeq(last), beforeSeq);
    const data: HistoryListResult = {
      ...sessionField(name),
      items: items.slice(start, start + count),
      page_older: older,
      page_newer: newer,
      ...damageField(session),
    };
    return deliver(data, renderHistoryList, decorate);
  };

  const count = largestFitting(rows.length, (candidate) => answerOf(candidate) !== undefined);
  const answer = count === 0 && rows.length > 0 ? undefined : answerOf(count);
  if (answer === undefined) throw pageTooLarge(bypass(rows, isNewest));
  return answer;
}

/** The bound that leaves out the row that does not fit. */
function bypass(rows: readonly HistoryRow[], isNewest: boolean): string | undefined {
  const row = isNewest ? rows.at(-1) : rows[0];
  if (row === undefined) return undefined;
  return isNewest ? `before_seq=${firstSeq(row)}` : `after_seq=${lastSeq(row)}`;
}

function firstSeq(row: HistoryRow): number {
  return row.kind === "folded" ? row.fromSeq : row.event.seq;
}

function lastSeq(row: HistoryRow): number {
  return row.kind === "folded" ? row.toSeq : row.event.seq;
}
