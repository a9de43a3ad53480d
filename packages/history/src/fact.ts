import type { JsonObject } from "./json.ts";
import type { NestedCalls, Role, Wire, WireItem, WireReading } from "./wire/wire.ts";

/** Where something was said: an item of a record, both counted from 0. */
export interface Saying {
  readonly record: number;
  readonly item: number;
}

/** One addressable item of a session, without its text. Its seq is its place in the list of facts. */
export interface Fact extends Saying {
  readonly seq: number;
  readonly kind: "message" | "call" | "result";
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly time: number | null;
  readonly callId?: string;
  readonly tool?: string | undefined;
  readonly isError?: boolean;
  readonly outputTruncated?: boolean;
  readonly fullOutputPath?: string | undefined;
  readonly nested?: Omit<NestedCalls, "calls">;
  readonly group?: string;
  /** A copy of what the parent session says. */
  readonly isCopy: boolean;
}

/** A part of a message that a later record adds to the fact of its group. */
export interface Addition extends Saying {
  readonly group: string;
}

/** A record of a nested call that belongs to an execution. */
export interface NestedSaying extends Saying {
  readonly callId: string;
  readonly id: string;
  readonly isEnd: boolean;
}

/**
 * The facts of one session in the order of appending. What is appended later never changes a seq, and
 * it can be taken any time later, so that a session that has grown is not read anew.
 *
 * Seqs are counted from 0 over every item of every record, whatever branch it lies on (History
 * identity, "allocates seqs from session append order").
 */
export class SessionFacts {
  readonly facts: Fact[] = [];
  readonly additions: Addition[] = [];
  readonly nested: NestedSaying[] = [];
  /** Records at which a new window begins, ascending. */
  readonly windowStarts: number[] = [];
  /** Records before which every call has had its result or gets none, ascending. */
  readonly turnEnds: number[] = [];
  readonly reading: WireReading;
  #records = 0;
  readonly #groups = new Set<string>();

  constructor(wire: Wire) {
    this.reading = wire.begin();
  }

  /** How many records were taken. */
  get records(): number {
    return this.#records;
  }

  /**
   * Takes the next record.
   *
   * @param textOf gives the text of what is kept of the record, where it was read as bytes and not as text
   */
  take(record: JsonObject, textOf: (kept: string) => string): void {
    const number = this.#records++;
    const { items, startsWindow, endsTurn, isCopy = false } = this.reading.take(record);
    if (startsWindow === true) this.windowStarts.push(number);
    if (endsTurn === true) this.turnEnds.push(number);
    for (const [index, item] of items.entries()) {
      if (item !== undefined) this.#add(item, { record: number, item: index }, isCopy, textOf);
    }
  }

  #add(item: WireItem, saying: Saying, isCopy: boolean, textOf: (kept: string) => string): void {
    const seq = this.facts.length;
    switch (item.kind) {
      case "message": {
        const { role, time, group } = item;
        if (group !== undefined && this.#groups.has(group)) {
          this.additions.push({ ...saying, group });
          return;
        }
        if (group !== undefined) this.#groups.add(group);
        this.facts.push({
          seq,
          ...saying,
          kind: "message",
          role,
          time,
          isCopy,
          ...(group === undefined ? {} : { group }),
        });
        return;
      }
      case "call":
        this.facts.push({
          seq,
          ...saying,
          kind: "call",
          role: "tool",
          time: item.time,
          callId: item.callId,
          tool: textOf(item.tool),
          isCopy,
        });
        return;
      case "result":
        this.facts.push({
          seq,
          ...saying,
          kind: "result",
          role: "tool",
          time: item.time,
          callId: item.callId,
          tool: item.tool === undefined ? undefined : textOf(item.tool),
          isError: item.isError,
          outputTruncated: item.outputTruncated === true,
          fullOutputPath: item.fullOutputPath === undefined ? undefined : textOf(item.fullOutputPath),
          isCopy,
          ...(item.nested === undefined
            ? {}
            : { nested: { callCount: item.nested.callCount, complete: item.nested.complete } }),
        });
        return;
      case "nested":
        this.nested.push({ ...saying, callId: item.callId, id: item.call.id, isEnd: item.isEnd });
    }
  }
}
