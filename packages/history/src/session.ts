import { documentOf } from "./document.ts";
import { HistoryError } from "./error.ts";
import { type BranchEvents, eventsOf, type PlacedEvent, type SessionEvent } from "./event.ts";
import { type Saying, SessionFacts } from "./fact.ts";
import { asObject, type JsonObject } from "./json.ts";
import { placesOf, type RawPattern } from "./raw-pattern.ts";
import type { SessionBytes } from "./session-bytes.ts";
import type { Damage, SessionFile } from "./session-file.ts";
import { changedMeanwhile } from "./unreadable.ts";
import { type SessionWindow, windowsOf } from "./window.ts";
import type { Wire, WireItem } from "./wire/wire.ts";

/** A session's active branch as events. A view: nothing of the session is held but where it stands. */
export interface Session {
  /** Ascending by seq. */
  readonly events: readonly SessionEvent[];
  /** The parts between resets, oldest first. */
  readonly windows: readonly SessionWindow[];
  /** What of the session's file cannot be read. */
  readonly damage: Damage;
  /** The session from which this one was forked or cloned, as it is named there: an id, or a path. */
  readonly parent: string | undefined;
  /**
   * The event at a seq.
   *
   * @throws HistoryError `seq_not_found`
   */
  event(seq: number): SessionEvent;
  /**
   * The document of an event: what search, positions and reading address.
   *
   * @throws HistoryError `session_unreadable`, where the file was changed meanwhile otherwise than by appending
   */
  document(event: SessionEvent): string;
  /**
   * The events whose documents may hold what a pattern stands for: a superset. `undefined` where all may.
   */
  candidates(pattern: RawPattern | undefined): Promise<ReadonlySet<number> | undefined>;
}

/** A session in which somebody works right now, as its host has it in memory. */
export interface LiveRecords {
  /** All records in the order of appending; the file's header may be missing. */
  readonly records: readonly unknown[];
  /** The id of the record at which the active branch ends; `null` before the first one. */
  readonly head: string | null | undefined;
}

const NO_DAMAGE: Damage = { lines: 0, bytes: 0 };

/** The view of a session that its host has in memory. Seqs are those of its file. */
export function liveSession(wire: Wire, { records, head }: LiveRecords): Session {
  const facts = new SessionFacts(wire);
  const known: JsonObject[] = [];
  for (const value of records) {
    const record = asObject(value);
    if (record === undefined) continue;
    known.push(record);
    facts.take(record, (kept) => kept);
  }
  return new SessionView(wire, facts, {
    record: (number) => known[number] ?? {},
    isActive: facts.reading.branch(head),
    isLive: true,
    damage: NO_DAMAGE,
    parent: facts.reading.header.parent,
  });
}

/** The view of a session as its file has it. */
export function filedSession(wire: Wire, file: SessionFile, bytes: SessionBytes): Session {
  return new SessionView(wire, file.facts, {
    record: (number) => file.record(number),
    isActive: file.facts.reading.branch(),
    isLive: false,
    damage: file.damage,
    parent: file.parent,
    recordsWith: async (pattern) => {
      const records = new Set<number>();
      for await (const place of placesOf(bytes.chunks(0), pattern)) {
        for (const record of file.recordsAt(place)) records.add(record);
      }
      return records;
    },
  });
}

interface Source {
  readonly record: (number: number) => JsonObject;
  readonly isActive: (record: number) => boolean;
  readonly isLive: boolean;
  readonly damage: Damage;
  readonly parent: string | undefined;
  readonly recordsWith?: (pattern: RawPattern) => Promise<ReadonlySet<number>>;
}

class SessionView implements Session {
  readonly events: readonly PlacedEvent[];
  readonly #wire: Wire;
  readonly #facts: SessionFacts;
  readonly #source: Source;
  readonly #callOfResult: BranchEvents["callOfResult"];
  #windows: readonly SessionWindow[] | undefined;

  constructor(wire: Wire, facts: SessionFacts, source: Source) {
    this.#wire = wire;
    this.#facts = facts;
    this.#source = source;
    const { events, callOfResult } = eventsOf(facts, source.isActive, source.isLive);
    this.events = events;
    this.#callOfResult = callOfResult;
  }

  get damage(): Damage {
    return this.#source.damage;
  }

  get parent(): string | undefined {
    return this.#source.parent;
  }

  get windows(): readonly SessionWindow[] {
    return (this.#windows ??= windowsOf(this.events, this.#facts.windowStarts.filter(this.#source.isActive)));
  }

  event(seq: number): PlacedEvent {
    const found = this.#find(seq);
    if (found !== undefined) return found;
    const call = this.#callOfResult.get(seq);
    throw new HistoryError("seq_not_found", call === undefined ? this.#nothingAt(seq) : resultSlot(seq, call));
  }

  #find(seq: number): PlacedEvent | undefined {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    const event = this.events[low];
    return event?.seq === seq ? event : undefined;
  }

  #nothingAt(seq: number): string {
    const last = this.events.at(-1)?.seq;
    if (last === undefined) return `there is no event at seq ${seq}: nothing has happened yet in this session`;
    if (this.#facts.facts[seq] !== undefined)
      return `seq ${seq} lies on a branch that is not active; list the events of the active one`;
    return `there is no event at seq ${seq}; the last one is at seq ${last}`;
  }

  document(event: SessionEvent): string {
    const { tool, message, call, result, nested } = this.event(event.seq);
    const records = new Map<number, readonly WireItem[]>();
    const itemOf = ({ record, item }: Saying): WireItem => {
      const items = records.get(record) ?? this.#wire.items(this.#source.record(record));
      records.set(record, items);
      const found = items[item];
      if (found === undefined) throw changedMeanwhile();
      return found;
    };
    return documentOf({
      ...(tool === undefined ? {} : { tool }),
      message: message.map(itemOf),
      call: call && itemOf(call),
      result: result && itemOf(result),
      nested: nested.map(itemOf),
    });
  }

  async candidates(pattern: RawPattern | undefined): Promise<ReadonlySet<number> | undefined> {
    if (pattern === undefined || this.#source.recordsWith === undefined) return undefined;
    const records = await this.#source.recordsWith(pattern);
    const holds = ({ record }: Saying): boolean => records.has(record);
    return new Set(
      this.events
        .filter(({ message, call, result, nested }) =>
          [
            ...message,
            ...nested,
            ...(call === undefined ? [] : [call]),
            ...(result === undefined ? [] : [result]),
          ].some(holds),
        )
        .map(({ seq }) => seq),
    );
  }
}

function resultSlot(seq: number, call: number): string {
  return `seq ${seq} is the place of a result, which is part of its call's event; read seq ${call}`;
}
