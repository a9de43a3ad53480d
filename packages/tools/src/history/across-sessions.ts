import { type HistoryQuery, listAcrossSessions, type WildcardPage } from "@notesoup/history";
import type { HistoryListResult } from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import type { Answer, Decorate } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { largestListing, type ListingSize } from "../listing-size.ts";
import { Refused } from "../refused.ts";
import { pageTooLarge } from "./page-too-large.ts";
import { wireRow } from "./row.ts";
import type { SeveralSessions } from "./session-of-call.ts";
import { nameable, unreadableFields } from "./unreadable.ts";

/**
 * What several sessions have of a query, or an event of each: as many rows as both forms of the result
 * can hold. What was left out is counted, as far as it is known.
 *
 * @throws Refused `wildcard_bounds`, `page_too_large`
 */
export async function acrossSessions(
  { corpus, wildcard: { harness } }: SeveralSessions,
  { afterSeq, beforeSeq, ...query }: HistoryQuery,
  decorate: Decorate,
): Promise<Answer<HistoryListResult>> {
  if (afterSeq !== undefined || beforeSeq !== undefined)
    throw new Refused(
      "wildcard_bounds",
      "after_seq and before_seq count the events of one session, and the call is for several; name one, or leave the bounds out",
    );
  const page = await listAcrossSessions(corpus, { ...query, harness });
  const items = page.rows.map((row) => wireRow(row, row.session));
  const answerOf = ({ rows, named }: ListingSize): Answer<HistoryListResult> | undefined => {
    const data: HistoryListResult = {
      items: items.slice(0, rows),
      page_older: null,
      page_newer: null,
      ...moreField(page, items.length - rows, query.queries.length > 0),
      ...unreadableFields(page.unreadable, named),
    };
    return deliver(data, renderHistoryList, decorate);
  };
  const most: ListingSize = { rows: items.length, named: nameable(page.unreadable) };
  const size = largestListing(most, (candidate) => answerOf(candidate) !== undefined);
  const answer = size && answerOf(size);
  if (answer === undefined) throw pageTooLarge();
  return answer;
}

/** @param cut how many rows the budget left out: a hit each, or, without a search, a session each */
function moreField(
  { moreSessions, hasMoreHits }: WildcardPage,
  cut: number,
  isSearch: boolean,
): Pick<HistoryListResult, "more"> {
  const sessions = moreSessions + (isSearch ? 0 : cut);
  // Where there is more to read, nobody knows how many hits that has.
  const isUnread = hasMoreHits || (cut > 0 && moreSessions > 0);
  const hits = isSearch && (isUnread || cut);
  if (sessions === 0 && !hits) return {};
  return { more: { ...(sessions === 0 ? {} : { sessions }), ...(hits ? { hits } : {}) } };
}
