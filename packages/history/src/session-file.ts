import { SessionFacts } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import { recordsIn } from "./record-line.ts";
import type { SessionBytes } from "./session-bytes.ts";
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

/**
 * A session's file, read once from its start: the facts and where their records stand, and nothing
 * of their texts. What is appended later is read from where the last reading ended.
 */
export class SessionFile {
  readonly facts: SessionFacts;
  readonly #bytes: SessionBytes;
  /** Where each record stands, by its number, and where its line begins. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #lines: number[] = [];
  readonly #lineMaxBytes: number;
  #damagedLines = 0;
  #damagedBytes = 0;
  #end = 0;
  #tail: { readonly bytes: number; readonly isRead: boolean } = { bytes: 0, isRead: true };

  /** @param lineMaxBytes a longer line is not read */
  constructor(wire: Wire, bytes: SessionBytes, lineMaxBytes = LINE_MAX_BYTES) {
    this.facts = new SessionFacts(wire);
    this.#bytes = bytes;
    this.#lineMaxBytes = lineMaxBytes;
  }

  /** What cannot be read: a line that is being written counts until it has its end. */
  get damage(): Damage {
    const cut = (this.#tail.isRead ? 0 : this.#tail.bytes) + this.#bytes.tornBytes;
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

  /** The session from which this one was forked or cloned, as it is named there. */
  get parent(): string | undefined {
    const { parent } = this.facts.reading.header;
    return parent === undefined ? undefined : utf8Of(parent);
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
    this.#tail = { bytes: 0, isRead: true };
    for await (const chunk of this.#bytes.chunks(start)) {
      let from = 0;
      for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, from)) {
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
    this.#tail = { bytes: length, isRead: damaged === 0 || this.facts.records > records };
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
      this.facts.take(found.record, utf8Of);
    }
    return damagedBytes;
  }

  /**
   * Reads a record again, by its number.
   *
   * @throws HistoryError `session_unreadable`, where the file has changed otherwise than by appending
   */
  record(number: number): JsonObject {
    const length = this.#lengths[number] ?? 0;
    const bytes = this.#bytes.read(this.#starts[number] ?? 0, length);
    const found = recordsIn(bytes.toString("utf8")).records[0]?.record;
    if (found !== undefined && bytes.length === length) return found;
    throw changedMeanwhile();
  }

  /** The numbers of the records that may hold a byte of the text: those of its line, or of the last one before that has any. */
  recordsAt(position: number): number[] {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lines[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    const records: number[] = [];
    let record = low - 1;
    while (record >= 0 && this.#lines[record] === this.#lines[low - 1]) records.unshift(record--);
    return records;
  }
}

function joined(parts: readonly Buffer[], last?: Buffer): Buffer {
  return Buffer.concat(last === undefined ? parts : [...parts, last]);
}

/** Characters that are bytes of UTF-8. One beyond them was written as an escape, and is itself. */
const BYTES = /[\u0080-\u00ff]+/gu;

/** A text that was read as Latin-1, as the UTF-8 that it is. */
function utf8Of(latin1: string): string {
  return latin1.replace(BYTES, (bytes) => Buffer.from(bytes, "latin1").toString("utf8"));
}
