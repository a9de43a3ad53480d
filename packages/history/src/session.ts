import { documentOf } from "./document.ts";
import { HistoryError } from "./error.ts";
import { type BranchEvents, eventsOf, type SessionEvent, type SessionEvents } from "./event.ts";
import { type Saying, SessionFacts } from "./fact.ts";
import { asObject, type JsonObject } from "./json.ts";
import type { RawPattern } from "./raw-pattern.ts";
import { placesOf } from "./raw-search.ts";
import type { SessionBytes } from "./session-bytes.ts";
import type { Damage, SessionFile } from "./session-file.ts";
import { atOnce, Slices } from "./slices.ts";
import { changedMeanwhile } from "./unreadable.ts";
import { type SessionWindow, windowsOf } from "./window.ts";
import type { Wire, WireItem } from "./wire/wire.ts";

/** A session's active branch as events. A view: nothing of the session is held but where it stands. */
export interface Session {
  /** Ascending by seq. */
  readonly events: SessionEvents;
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
    facts.take(record);
  }
  return new SessionView(wire, facts, atOnce(eventsOf(facts, facts.reading.branch(head), true)), {
    record: (number) => known[number] ?? {},
    damage: NO_DAMAGE,
    parent: facts.reading.header.parent,
  });
}

/** What looks after the file of a session that was read. */
export interface FileWatch {
  /** @throws HistoryError `session_unreadable`, where the file was changed since otherwise than by appending */
  readonly requireSame: () => void;
  /** Something of what was read has proved wrong. */
  readonly isWrong: () => void;
}

/** The view of a session as its file has it. */
export async function filedSession(
  wire: Wire,
  file: SessionFile,
  bytes: SessionBytes,
  watch?: FileWatch,
): Promise<Session> {
  const { damage, parent } = file;
  return new SessionView(wire, file.facts, await file.events(), {
    record: (number) => {
      const found = file.record(number);
      watch?.requireSame();
      return found;
    },
    isWrong: () => watch?.isWrong(),
    damage,
    parent,
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
  readonly damage: Damage;
  readonly parent: string | undefined;
  readonly isWrong?: () => void;
  readonly recordsWith?: (pattern: RawPattern) => Promise<ReadonlySet<number>>;
}

class SessionView implements Session {
  readonly events: BranchEvents;
  readonly #wire: Wire;
  readonly #facts: SessionFacts;
  readonly #source: Source;
  #windows: readonly SessionWindow[] | undefined;

  constructor(wire: Wire, facts: SessionFacts, events: BranchEvents, source: Source) {
    this.#wire = wire;
    this.#facts = facts;
    this.#source = source;
    this.events = events;
  }

  get damage(): Damage {
    return this.#source.damage;
  }

  get parent(): string | undefined {
    return this.#source.parent;
  }

  get windows(): readonly SessionWindow[] {
    return (this.#windows ??= windowsOf(this.events));
  }

  event(seq: number): SessionEvent {
    const event = this.events.at(this.#indexOf(seq));
    if (event === undefined) throw new HistoryError("seq_not_found", this.#nothingAt(seq));
    return event;
  }

  /** @throws HistoryError `seq_not_found` */
  #indexOf(seq: number): number {
    const index = this.events.find(seq);
    if (index !== undefined) return index;
    const call = this.events.callOfResult(seq);
    throw new HistoryError("seq_not_found", call === undefined ? this.#nothingAt(seq) : resultSlot(seq, call));
  }

  #nothingAt(seq: number): string {
    const last = this.events.at(-1)?.seq;
    if (last === undefined) return `there is no event at seq ${seq}: ${this.#emptiness()}`;
    if (this.#facts.at(seq) !== undefined)
      return `seq ${seq} lies on a branch that is not active; list the events of the active one`;
    return `there is no event at seq ${seq}; the last one is at seq ${last}`;
  }

  /** What cannot be read is not nothing. */
  #emptiness(): string {
    const { lines, bytes } = this.damage;
    if (bytes === 0) return "nothing has happened yet in this session";
    return `nothing of this session can be read; damaged lines: ${lines}, bytes: ${bytes}`;
  }

  document({ seq }: SessionEvent): string {
    try {
      return this.#documentAt(seq);
    } catch (error) {
      if (error instanceof HistoryError && error.code === "session_unreadable") this.#source.isWrong?.();
      throw error;
    }
  }

  #documentAt(seq: number): string {
    const { tool } = this.event(seq);
    const { message, call, result, nested } = this.events.placesOf(this.#indexOf(seq));
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
    const seqs = new Set<number>();
    const slices = new Slices();
    for (const record of await this.#source.recordsWith(pattern)) {
      if (slices.isOver) await slices.next();
      for (const seq of this.events.seqsOfRecord(record)) seqs.add(seq);
    }
    return seqs;
  }
}

function resultSlot(seq: number, call: number): string {
  return `seq ${seq} is the place of a result, which is part of its call's event; read seq ${call}`;
}
