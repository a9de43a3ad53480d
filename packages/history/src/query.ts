import { countCodePoints, unitIndexAfter } from "@notesoup/text";
import type { SessionEvent } from "./event.ts";
import { type Finder, finderOf, searchedFor } from "./matcher.ts";
import { rawPatternOf } from "./raw-pattern.ts";
import type { Session } from "./session.ts";
import { Slices } from "./slices.ts";
import type { Role } from "./wire/wire.ts";

/** Which events of a session are wanted, and how many. */
export interface HistoryQuery {
  /** Literal texts of which a document has to hold one; case does not count, empty ones are ignored. */
  readonly queries: readonly string[];
  /** Absent or empty: all. */
  readonly roles?: readonly Role[] | undefined;
  /** Exclusive. */
  readonly afterSeq?: number | undefined;
  /** Exclusive. */
  readonly beforeSeq?: number | undefined;
  /** Milliseconds since 1970, inclusive. An event without a time matches neither this nor `until`. */
  readonly since?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly until?: number | undefined;
  /** The end of the range from which `limit` counts. */
  readonly from: "newest" | "oldest";
  /** How many rows at the most. */
  readonly limit: number;
  /** Code points of a document that a row carries at the most. */
  readonly maxChars: number;
  /** Whether a hit counts, by its event and document; each does if absent. */
  readonly counts?: ((event: SessionEvent, document: string) => boolean) | undefined;
  /** Nothing is folded, whatever is asked for. */
  readonly isFlat?: boolean | undefined;
}

/** An event with as much of its document as was asked for. */
export interface EventRow {
  readonly kind: "event";
  readonly event: SessionEvent;
  /** The beginning of the document; of a hit, the part around its first match. */
  readonly text: string;
  /** Code points of the document that are not in `text`. */
  readonly moreChars: number;
  /** Of a hit: where its first match begins in the document, in code points. */
  readonly matchOffsetChars?: number;
}

/** Executions and context that follow one another, as one row. */
export interface FoldedRow {
  readonly kind: "folded";
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly events: number;
  /** How many events there are of each tool; those of context under `context`. */
  readonly tools: Readonly<Record<string, number>>;
}

/** A row of a page. */
export type HistoryRow = EventRow | FoldedRow;

/** Some of the rows of a range, ascending by seq. */
export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** Whether the range has rows beside these: older ones where the page counts from the newest, else newer ones. */
  readonly hasMore: boolean;
}

/** What a row is made of before its text is. */
type Candidate = readonly [SessionEvent, ...SessionEvent[]];

/**
 * A page of a session's events. Without roles and without a text to search for, executions and
 * context that follow one another are folded into one row.
 */
export async function listEvents(session: Session, query: HistoryQuery): Promise<HistoryPage> {
  const texts = searchedFor(query.queries);
  const inRange = session.events.filter((event) => isWanted(event, query));
  const find = finderOf(texts);
  const isFolded = find === undefined && (query.roles ?? []).length === 0 && query.isFlat !== true;
  const candidates = await candidatesOf(session, inRange, texts, isFolded);
  if (query.from === "newest") candidates.reverse();
  const rows: HistoryRow[] = [];
  const slices = new Slices();
  for (const candidate of candidates) {
    if (slices.isOver) await slices.next();
    const row = rowOf(session, candidate, find, query);
    if (row === undefined) continue;
    if (rows.length === query.limit) return { rows: ascending(rows, query.from), hasMore: true };
    rows.push(row);
  }
  return { rows: ascending(rows, query.from), hasMore: false };
}

function isWanted(event: SessionEvent, query: HistoryQuery): boolean {
  const { roles = [], afterSeq, beforeSeq, since, until } = query;
  const { seq, role, time } = event;
  if (roles.length > 0 && !roles.includes(role)) return false;
  if (afterSeq !== undefined && seq <= afterSeq) return false;
  if (beforeSeq !== undefined && seq >= beforeSeq) return false;
  if (since === undefined && until === undefined) return true;
  return time !== null && (since === undefined || time >= since) && (until === undefined || time < until);
}

async function candidatesOf(
  session: Session,
  events: readonly SessionEvent[],
  texts: readonly string[],
  isFolded: boolean,
): Promise<Candidate[]> {
  if (isFolded) return folded(events);
  const possible = texts.length === 0 ? undefined : await session.candidates(rawPatternOf(texts));
  return events.filter(({ seq }) => possible === undefined || possible.has(seq)).map((event): Candidate => [event]);
}

/** Puts together what is folded: everything between two messages of a person or the model. */
function folded(events: readonly SessionEvent[]): Candidate[] {
  const rows: [SessionEvent, ...SessionEvent[]][] = [];
  for (const event of events) {
    const last = rows.at(-1);
    if (last !== undefined && isFoldable(event) && isFoldable(last[0])) last.push(event);
    else rows.push([event]);
  }
  return rows;
}

function isFoldable({ role }: SessionEvent): boolean {
  return role === "tool" || role === "context";
}

/** @returns `undefined` where the text that is searched for is not in the document, or does not count there */
function rowOf(
  session: Session,
  candidate: Candidate,
  find: Finder | undefined,
  { maxChars, counts }: HistoryQuery,
): HistoryRow | undefined {
  const [event, ...others] = candidate;
  // A fold of one event is the event.
  if (others.length > 0) return foldedRow(candidate);
  if (find === undefined) return eventRow(event, session.document(event), undefined, maxChars);
  // Whoever searches has just asked for the text: that call is no answer to itself.
  if (event.tool?.status === "pending") return undefined;
  const document = session.document(event);
  const match = find(document);
  return match === -1 || counts?.(event, document) === false ? undefined : eventRow(event, document, match, maxChars);
}

/** How much of a row's text stands before a match: enough to see what it belongs to. */
const SHARE_BEFORE_MATCH = 4;

/** @param match where the first match begins, in UTF-16 units */
function eventRow(event: SessionEvent, document: string, match: number | undefined, maxChars: number): EventRow {
  const total = countCodePoints(document);
  const matchChars = match === undefined ? 0 : countCodePoints(document.slice(0, match));
  const startChars = Math.max(0, Math.min(matchChars - Math.floor(maxChars / SHARE_BEFORE_MATCH), total - maxChars));
  const start = unitIndexAfter(document, startChars);
  const text = document.slice(start, unitIndexAfter(document, maxChars, start));
  const found = match === undefined ? {} : { matchOffsetChars: matchChars };
  return { kind: "event", event, text, moreChars: Math.max(0, total - maxChars), ...found };
}

function foldedRow(events: Candidate): FoldedRow {
  const counts = new Map<string, number>();
  for (const { tool } of events) {
    const name = tool?.tool ?? "context";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const last = events.at(-1) ?? events[0];
  // A tool's name may be any: `__proto__` is one like any other.
  const tools = Object.fromEntries(counts);
  return { kind: "folded", fromSeq: events[0].seq, toSeq: last.seq, events: events.length, tools };
}

function ascending(rows: HistoryRow[], from: HistoryQuery["from"]): HistoryRow[] {
  return from === "newest" ? rows.toReversed() : rows;
}
