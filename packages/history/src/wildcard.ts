import type { HistoryCorpus } from "./corpus.ts";
import type { SessionRef } from "./session-ref.ts";
import { HistoryError, type HistoryErrorCode } from "./error.ts";
import type { SessionEvent } from "./event.ts";
import { searchedFor } from "./matcher.ts";
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
  /** Whether the last session that was looked into has more hits. */
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
  for (const [index, ref] of sessions.entries()) {
    if (rows.length >= query.limit)
      return { rows, unreadable, moreSessions: sessions.length - index, hasMoreHits: false };
    try {
      const room = query.limit - rows.length;
      const found =
        texts.length === 0
          ? await representative(await corpus.open(ref), query)
          : await hitsIn(corpus, ref, pattern, { ...query, limit: room + 1 }, sessions);
      rows.push(...found.slice(0, room).map((row) => ({ ...row, session: ref.name })));
      if (found.length > room)
        return { rows, unreadable, moreSessions: sessions.length - index - 1, hasMoreHits: true };
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      unreadable.push({ session: ref.name, code: error.code });
    }
  }
  return { rows, unreadable, moreSessions: 0, hasMoreHits: false };
}

async function hitsIn(
  corpus: HistoryCorpus,
  ref: SessionRef,
  pattern: RawPattern | undefined,
  query: WildcardQuery,
  sessions: readonly SessionRef[],
): Promise<EventRow[]> {
  if (!(await corpus.mayHold(ref, pattern))) return [];
  const session = await corpus.open(ref);
  const origin = await originOf(corpus, session, sessions);
  const { rows } = await listEvents(session, {
    ...query,
    from: "newest",
    counts: (event, document) => !(event.isCopy && origin !== undefined && holds(origin, event, document)),
  });
  return rows.flatMap((row) => (row.kind === "event" ? [row] : [])).toReversed();
}

/** The session from which another one was forked, where it is there and can be read. */
async function originOf(
  corpus: HistoryCorpus,
  { parent }: Session,
  sessions: readonly SessionRef[],
): Promise<Session | undefined> {
  const ref = parent === undefined ? undefined : sessions.find(({ id, path }) => id === parent || path === parent);
  if (ref === undefined) return undefined;
  try {
    return await corpus.open(ref);
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}

/** Whether a session says on its active branch what a copy of it says: then it is found there. */
function holds(origin: Session, copy: SessionEvent, document: string): boolean {
  return origin.events.some(
    (event) => event.time === copy.time && event.role === copy.role && origin.document(event) === document,
  );
}

async function representative(session: Session, query: WildcardQuery): Promise<EventRow[]> {
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
    if (events.length > 0) return events;
  }
  return [];
}
