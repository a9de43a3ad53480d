import { asObject, type JsonObject } from "./json.ts";

/** What a line of a session's file holds. */
export interface LineRecords {
  readonly records: readonly LineRecord[];
  /** Bytes of it that cannot be read. */
  readonly damagedBytes: number;
}

/** A record and where in its line it stands, in UTF-16 units: bytes, where the line was read as Latin-1. */
export interface LineRecord {
  readonly record: JsonObject;
  readonly start: number;
  readonly end: number;
}

const NOTHING: LineRecords = { records: [], damagedBytes: 0 };

/**
 * With what a record begins, whichever host wrote it. In a record, an object that begins so stands
 * behind one of three marks: what stands behind none is no part of another record.
 */
const BEGINNING = /\{(?<![:,[][\t\r ]*\{)"(?:type|parentUuid)":/gu;
/** As it may be in a record too, and behind a cut one that ends in such a mark. */
const BEGINNING_IN = /\{(?<=[:,[][\t\r ]*\{)"(?:type|parentUuid)":/gu;
const NUL = "\0";

/** Of a broken line: how many parts may turn out to be no record, and what may be looked through in vain, in times its length and in all. */
const MOST_FAILURES = 256;
const MOST_LENGTHS = 4;
const MOST_UNITS = 16 * 1024 * 1024;

/**
 * Reads a line. A host that died while it wrote one goes on in the same line when it is started
 * again: what is whole in a line that is not is read too. A line takes time linear in its length,
 * whatever stands in it: one that was made to take longer is damage.
 *
 * @param isEnded whether nothing will follow in the line. In one that goes on, an object of a record
 * looks like a record behind a cut one, until the rest is there.
 */
export function recordsIn(line: string, isEnded = true): LineRecords {
  if (/^[\t\r ]*$/u.test(line)) return NOTHING;
  const reading = new BrokenLine(line);
  const whole = reading.take(0, line.length);
  if (whole !== undefined) return { records: [whole], damagedBytes: 0 };
  const records = reading.records(isEnded);
  const read = records.reduce((bytes, { start, end }) => bytes + end - start, 0);
  return { records, damagedBytes: line.length - read };
}

/** A line that may be broken, and what may still be tried with it. */
class BrokenLine {
  readonly #line: string;
  #failures = MOST_FAILURES;
  #units: number;

  constructor(line: string) {
    this.#line = line;
    this.#units = Math.min(line.length * MOST_LENGTHS, MOST_UNITS);
  }

  /** What a host has written in one piece: a crash may leave NULs where it wrote, and no record has any. */
  records(isEnded: boolean): LineRecord[] {
    const records: LineRecord[] = [];
    for (let start = 0; start < this.#line.length && this.#failures > 0;) {
      const nul = this.#line.indexOf(NUL, start);
      const end = nul === -1 ? this.#line.length : nul;
      if (end > start) records.push(...this.#inPiece(start, end, isEnded));
      start = end + 1;
    }
    return records;
  }

  /** No record has another one's beginning in it: each part between two of them is a record, or none. */
  #inPiece(start: number, end: number, isEnded: boolean): LineRecord[] {
    const piece = this.#line.slice(start, end);
    const records: LineRecord[] = [];
    for (let at = 0; this.#failures > 0;) {
      BEGINNING.lastIndex = at + 1;
      const next = BEGINNING.exec(piece)?.index;
      const found =
        this.take(start + at, start + (next ?? piece.length)) ??
        (next === undefined && isEnded ? this.#behindCut(piece, at, start) : undefined);
      if (found !== undefined) records.push(found);
      if (next === undefined) break;
      at = next;
    }
    return records;
  }

  /** The record with which a piece ends, behind a cut one that ends as if the record were a part of it. */
  #behindCut(piece: string, from: number, start: number): LineRecord | undefined {
    BEGINNING_IN.lastIndex = from + 1;
    for (let match = BEGINNING_IN.exec(piece); match !== null; match = BEGINNING_IN.exec(piece)) {
      const close = closeOf(piece, match.index);
      this.#units -= (close ?? piece.length) - match.index;
      if (this.#units < 0) return undefined;
      const isLast = close !== undefined && isBlank(piece, close);
      const found = isLast ? this.take(start + match.index, start + piece.length) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The record that a part of the line is. That most parts are none can be told by how they begin and end. */
  take(start: number, end: number): LineRecord | undefined {
    const record = mayBeObject(this.#line, start, end) ? parsed(this.#line.slice(start, end)) : undefined;
    if (record !== undefined) return { record, start, end };
    this.#failures--;
    return undefined;
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The place behind the bracket that closes an object. */
function closeOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = quoteBehind(text, at);
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth++;
    else if ((unit === CLOSE_OBJECT || unit === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return undefined;
}

function quoteBehind(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at++;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function mayBeObject(line: string, start: number, end: number): boolean {
  let first = start;
  while (first < end && isSpace(line.charCodeAt(first))) first++;
  let last = end - 1;
  while (last > first && isSpace(line.charCodeAt(last))) last--;
  return last > first && line.charCodeAt(first) === OPEN_OBJECT && line.charCodeAt(last) === CLOSE_OBJECT;
}

function isBlank(text: string, start: number): boolean {
  for (let at = start; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** What JSON takes for white space, but for LF, in which a line ends. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d;
}
