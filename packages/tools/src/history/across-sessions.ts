import { type HistoryQuery, listAcrossSessions, type WildcardPage } from "@notesoup/history";
import type { HistoryItem, HistoryListResult } from "@notesoup/protocol";
import { renderHistoryList } from "@notesoup/render";
import type { Answer, Decorate } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { largestListing, type ListingSize } from "../listing-size.ts";
import { Refused } from "../refused.ts";
import { pageTooLarge } from "./page-too-large.ts";
import { wireRow } from "./row.ts";
import type { SeveralSessions } from "./session-of-call.ts";
import { nameable, unreadableFields, type UnshownSession } from "./unreadable.ts";

/**
 * What several sessions have of a query, or an event of each: as many rows as both forms of the result
 * can hold. What was left out is counted, as far as it is known. A row that does not even fit alone is
 * left out, and its session named.
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
  const listed = (
    shown: readonly HistoryItem[],
    unshown: readonly UnshownSession[],
  ): Answer<HistoryListResult> | undefined => {
    const answerOf = ({ rows, named }: ListingSize): Answer<HistoryListResult> | undefined => {
      const data: HistoryListResult = {
        items: shown.slice(0, rows),
        page_older: null,
        page_newer: null,
        ...moreField(page, shown.length - rows, query.queries.length > 0),
        ...unreadableFields(unshown, named),
      };
      return deliver(data, renderHistoryList, decorate);
    };
    const most: ListingSize = { rows: shown.length, named: nameable(unshown) };
    const size = largestListing(most, (candidate) => answerOf(candidate) !== undefined);
    return size && answerOf(size);
  };
  const isWhole = (item: HistoryItem): boolean => {
    const alone: HistoryListResult = { items: [item], page_older: null, page_newer: null };
    return deliver(alone, renderHistoryList, decorate) !== undefined;
  };
  // A row that cannot be shown by itself must not stand before the others: there is no bound to go past it.
  const shown = items.filter(isWhole);
  const tooLarge = new Set(
    page.rows.filter((_, index) => !shown.includes(items[index] as HistoryItem)).map(({ session }) => session),
  );
  const unshown = [...tooLarge].map((session) => ({ session, code: "page_too_large" }));
  if (shown.length === 0 && items.length > 0) throw pageTooLarge();
  const answer = listed(shown, [...unshown, ...page.unreadable]);
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
