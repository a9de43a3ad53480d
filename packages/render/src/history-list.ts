import type { HistoryEventRow, HistoryFoldedRow, HistoryListResult, HistoryPage } from "@notesoup/protocol";
import { oneLine, printable } from "@notesoup/text";
import { counted, damageLines, eventHeader, sessionColumn } from "./history-event.ts";

/**
 * A page of the history, or what a search of it found: a line for each event with its text indented
 * below it, one line for a folded run, then the calls for further pages, what was left out, and what
 * could not be read. Unlike in a read, text is escaped so that it stays below its line.
 */
export function renderHistoryList(result: HistoryListResult): string {
  const { session, items, page_older: older, page_newer: newer, more, damage } = result;
  const leftOut = leftOutLines(more);
  return [
    ...(items.length === 0 && leftOut.length === 0 ? ["no events found"] : []),
    ...items.flatMap((item) => ("folded" in item ? foldedLine(item, session) : eventLines(item, session))),
    ...pageLines("older", older),
    ...pageLines("newer", newer),
    ...leftOut,
    ...unreadableLines(result),
    ...damageLines(damage),
  ].join("\n");
}

function eventLines(row: HistoryEventRow, listed: string | undefined): string[] {
  const session = row.session ?? listed;
  const event = session === undefined ? row : { ...row, session };
  return [eventHeader(event, matchFacts(row)), ...textLines(row.text), ...restLines(row, session)];
}

/** Where the hit is, and the bounds between which its surroundings can be listed. */
function matchFacts({ match_offset_chars: offset, neighborhood }: HistoryEventRow): string[] {
  return [
    ...(offset === undefined ? [] : [`match at offset_chars ${offset}`]),
    ...(neighborhood === undefined
      ? []
      : [`around it after_seq=${neighborhood.after_seq} before_seq=${neighborhood.before_seq}`]),
  ];
}

function textLines(text: string): string[] {
  if (text === "") return [];
  const lines = printable(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

function restLines({ seq, more_chars: more = 0 }: HistoryEventRow, session: string | undefined): string[] {
  if (more === 0) return [];
  const named = session === undefined ? "" : ` session=${oneLine(session)}`;
  return [`  [+${counted(more, "char")}; history_read seq=${seq}${named}]`];
}

function foldedLine({ folded, expand }: HistoryFoldedRow, session: string | undefined): string {
  const tools = Object.entries(folded.tools)
    .map(([tool, events]) => `${oneLine(tool)} ${events}`)
    .join(", ");
  return [
    ...sessionColumn(session),
    `seq ${folded.from_seq}–${folded.to_seq}`,
    `${counted(folded.events, "event")} folded`,
    ...(tools === "" ? [] : [tools]),
    `expand: ${call(expand)}`,
  ].join(" | ");
}

function pageLines(which: string, page: HistoryPage | null): string[] {
  return page === null ? [] : [`${which}: ${call(page)}`];
}

/** A call of `history_list` as a model writes it. */
function call(recipe: object): string {
  return `history_list ${oneLine(JSON.stringify(recipe))}`;
}

function leftOutLines({ sessions = 0, hits = 0 }: HistoryListResult["more"] = {}): string[] {
  return [...(sessions === 0 ? [] : [`+${counted(sessions, "more session")}`]), ...hitsLines(hits)];
}

/** `true` stands for hits that are not counted, for counting them would mean reading on. */
function hitsLines(hits: number | true): string[] {
  if (hits === true) return ["more hits"];
  return hits === 0 ? [] : [`+${counted(hits, "more hit")}`];
}

function unreadableLines({
  sessions_unreadable: sessions = [],
  more_unreadable: moreUnreadable = 0,
}: HistoryListResult): string[] {
  return [
    ...sessions.map(({ session, code }) => `unreadable session ${oneLine(session)} · ${oneLine(code)}`),
    ...(moreUnreadable === 0 ? [] : [`+${moreUnreadable} more unreadable`]),
  ];
}
