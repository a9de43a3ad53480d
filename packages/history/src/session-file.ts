import { Column, firstAtLeast } from "./column.ts";
import { type BranchEvents, eventsOf } from "./event.ts";
import { isAscii, SessionFacts } from "./fact.ts";
import { asObject, type JsonObject } from "./json.ts";
import { recordsIn } from "./record-line.ts";
import type { SessionBytes } from "./session-bytes.ts";
import { inSlices, Slices } from "./slices.ts";
import { changedMeanwhile } from "./unreadable.ts";
import type { Wire } from "./wire/wire.ts";

/** What of a file could not be read. */
export interface Damage {
  readonly lines: number;
  readonly bytes: number;
}

const LF = 0x0a;
/** No host writes one, and it would not fit the memory. */
const LINE_MAX_BYTES = 64 * 1024 * 1024;
const BOM = Buffer.from("\ufeff", "utf8");

/** A last line that has no end yet. */
interface Tail {
  readonly bytes: number;
  /** How many of them cannot be read. */
  readonly damaged: number;
  /** Whether a record was read of it. */
  readonly isRead: boolean;
}

/**
 * A session's file, read once from its start: the facts and where their records stand, and nothing
 * of their texts. What is appended later is read from where the last reading ended.
 */
export class SessionFile {
  readonly facts: SessionFacts;
  readonly #wire: Wire;
  readonly #bytes: SessionBytes;
  /** Where each record stands, by its number, and where its line begins. */
  readonly #starts = Column.ofNumbers();
  readonly #lengths = Column.ofCounts();
  readonly #lines = Column.ofNumbers();
  readonly #lineMaxBytes: number;
  #damagedLines = 0;
  #damagedBytes = 0;
  #end = 0;
  /** The events of the branch, as it was with so many records. */
  #branch: { readonly records: number; readonly events: Promise<BranchEvents> } | undefined;
  #branchBytes = 0;
  /** As the format tells it, of a record that was read as Latin-1, and as it is. */
  #parent: { readonly told: string | undefined; readonly name: string | undefined } | undefined;
  #tail: Tail = { bytes: 0, damaged: 0, isRead: true };

  /** @param lineMaxBytes a longer line is not read */
  constructor(wire: Wire, bytes: SessionBytes, lineMaxBytes = LINE_MAX_BYTES) {
    this.facts = new SessionFacts(wire);
    this.#wire = wire;
    this.#bytes = bytes;
    this.#lineMaxBytes = lineMaxBytes;
  }

  /** What cannot be read: a line that is being written counts until it has its end. */
  get damage(): Damage {
    const cut = this.#tail.damaged + this.#bytes.tornBytes;
    return { lines: this.#damagedLines + (cut > 0 ? 1 : 0), bytes: this.#damagedBytes + cut };
  }

  /** Whether a line without its end was read as a record: what follows in it then asks for a new reading. */
  get isProvisional(): boolean {
    return this.#tail.bytes > 0 && this.#tail.isRead;
  }

  /** Behind the last line that has its end, in bytes of the text. */
  get end(): number {
    return this.#end;
  }

  /** About how much memory is taken by what is known of it. */
  get memoryBytes(): number {
    return this.facts.bytes + this.#starts.bytes + this.#lengths.bytes + this.#lines.bytes + this.#branchBytes;
  }

  /** The events of the branch that the format says, found once for what was read. */
  events(): Promise<BranchEvents> {
    const { records } = this.facts;
    if (this.#branch?.records !== records) this.#branch = { records, events: this.#eventsNow() };
    return this.#branch.events;
  }

  async #eventsNow(): Promise<BranchEvents> {
    const events = await inSlices(eventsOf(this.facts, this.facts.reading.branch(), false));
    this.#branchBytes = events.bytes;
    return events;
  }

  /** The session from which this one was forked or cloned, as it is named there. */
  get parent(): string | undefined {
    return this.#parent?.name;
  }

  /**
   * Reads what has been appended. Lines end at LF alone; what is not JSON is counted, and what follows
   * it is read.
   *
   * @throws HistoryError `session_unreadable`
   */
  async readOn(): Promise<void> {
    let start = this.#end;
    let parts: Buffer[] = [];
    let pending = 0;
    this.#tail = { bytes: 0, damaged: 0, isRead: true };
    const slices = new Slices();
    for await (const chunk of this.#bytes.chunks(start)) {
      let from = 0;
      for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, from)) {
        if (slices.isOver) await slices.next();
        const length = pending + lf - from;
        this.#takeLine(
          pending === 0 ? chunk.subarray(from, lf) : joined(parts, chunk.subarray(from, lf)),
          start,
          length,
        );
        from = lf + 1;
        start += length + 1;
        parts = [];
        pending = 0;
      }
      if (from === chunk.length) continue;
      pending += chunk.length - from;
      // Of a line that is too long only its length is kept.
      if (pending <= this.#lineMaxBytes) parts.push(Buffer.from(chunk.subarray(from)));
      else parts = [];
    }
    this.#end = start;
    if (pending > 0) this.#takeTail(joined(parts), start, pending);
  }

  #takeLine(line: Buffer, start: number, length: number): void {
    const damaged = length > this.#lineMaxBytes ? length : this.#takeRecords(line, start, true);
    if (damaged === 0) return;
    this.#damagedLines++;
    this.#damagedBytes += damaged;
  }

  #takeTail(line: Buffer, start: number, length: number): void {
    const records = this.facts.records;
    const damaged = length > this.#lineMaxBytes ? length : this.#takeRecords(line, start, false);
    // With a whole record in it, the rest may be the beginning of another one.
    this.#tail = { bytes: length, damaged, isRead: damaged === 0 || this.facts.records > records };
  }

  /** @returns how many bytes cannot be read */
  #takeRecords(line: Buffer, start: number, isEnded: boolean): number {
    const skipped = start === 0 && line.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    // As Latin-1 a line is read in a fraction of the time, and says the same but for letters beyond ASCII.
    const { records, damagedBytes } = recordsIn(line.toString("latin1", skipped), isEnded);
    for (const found of records) {
      this.#starts.push(start + skipped + found.start);
      this.#lengths.push(found.end - found.start);
      this.#lines.push(start);
      const exact = (): JsonObject => utf8RecordOf(line.subarray(skipped + found.start, skipped + found.end));
      this.facts.take(found.record, exact);
      this.#learnParent(exact);
    }
    return damagedBytes;
  }

  #learnParent(exact: () => JsonObject): void {
    const told = this.facts.reading.header.parent;
    if (told === this.#parent?.told) return;
    this.#parent = { told, name: told === undefined || isAscii(told) ? told : parentIn(this.#wire, exact()) };
  }

  /**
   * Reads a record again, by its number.
   *
   * @throws HistoryError `session_unreadable`, where the file has changed otherwise than by appending
   */
  record(number: number): JsonObject {
    const length = this.#lengths.at(number);
    const bytes = this.#bytes.read(this.#starts.at(number), length);
    const found = recordsIn(bytes.toString("utf8")).records[0]?.record;
    if (found !== undefined && bytes.length === length) return found;
    throw changedMeanwhile();
  }

  /** The numbers of the records that may hold a byte of the text: those of its line, or of the last one before that has any. */
  recordsAt(position: number): number[] {
    const lines = this.#lines;
    const end = firstAtLeast((index) => lines.at(index), lines.length, position + 1);
    if (end === 0) return [];
    const first = firstAtLeast((index) => lines.at(index), lines.length, lines.at(end - 1));
    return Array.from({ length: end - first }, (_, index) => first + index);
  }
}

function joined(parts: readonly Buffer[], last?: Buffer): Buffer {
  return Buffer.concat(last === undefined ? parts : [...parts, last]);
}

/** A record that was read as Latin-1, as it is: only this tells bytes beyond ASCII from letters that were written as escapes. */
function utf8RecordOf(bytes: Buffer): JsonObject {
  return asObject(JSON.parse(bytes.toString("utf8"))) ?? {};
}

/** The name of the session's parent, as one record tells it. */
function parentIn(wire: Wire, record: JsonObject): string | undefined {
  const reading = wire.begin();
  reading.take(record);
  return reading.header.parent;
}
