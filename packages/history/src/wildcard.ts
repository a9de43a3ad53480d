import type { HistoryCorpus } from "./corpus.ts";
import type { SessionRef } from "./session-ref.ts";
import { HistoryError, type HistoryErrorCode } from "./error.ts";
import { again } from "./again.ts";
import { searchedFor } from "./matcher.ts";
import { OriginEvents, originOf } from "./origin.ts";
import { type EventRow, type HistoryQuery, listEvents } from "./query.ts";
import { type RawPattern, rawPatternOf } from "./raw-pattern.ts";
import type { Session } from "./session.ts";
import type { Harness } from "./wire/wire.ts";

/** A query over the sessions of one harness, or all. */
export interface WildcardQuery extends Omit<HistoryQuery, "afterSeq" | "beforeSeq" | "from"> {
  readonly harness: Harness | undefined;
}

/** An event and the session that it is of. */
export interface SessionRow extends EventRow {
  /** The session's canonical name. */
  readonly session: string;
}

/** A session that a query could not read. */
export interface UnreadableSession {
  readonly session: string;
  readonly code: HistoryErrorCode;
}

/** What a query over several sessions found. */
export interface WildcardPage {
  /** Session by session, the last active first; in a session the newest event first. */
  readonly rows: readonly SessionRow[];
  readonly unreadable: readonly UnreadableSession[];
  /** How many sessions were not looked into, because there were rows enough. */
  readonly moreSessions: number;
  /** Whether a session that was looked into has, or may have, more hits. */
  readonly hasMoreHits: boolean;
}

/**
 * Looks through sessions, the last active first, until there are rows enough. With a text to search
 * for, the rows are its hits; without one, an event for each session that tells what it is about:
 * its first prompt, else its first event. A session that cannot be read is named, and the others are
 * looked into. What a fork has copied is shown at its origin.
 *
 * Only sessions whose bytes can hold the text are read.
 */
export async function listAcrossSessions(corpus: HistoryCorpus, query: WildcardQuery): Promise<WildcardPage> {
  const sessions = await corpus.sessions(query.harness);
  const texts = searchedFor(query.queries);
  const pattern = texts.length === 0 ? undefined : rawPatternOf(texts);
  const rows: SessionRow[] = [];
  const unreadable: UnreadableSession[] = [];
  let hasMoreHits = false;
  const page = (looked: number): WildcardPage => ({
    rows,
    unreadable,
    moreSessions: sessions.length - looked,
    hasMoreHits,
  });
  for (const [index, ref] of sessions.entries()) {
    if (rows.length >= query.limit) return page(index);
    try {
      const limit = query.limit - rows.length;
      const found = await again(() =>
        texts.length === 0
          ? representative(corpus, ref, query)
          : hitsIn(corpus, ref, pattern, { ...query, limit }, sessions),
      );
      rows.push(...found.rows.map((row) => ({ ...row, session: ref.name })));
      hasMoreHits ||= found.hasMore;
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      unreadable.push({ session: ref.name, code: error.code });
    }
  }
  return page(sessions.length);
}

/** What one session has. */
interface Found {
  readonly rows: readonly EventRow[];
  readonly hasMore: boolean;
}

const NOTHING: Found = { rows: [], hasMore: false };

/** So many copies are left out of one session: what is older is taken for copies too, and not looked at. */
const COPIES_MAX = 1000;

async function hitsIn(
  corpus: HistoryCorpus,
  ref: SessionRef,
  pattern: RawPattern | undefined,
  query: WildcardQuery,
  sessions: readonly SessionRef[],
): Promise<Found> {
  if (!(await corpus.mayHold(ref, pattern))) return NOTHING;
  const session = await corpus.open(ref);
  let origin: Promise<OriginEvents | undefined> | undefined;
  let copies = 0;
  const { rows, hasMore } = await listEvents(session, {
    ...query,
    from: "newest",
    counts: async (event, document) => {
      if (!event.isCopy) return true;
      origin ??= eventsOfOrigin(corpus, ref, session, sessions, pattern);
      if ((await (await origin)?.has(event, document)) !== true) return true;
      return ++copies === COPIES_MAX ? "enough" : false;
    },
  });
  return { rows: rows.flatMap((row) => (row.kind === "event" ? [row] : [])).toReversed(), hasMore };
}

async function eventsOfOrigin(
  corpus: HistoryCorpus,
  ref: SessionRef,
  session: Session,
  sessions: readonly SessionRef[],
  pattern: RawPattern | undefined,
): Promise<OriginEvents | undefined> {
  const origin = await originOf(corpus, ref, session, sessions);
  return origin && OriginEvents.of(origin, pattern);
}

async function representative(corpus: HistoryCorpus, ref: SessionRef, query: WildcardQuery): Promise<Found> {
  const session = await corpus.open(ref);
  const { roles: wanted = [] } = query;
  for (const roles of wanted.length > 0 ? [wanted] : [["user"] as const, []]) {
    const { rows } = await listEvents(session, {
      ...query,
      roles,
      queries: [],
      from: "oldest",
      limit: 1,
      isFlat: true,
    });
    const events = rows.flatMap((row) => (row.kind === "event" ? [row] : []));
    if (events.length > 0) return { rows: events, hasMore: false };
  }
  return NOTHING;
}
