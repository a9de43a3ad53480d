import { Column, firstAtLeast } from "./column.ts";
import type { Fact, Saying, SessionFacts } from "./fact.ts";
import type { NestedCalls, Role } from "./wire/wire.ts";

/**
 * How an execution stands: `pending`, a live turn has no result of it yet; `unfinished`, the turn is
 * over without one; `unpaired`, a result whose call is not on the branch, or has another one.
 */
export type ToolStatus = "ok" | "error" | "pending" | "unfinished" | "unpaired";

/** What is known of an execution beside its text. */
export interface ToolSummary {
  readonly tool: string;
  readonly status: ToolStatus;
  /** The host has cut the output. */
  readonly outputTruncated: boolean;
  /** Where the host keeps the whole output, if it told. */
  readonly fullOutputPath: string | undefined;
  /** How many nested calls the host has recorded, and whether it says that these are all; absent where it says nothing. */
  readonly nested: Omit<NestedCalls, "calls"> | undefined;
}

/** One addressable thing of a session's active branch. */
export interface SessionEvent {
  readonly seq: number;
  readonly role: Role;
  /** When it was recorded, in milliseconds since 1970; `null` where the record does not say. */
  readonly time: number | null;
  /** Of an execution. */
  readonly tool?: ToolSummary;
  /** A copy of what the parent session says. */
  readonly isCopy: boolean;
}

/** The events of a session, ascending by seq. Each is made when it is asked for: a long session has too many to hold. */
export interface SessionEvents extends Iterable<SessionEvent> {
  readonly length: number;
  /** The event at a place, counted from 0; from the end, where the place is negative. */
  at(index: number): SessionEvent | undefined;
  /** The place of the first event whose seq is at least this; `length` where there is none. */
  indexFrom(seq: number): number;
}

/** The places where an event was said. */
export interface EventPlaces {
  /** Of words: their parts. Of an execution: none. */
  readonly message: readonly Saying[];
  readonly call: Saying | undefined;
  readonly result: Saying | undefined;
  readonly nested: readonly Saying[];
}

/** Lists of places, one for each of some events, in a few numbers: the last of each, and the one before each. */
class Lists {
  readonly #lasts = new Map<number, number>();
  readonly #before: Int32Array;

  /** @param length how many places there are in all lists together */
  constructor(length: number) {
    this.#before = new Int32Array(length);
  }

  add(owner: number, place: number): void {
    this.#before[place] = this.#lasts.get(owner) ?? -1;
    this.#lasts.set(owner, place);
  }

  of(owner: number): number[] {
    const places: number[] = [];
    for (let place = this.#lasts.get(owner) ?? -1; place !== -1; place = this.#before[place] ?? -1) places.push(place);
    return places.toReversed();
  }

  get bytes(): number {
    return this.#before.byteLength + this.#lasts.size * LIST_BYTES;
  }
}

/** About what an entry of a map takes. */
const LIST_BYTES = 40;

/** What is known of the executions' nested calls that were recorded by themselves, by the places of their events. */
type Evidence = ReadonlyMap<number, Omit<NestedCalls, "calls">>;

/** What the places of a branch's events are found in. */
interface EventColumns {
  /** The seq of each event. */
  readonly seqs: Column;
  /** Of each event that has a result beside its call: the result's seq and one; else 0. */
  readonly results: Column;
  /** Of the results that are part of their calls' events, ascending: their own seqs, and the places of the events. */
  readonly resultSeqs: Column;
  readonly resultOwners: Column;
  /** The parts of messages, by the seq of the first one. */
  readonly additions: Lists;
  /** The nested calls of executions, by the places of their events, and of each the place and one; 0 is none. */
  readonly nested: Lists;
  readonly nestedOwners: Uint32Array;
  readonly evidence: Evidence;
  /** Records of the branch at which a window begins, ascending. */
  readonly windowStarts: readonly number[];
  /** Calls of records before this one get no result any more. */
  readonly settledBefore: number;
}

/** The events of a branch, as it was when they were found. */
export class BranchEvents implements SessionEvents {
  readonly #facts: SessionFacts;
  readonly #columns: EventColumns;
  readonly #isLive: boolean;

  constructor(facts: SessionFacts, columns: EventColumns, isLive: boolean) {
    this.#facts = facts;
    this.#columns = columns;
    this.#isLive = isLive;
  }

  get length(): number {
    return this.#columns.seqs.length;
  }

  /** About how much memory they take, without the facts. */
  get bytes(): number {
    const { seqs, results, resultSeqs, resultOwners, additions, nested, nestedOwners, evidence } = this.#columns;
    const lists = [seqs, results, resultSeqs, resultOwners, additions, nested].map(({ bytes }) => bytes);
    return lists.reduce((sum, bytes) => sum + bytes, 0) + nestedOwners.byteLength + evidence.size * LIST_BYTES * 2;
  }

  get windowStarts(): readonly number[] {
    return this.#columns.windowStarts;
  }

  at(index: number): SessionEvent | undefined {
    const place = index < 0 ? index + this.length : index;
    if (!(place >= 0 && place < this.length)) return undefined;
    const seq = this.#columns.seqs.at(place);
    const first = this.#facts.at(seq);
    if (first === undefined) return undefined;
    const { role, time, isCopy } = first;
    return { seq, role, time, isCopy, ...(role === "tool" ? { tool: this.#summary(place, first) } : {}) };
  }

  *[Symbol.iterator](): Generator<SessionEvent> {
    for (let index = 0; index < this.length; index++) {
      const event = this.at(index);
      if (event !== undefined) yield event;
    }
  }

  indexFrom(seq: number): number {
    const { seqs } = this.#columns;
    return firstAtLeast((index) => seqs.at(index), this.length, seq);
  }

  /** The place of the event at a seq. */
  find(seq: number): number | undefined {
    const index = this.indexFrom(seq);
    return index < this.length && this.#columns.seqs.at(index) === seq ? index : undefined;
  }

  /** The seq of the event that a result is part of, by the seq of the result's own slot. */
  callOfResult(seq: number): number | undefined {
    const index = this.#ownerOfResult(seq);
    return index === undefined ? undefined : this.#columns.seqs.at(index);
  }

  #ownerOfResult(seq: number): number | undefined {
    const { resultSeqs, resultOwners } = this.#columns;
    const index = firstAtLeast((place) => resultSeqs.at(place), resultSeqs.length, seq);
    return index < resultSeqs.length && resultSeqs.at(index) === seq ? resultOwners.at(index) : undefined;
  }

  /** The place of the first event that was first said by this record, or a later one. */
  indexFromRecord(record: number): number {
    const { seqs } = this.#columns;
    return firstAtLeast((index) => this.#facts.recordAt(seqs.at(index)), this.length, record);
  }

  /** Where the event at a place was said. */
  placesOf(index: number): EventPlaces {
    const seq = this.#columns.seqs.at(index);
    const [first, second] = [this.#facts.at(seq), this.#secondOf(index)];
    const { additions, nested } = this.#facts;
    return {
      message:
        first?.kind === "message"
          ? [first, ...this.#columns.additions.of(seq).map((place) => additions.at(place))]
          : [],
      call: first?.kind === "call" ? first : undefined,
      result: first?.kind === "result" ? first : second,
      nested: this.#columns.nested.of(index).map((place) => nested.at(place)),
    };
  }

  /** The seqs of the events that a record, by its number, has said something of. */
  *seqsOfRecord(record: number): Generator<number> {
    const facts = this.#facts;
    const { seqs, nestedOwners } = this.#columns;
    const from = firstAtLeast((seq) => facts.recordAt(seq), facts.length, record);
    for (let seq = from; seq < facts.length && facts.recordAt(seq) === record; seq++) {
      const owner = this.find(seq) ?? this.#ownerOfResult(seq);
      if (owner !== undefined) yield seqs.at(owner);
    }
    const { additions, nested } = facts;
    for (const place of placesIn(additions.records, record)) {
      const owner = this.find(additions.owners.at(place));
      if (owner !== undefined) yield seqs.at(owner);
    }
    for (const place of placesIn(nested.records, record)) {
      const owner = nestedOwners[place] ?? 0;
      if (owner > 0) yield seqs.at(owner - 1);
    }
  }

  #secondOf(index: number): Fact | undefined {
    const result = this.#columns.results.at(index);
    return result === 0 ? undefined : this.#facts.at(result - 1);
  }

  #summary(index: number, first: Fact): ToolSummary {
    const call = first.kind === "call" ? first : undefined;
    const result = first.kind === "result" ? first : this.#secondOf(index);
    return {
      // Well-formed, as the document is.
      tool: (call?.tool ?? result?.tool ?? "unknown tool").toWellFormed(),
      status: statusOf(call, result, !this.#isLive || first.record < this.#columns.settledBefore),
      outputTruncated: result?.outputTruncated ?? false,
      fullOutputPath: result?.fullOutputPath?.toWellFormed(),
      nested: result?.nested ?? this.#columns.evidence.get(index),
    };
  }
}

function* placesIn(records: Column, record: number): Generator<number> {
  const { length } = records;
  const from = firstAtLeast((index) => records.at(index), length, record);
  for (let place = from; place < length && records.at(place) === record; place++) yield place;
}

function statusOf(call: Fact | undefined, result: Fact | undefined, isOver: boolean): ToolStatus {
  if (call === undefined) return "unpaired";
  if (result === undefined) return isOver ? "unfinished" : "pending";
  return result.isError ? "error" : "ok";
}

/** Calls of one id that have no result yet, by the places of their events: those of the last record that made any. */
interface OpenCalls {
  readonly record: number;
  readonly events: number[];
  next: number;
}

/** So many facts are looked at between two places where the work may be left for a while. */
const STEP = 256;

/**
 * Pairs calls and results along a branch, and joins what belongs to one message. A call and its
 * result are one event at the call's seq; a second result for one call stands alone (History
 * identity, "A paired execution is addressed by its call seq").
 *
 * It may be left where it yields, and more facts may be taken meanwhile: they are not looked at.
 *
 * @param isActive whether a record, by its number, is on the branch
 * @param isLive whether the session is one in which somebody works right now
 */
export function* eventsOf(
  facts: SessionFacts,
  isActive: (record: number) => boolean,
  isLive: boolean,
): Generator<void, BranchEvents, void> {
  const { length } = facts;
  const nesting = new Nesting(facts, isActive);
  const added = facts.additions.length;
  const windowStarts = activeIn(facts.windowStarts, isActive);
  const seqs = Column.ofCounts();
  const results = new Pairs();
  const open = new Map<number, OpenCalls>();
  let settledBefore = Math.max(lastActive(facts.turnEnds, isActive), windowStarts.at(-1) ?? 0);
  for (let seq = 0; seq < length; seq++) {
    if (seq % STEP === 0) yield;
    const record = facts.recordAt(seq);
    if (!isActive(record)) continue;
    yield* nesting.attachBefore(record);
    const kind = facts.kindAt(seq);
    const callKey = facts.callKeyAt(seq);
    if (kind === "result") {
      const call = takeOpen(open, callKey);
      if (call !== undefined) {
        results.add(call, seq);
        continue;
      }
    }
    const index = seqs.length;
    seqs.push(seq);
    // The model was asked again, or a person spoke: whoever has called before does not wait any more.
    if (kind === "message" && facts.roleAt(seq) !== "context") settledBefore = Math.max(settledBefore, record);
    if (kind === "result") nesting.result(callKey, index);
    if (kind === "call") {
      const others = open.get(callKey);
      if (others?.record === record) others.events.push(index);
      // An id that is used again is another call's: who had it before gets nothing any more.
      else open.set(callKey, { record, events: [index], next: 0 });
      nesting.call(callKey, index);
    }
  }
  yield* nesting.attachBefore(Infinity);
  const additions = new Lists(added);
  for (let place = 0; place < added; place++) {
    if (place % STEP === 0) yield;
    if (isActive(facts.additions.records.at(place))) additions.add(facts.additions.owners.at(place), place);
  }
  const columns = {
    seqs,
    ...(yield* results.columns(seqs.length)),
    additions,
    ...(yield* nesting.columns()),
    windowStarts,
    settledBefore,
  };
  return new BranchEvents(facts, columns, isLive);
}

function takeOpen(open: Map<number, OpenCalls>, callKey: number): number | undefined {
  const calls = open.get(callKey);
  const call = calls?.events[calls.next++];
  if (calls !== undefined && calls.next >= calls.events.length) open.delete(callKey);
  return call;
}

function activeIn(records: Column, isActive: (record: number) => boolean): number[] {
  const active: number[] = [];
  for (let index = 0; index < records.length; index++) {
    if (isActive(records.at(index))) active.push(records.at(index));
  }
  return active;
}

function lastActive(records: Column, isActive: (record: number) => boolean): number {
  for (let index = records.length - 1; index >= 0; index--) if (isActive(records.at(index))) return records.at(index);
  return 0;
}

/** Results that are part of their calls' events, as they are found: ascending by their own seqs. */
class Pairs {
  readonly #seqs = Column.ofCounts();
  readonly #owners = Column.ofCounts();

  add(owner: number, seq: number): void {
    this.#owners.push(owner);
    this.#seqs.push(seq);
  }

  /** @param length how many events there are */
  *columns(length: number): Generator<void, Pick<EventColumns, "results" | "resultSeqs" | "resultOwners">, void> {
    const byEvent = new Uint32Array(length);
    for (let place = 0; place < this.#seqs.length; place++) {
      if (place % STEP === 0) yield;
      byEvent[this.#owners.at(place)] = this.#seqs.at(place) + 1;
    }
    const results = Column.ofCounts();
    for (let index = 0; index < length; index++) {
      if (index % STEP === 0) yield;
      results.push(byEvent[index] ?? 0);
    }
    return { results, resultSeqs: this.#seqs, resultOwners: this.#owners };
  }
}

/**
 * Finds of which execution each nested call is that was recorded by itself: of the one that had its id
 * until then; where that call was lost, of its result.
 */
class Nesting {
  readonly #facts: SessionFacts;
  readonly #isActive: (record: number) => boolean;
  readonly #owners: Uint32Array;
  /** Of each id that nested calls name, the place of the event that has it; `undefined` where there is none yet. */
  readonly #events = new Map<number, number | undefined>();
  /** The nested calls whose event is not there yet, by its id. */
  readonly #orphans = new Map<number, number[]>();
  readonly #length: number;
  #next = 0;

  constructor(facts: SessionFacts, isActive: (record: number) => boolean) {
    this.#facts = facts;
    this.#isActive = isActive;
    this.#length = facts.nested.length;
    this.#owners = new Uint32Array(this.#length);
    for (let place = 0; place < this.#length; place++) this.#events.set(facts.nested.callKeys.at(place), undefined);
  }

  /** Attaches those that were recorded before a record. */
  *attachBefore(record: number): Generator<void, void, void> {
    const { records, callKeys } = this.#facts.nested;
    for (; this.#next < this.#length && records.at(this.#next) < record; this.#next++) {
      const place = this.#next;
      if (place % STEP === 0) yield;
      if (!this.#isActive(records.at(place))) continue;
      const callKey = callKeys.at(place);
      const event = this.#events.get(callKey);
      if (event !== undefined) this.#owners[place] = event + 1;
      else if (this.#orphans.has(callKey)) this.#orphans.get(callKey)?.push(place);
      else this.#orphans.set(callKey, [place]);
    }
  }

  call(callKey: number, event: number): void {
    if (this.#events.has(callKey)) this.#events.set(callKey, event);
  }

  /** A result without a call has what nobody else has. */
  result(callKey: number, event: number): void {
    if (!this.#events.has(callKey) || this.#events.get(callKey) !== undefined) return;
    for (const place of this.#orphans.get(callKey) ?? []) this.#owners[place] = event + 1;
    this.#orphans.delete(callKey);
    this.#events.set(callKey, event);
  }

  *columns(): Generator<void, Pick<EventColumns, "nested" | "nestedOwners" | "evidence">, void> {
    const { keys, ends } = this.#facts.nested;
    const nested = new Lists(this.#length);
    const seen = new Map<number, { readonly ids: Set<number>; readonly ended: Set<number> }>();
    for (let place = 0; place < this.#length; place++) {
      if (place % STEP === 0) yield;
      const owner = (this.#owners[place] ?? 0) - 1;
      if (owner === -1) continue;
      nested.add(owner, place);
      const { ids, ended } = seen.get(owner) ?? { ids: new Set(), ended: new Set() };
      seen.set(owner, {
        ids: ids.add(keys.at(place)),
        ended: ends.at(place) === 1 ? ended.add(keys.at(place)) : ended,
      });
    }
    const evidence = new Map<number, Omit<NestedCalls, "calls">>();
    for (const [owner, { ids, ended }] of seen)
      evidence.set(owner, { callCount: ids.size, complete: ended.size === ids.size });
    return { nested, nestedOwners: this.#owners, evidence };
  }
}
