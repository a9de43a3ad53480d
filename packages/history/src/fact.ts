import { Column } from "./column.ts";
import type { JsonObject } from "./json.ts";
import { keyOf } from "./key.ts";
import { KeyTable } from "./key-table.ts";
import type { NestedCalls, Role, Wire, WireItem, WireReading } from "./wire/wire.ts";

/** Where something was said: an item of a record, both counted from 0. */
export interface Saying {
  readonly record: number;
  readonly item: number;
}

/** One addressable item of a session, without its text. */
export interface Fact extends Saying {
  readonly seq: number;
  readonly kind: "message" | "call" | "result";
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly time: number | null;
  readonly tool: string | undefined;
  readonly isError: boolean;
  readonly outputTruncated: boolean;
  readonly fullOutputPath: string | undefined;
  readonly nested: Omit<NestedCalls, "calls"> | undefined;
  /** A copy of what the parent session says. */
  readonly isCopy: boolean;
}

const KINDS = ["message", "call", "result"] as const;
const ROLES = ["user", "assistant", "tool", "context"] as const;
// A byte of each fact: two bits for its kind, two for its role, and one for each of these.
const ROLE_SHIFT = 2;
const IS_ERROR = 16;
const IS_TRUNCATED = 32;
const IS_COPY = 64;

/** Sayings that belong to facts: each a place, and of whom it is. */
class Sayings {
  /** Ascending. */
  readonly records = Column.ofCounts();
  readonly items = Column.ofCounts();

  add({ record, item }: Saying): void {
    this.records.push(record);
    this.items.push(item);
  }

  get length(): number {
    return this.records.length;
  }

  get bytes(): number {
    return this.records.bytes + this.items.bytes;
  }

  /** The place of one. */
  at(index: number): Saying {
    return { record: this.records.at(index), item: this.items.at(index) };
  }
}

/** Parts of messages that later records add to the facts of their groups. */
class Additions extends Sayings {
  /** The seq of the fact that each belongs to. */
  readonly owners = Column.ofCounts();

  override get bytes(): number {
    return super.bytes + this.owners.bytes;
  }
}

/** Records of nested calls, which belong to executions. */
class NestedSayings extends Sayings {
  /** The key of the execution's id, and that of the nested call's. */
  readonly callKeys = Column.ofNumbers();
  readonly keys = Column.ofNumbers();
  readonly ends = Column.ofBytes();

  override get bytes(): number {
    return super.bytes + this.callKeys.bytes + this.keys.bytes + this.ends.bytes;
  }
}

/**
 * The facts of one session in the order of appending. What is appended later never changes a seq, and
 * it can be taken any time later, so that a session that has grown is not read anew. They are kept in
 * columns: a long session has a million of them.
 *
 * Seqs are counted from 0 over every item of every record, whatever branch it lies on (History
 * identity, "allocates seqs from session append order").
 */
export class SessionFacts {
  readonly additions = new Additions();
  readonly nested = new NestedSayings();
  /** Records at which a new window begins, ascending. */
  readonly windowStarts = Column.ofCounts();
  /** Records before which every call has had its result or gets none, ascending. */
  readonly turnEnds = Column.ofCounts();
  readonly reading: WireReading;
  readonly #wire: Wire;
  #records = 0;
  readonly #places = new Sayings();
  readonly #flags = Column.ofBytes();
  /** NaN where a record does not say. */
  readonly #times = Column.ofNumbers();
  /** Of calls and results: the key of the call's id, and the number of the tool's name; 0 is no name. */
  readonly #callKeys = Column.ofNumbers();
  readonly #tools = Column.ofCounts();
  readonly #toolNames: (string | undefined)[] = [undefined];
  readonly #toolNumbers = new Map<string, number>();
  readonly #paths = new Map<number, string>();
  readonly #evidence = new Map<number, Omit<NestedCalls, "calls">>();
  /** The seq of the fact of each group. */
  readonly #groups = new KeyTable();

  constructor(wire: Wire) {
    this.#wire = wire;
    this.reading = wire.begin();
  }

  /** How many records were taken. */
  get records(): number {
    return this.#records;
  }

  /** How many facts there are. */
  get length(): number {
    return this.#places.length;
  }

  /** About how much memory they take, what the format keeps of records included. */
  get bytes(): number {
    const columns = [this.#places, this.#flags, this.#times, this.#callKeys, this.#tools].map(({ bytes }) => bytes);
    const others = [this.additions, this.nested, this.windowStarts, this.turnEnds].map(({ bytes }) => bytes);
    const names = this.#toolNames.reduce((sum, name) => sum + NAME_BYTES + (name?.length ?? 0) * 2, 0);
    return (
      [...columns, ...others].reduce((sum, bytes) => sum + bytes, 0) +
      names +
      (this.#paths.size + this.#evidence.size) * NAME_BYTES +
      this.#groups.bytes +
      this.#records * RECORD_BYTES
    );
  }

  /** The fact at a seq. */
  at(seq: number): Fact | undefined {
    if (!(seq >= 0 && seq < this.length && Number.isInteger(seq))) return undefined;
    const flags = this.#flags.at(seq);
    return {
      seq,
      ...this.#places.at(seq),
      kind: this.kindAt(seq),
      role: this.roleAt(seq),
      time: this.timeAt(seq),
      tool: this.#toolNames[this.#tools.at(seq)],
      isError: (flags & IS_ERROR) !== 0,
      outputTruncated: (flags & IS_TRUNCATED) !== 0,
      fullOutputPath: this.#paths.get(seq),
      nested: this.#evidence.get(seq),
      isCopy: (flags & IS_COPY) !== 0,
    };
  }

  /** The record that said it, ascending with the seq. */
  recordAt(seq: number): number {
    return this.#places.records.at(seq);
  }

  kindAt(seq: number): Fact["kind"] {
    return KINDS[(this.#flags.at(seq) & 3) as 0 | 1 | 2];
  }

  roleAt(seq: number): Role {
    return ROLES[((this.#flags.at(seq) >> ROLE_SHIFT) & 3) as 0 | 1 | 2 | 3];
  }

  timeAt(seq: number): number | null {
    const time = this.#times.at(seq);
    return Number.isNaN(time) ? null : time;
  }

  /** Of a call or a result: what stands for the call's id. */
  callKeyAt(seq: number): number {
    return this.#callKeys.at(seq);
  }

  /**
   * Takes the next record.
   *
   * @param exact gives the record as it is, where it was read as bytes and not as text: asked for where
   * what is kept of it has a letter beyond ASCII
   */
  take(record: JsonObject, exact?: () => JsonObject): void {
    const number = this.#records++;
    const { items, startsWindow, endsTurn, isCopy = false } = this.reading.take(record);
    if (startsWindow === true) this.windowStarts.push(number);
    if (endsTurn === true) this.turnEnds.push(number);
    let exactItems: readonly WireItem[] | undefined;
    for (const [index, item] of items.entries()) {
      if (item === undefined) continue;
      if (exact !== undefined && !keptOf(item).every(isAscii)) exactItems ??= this.#wire.items(exact());
      this.#add(exactItems?.[index] ?? item, { record: number, item: index }, isCopy);
    }
  }

  #add(item: WireItem, saying: Saying, isCopy: boolean): void {
    const flags = isCopy ? IS_COPY : 0;
    switch (item.kind) {
      case "message": {
        const { group } = item;
        const owner = group === undefined ? undefined : this.#groups.get(group);
        if (owner !== undefined) {
          this.additions.add(saying);
          this.additions.owners.push(owner);
          return;
        }
        if (group !== undefined) this.#groups.set(group, this.length);
        this.#push(saying, item.role, item, flags, 0, 0);
        return;
      }
      case "call":
        this.#push(saying, "tool", item, flags, keyOf(item.callId), this.#toolNumber(item.tool));
        return;
      case "result": {
        const seq = this.length;
        if (item.fullOutputPath !== undefined) this.#paths.set(seq, item.fullOutputPath);
        const { nested } = item;
        if (nested !== undefined) this.#evidence.set(seq, { callCount: nested.callCount, complete: nested.complete });
        const more = (item.isError ? IS_ERROR : 0) | (item.outputTruncated === true ? IS_TRUNCATED : 0);
        const tool = item.tool === undefined ? 0 : this.#toolNumber(item.tool);
        this.#push(saying, "tool", item, flags | more, keyOf(item.callId), tool);
        return;
      }
      case "nested":
        this.nested.add(saying);
        this.nested.callKeys.push(keyOf(item.callId));
        this.nested.keys.push(keyOf(item.call.id));
        this.nested.ends.push(item.isEnd ? 1 : 0);
    }
  }

  #push(
    saying: Saying,
    role: Role,
    { kind, time }: Exclude<WireItem, { kind: "nested" }>,
    flags: number,
    callKey: number,
    tool: number,
  ): void {
    this.#places.add(saying);
    this.#flags.push(flags | (ROLES.indexOf(role) << ROLE_SHIFT) | KINDS.indexOf(kind));
    this.#times.push(time ?? Number.NaN);
    this.#callKeys.push(callKey);
    this.#tools.push(tool);
  }

  #toolNumber(name: string): number {
    const known = this.#toolNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.#toolNames.length;
    this.#toolNames.push(name);
    this.#toolNumbers.set(name, number);
    return number;
  }
}

/** About what a name in a map takes, beside its letters. */
const NAME_BYTES = 160;
/** About what a format keeps of each record: its id in a map, and some numbers. */
const RECORD_BYTES = 160;

/** What is kept of an item's texts. */
function keptOf(item: WireItem): string[] {
  switch (item.kind) {
    case "message":
      return item.group === undefined ? [] : [item.group];
    case "call":
      return [item.callId, item.tool];
    case "result":
      return [item.callId, item.tool ?? "", item.fullOutputPath ?? ""];
    case "nested":
      return [item.callId, item.call.id];
  }
}

/** Whether a text is the same as bytes and as letters. */
export function isAscii(text: string): boolean {
  return !/[^\0-\u007f]/u.test(text);
}
