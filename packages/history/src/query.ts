import { countCodePoints, unitIndexAfter } from "@notesoup/text";
import { firstAtLeast } from "./column.ts";
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
  /** Whether a hit counts, by its event and document, and whether to look for more; each does if absent. */
  readonly counts?: ((event: SessionEvent, document: string) => Promise<boolean | "enough">) | undefined;
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

/**
 * A page of a session's events. Without roles and without a text to search for, executions and
 * context that follow one another are folded into one row. Events are looked at from the end of the
 * range that the page counts from, and no more of them than it takes.
 */
export async function listEvents(session: Session, query: HistoryQuery): Promise<HistoryPage> {
  const texts = searchedFor(query.queries);
  const slices = new Slices();
  const find = finderOf(texts, slices);
  const isFolded = find === undefined && (query.roles ?? []).length === 0 && query.isFlat !== true;
  const possible = texts.length === 0 ? undefined : await session.candidates(rawPatternOf(texts));
  const rows: HistoryRow[] = [];
  const page = (hasMore: boolean): HistoryPage => ({ rows: ascending(rows, query.from), hasMore });
  let fold = new Fold();
  for (const index of inOrder(session, query, possible)) {
    if (slices.isOver) await slices.next();
    const event = session.events.at(index);
    if (event === undefined || !isWanted(event, query)) continue;
    const isInFold = isFolded && isFoldable(event);
    if (fold.first !== undefined && !isInFold) {
      rows.push(fold.row(session, query));
      fold = new Fold();
    }
    if (rows.length === query.limit && find === undefined) return page(true);
    if (isInFold) {
      fold.add(event);
      continue;
    }
    const row = await rowOf(session, event, find, query);
    if (row === undefined) continue;
    if (row === "enough" || rows.length === query.limit) return page(true);
    rows.push(row);
  }
  if (fold.first !== undefined) rows.push(fold.row(session, query));
  return page(false);
}

/** The places of a range's events, from the end that is counted from; of those that are possible alone, where they are known. */
function* inOrder(
  { events }: Session,
  { afterSeq = -1, beforeSeq = Infinity, from }: HistoryQuery,
  possible: ReadonlySet<number> | undefined,
): Generator<number> {
  const isNewest = from === "newest";
  if (possible !== undefined) {
    const seqs = Float64Array.from(possible).toSorted();
    const [first, end] = [afterSeq, beforeSeq - 1].map((seq) =>
      firstAtLeast((at) => seqs[at] ?? 0, seqs.length, seq + 1),
    );
    for (const at of count(first ?? 0, end ?? 0, isNewest)) yield events.indexFrom(seqs[at] ?? 0);
    return;
  }
  const end = beforeSeq === Infinity ? events.length : events.indexFrom(beforeSeq);
  yield* count(events.indexFrom(afterSeq + 1), end, isNewest);
}

function* count(first: number, end: number, isDown: boolean): Generator<number> {
  for (let at = first; at < end; at++) yield isDown ? first + end - 1 - at : at;
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

function isFoldable({ role }: SessionEvent): boolean {
  return role === "tool" || role === "context";
}

/** Everything between two messages of a person or the model, put together as it is come upon. */
class Fold {
  /** What was come upon first and last. */
  first: SessionEvent | undefined;
  #last: SessionEvent | undefined;
  #events = 0;
  /** How many there are of each tool, and the least seq of one. */
  readonly #tools = new Map<string, { readonly events: number; readonly seq: number }>();

  add(event: SessionEvent): void {
    this.first ??= event;
    this.#last = event;
    this.#events++;
    const name = event.tool?.tool ?? "context";
    const { events, seq } = this.#tools.get(name) ?? { events: 0, seq: event.seq };
    this.#tools.set(name, { events: events + 1, seq: Math.min(seq, event.seq) });
  }

  row(session: Session, { maxChars }: HistoryQuery): HistoryRow {
    const { first } = this;
    if (first === undefined || this.#last === undefined) throw new TypeError("there is nothing in the fold");
    // A fold of one event is the event.
    if (this.#events === 1) return eventRow(first, session.document(first), undefined, maxChars);
    const [fromSeq, toSeq] = [first.seq, this.#last.seq].toSorted((one, other) => one - other) as [number, number];
    // A tool's name may be any: `__proto__` is one like any other.
    const ordered = [...this.#tools].toSorted(([, one], [, other]) => one.seq - other.seq);
    const tools = Object.fromEntries(ordered.map(([name, { events }]) => [name, events]));
    return { kind: "folded", fromSeq, toSeq, events: this.#events, tools };
  }
}

/** @returns `undefined` where the text that is searched for is not in the document, or does not count there */
async function rowOf(
  session: Session,
  event: SessionEvent,
  find: Finder | undefined,
  { maxChars, counts }: HistoryQuery,
): Promise<EventRow | "enough" | undefined> {
  if (find === undefined) return eventRow(event, session.document(event), undefined, maxChars);
  // Whoever searches has just asked for the text: that call is no answer to itself.
  if (event.tool?.status === "pending") return undefined;
  const document = session.document(event);
  const match = await find(document);
  if (match === -1) return undefined;
  const isCounted = (await counts?.(event, document)) ?? true;
  if (isCounted === "enough") return "enough";
  return isCounted ? eventRow(event, document, match, maxChars) : undefined;
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

function ascending(rows: HistoryRow[], from: HistoryQuery["from"]): HistoryRow[] {
  return from === "newest" ? rows.toReversed() : rows;
}
