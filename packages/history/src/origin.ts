import { firstAtLeast } from "./column.ts";
import type { HistoryCorpus } from "./corpus.ts";
import { idOfFile } from "./discovery.ts";
import { HistoryError } from "./error.ts";
import type { SessionEvent } from "./event.ts";
import { keyOf } from "./key.ts";
import type { RawPattern } from "./raw-pattern.ts";
import type { Session } from "./session.ts";
import type { SessionRef } from "./session-ref.ts";
import { Slices } from "./slices.ts";

/**
 * The session from which another one was forked, where it is there and can be read. One that is
 * itself forked from the other, or of which this cannot be told, is none: what both have would be
 * shown nowhere.
 */
export async function originOf(
  corpus: HistoryCorpus,
  ref: SessionRef,
  { parent }: Session,
  sessions: readonly SessionRef[],
): Promise<Session | undefined> {
  const found = parentRef(ref, parent, sessions);
  const visited = new Set([ref.name]);
  let origin: Session | undefined;
  for (let next = found; next !== undefined;) {
    if (visited.has(next.name)) return undefined;
    visited.add(next.name);
    const session = await opened(corpus, next);
    if (session === undefined) break;
    origin ??= session;
    next = parentRef(next, session.parent, sessions);
  }
  return origin;
}

/** A parent is named by its id, or by its path; a file that was moved is known by the id in its name. */
function parentRef(
  { harness }: SessionRef,
  parent: string | undefined,
  sessions: readonly SessionRef[],
): SessionRef | undefined {
  if (parent === undefined) return undefined;
  const own = sessions.filter((ref) => ref.harness === harness);
  const id = idOfFile(harness, parent);
  return (
    own.find((ref) => ref.path === parent) ?? own.find((ref) => ref.id === parent) ?? own.find((ref) => ref.id === id)
  );
}

async function opened(corpus: HistoryCorpus, ref: SessionRef): Promise<Session | undefined> {
  try {
    return await corpus.open(ref);
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}

/** So many documents of the origin are read for one copy at the most: where that does not tell, it is shown. */
const DOCUMENTS_MAX = 512;

/** Documents of one time, role and tool that were read, and the place from which on the others are not. */
interface Kin {
  readonly read: Set<string>;
  next: number;
}

/**
 * What an origin has that holds a text: told whether a copy is there. An event's document is read only
 * for a copy of the same time, role and tool, and once, however many copies there are.
 */
export class OriginEvents {
  readonly #origin: Session;
  /** The places of the events by time, and by place where the time is the same, the latest last. */
  readonly #places: Uint32Array;
  readonly #times: Float64Array;
  readonly #kin = new Map<string, Kin>();

  private constructor(origin: Session, places: Uint32Array, times: Float64Array) {
    this.#origin = origin;
    this.#places = places;
    this.#times = times;
  }

  static async of(origin: Session, pattern: RawPattern | undefined): Promise<OriginEvents> {
    const slices = new Slices();
    const possible = await origin.candidates(pattern);
    const all =
      possible ?? Array.from({ length: origin.events.length }, (_, index) => origin.events.at(index)?.seq ?? 0);
    const timed: { readonly index: number; readonly time: number }[] = [];
    for (const seq of all) {
      if (slices.isOver) await slices.next();
      const index = origin.events.indexFrom(seq);
      timed.push({ index, time: timeOf(origin.events.at(index)) });
    }
    timed.sort((one, other) => one.time - other.time || one.index - other.index);
    return new OriginEvents(
      origin,
      Uint32Array.from(timed, ({ index }) => index),
      Float64Array.from(timed, ({ time }) => time),
    );
  }

  /** Whether the session says on its active branch what a copy of it says: then it is found there. */
  async has(copy: SessionEvent, document: string): Promise<boolean> {
    const name = JSON.stringify([copy.time, copy.role, copy.tool?.tool]);
    const time = timeOf(copy);
    const first = firstAtLeast((at) => this.#times[at] ?? 0, this.#times.length, time);
    const kin = this.#kin.get(name) ?? { read: new Set<string>(), next: this.#endOf(time) };
    this.#kin.set(name, kin);
    const sought = digestOf(document);
    const slices = new Slices();
    // Hits come from the newest on: so do these, and the one that is sought is mostly the next.
    for (let read = 0; !kin.read.has(sought) && kin.next > first && read < DOCUMENTS_MAX;) {
      if (slices.isOver) await slices.next();
      const event = this.#origin.events.at(this.#places[--kin.next] ?? 0);
      if (event === undefined || event.role !== copy.role || event.tool?.tool !== copy.tool?.tool) continue;
      read++;
      const told = documentIn(this.#origin, event);
      if (told !== undefined) kin.read.add(digestOf(told));
    }
    return kin.read.has(sought);
  }

  #endOf(time: number): number {
    let end = firstAtLeast((at) => this.#times[at] ?? 0, this.#times.length, time);
    while (this.#times[end] === time) end++;
    return end;
  }
}

/** What cannot be read tells nothing: the copy is shown then. */
function documentIn(session: Session, event: SessionEvent): string | undefined {
  try {
    return session.document(event);
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}

/** No event is of the time that stands for none. */
function timeOf(event: SessionEvent | undefined): number {
  return event?.time ?? Number.MIN_SAFE_INTEGER;
}

function digestOf(document: string): string {
  return `${document.length} ${keyOf(document)}`;
}
