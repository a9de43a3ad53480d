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

/** What a host has written in one piece: a crash may leave NULs where it wrote, and no record has any. */
const PIECE = /[^\0]+/gu;
/** With what a record begins, whichever host wrote it; in a record, objects begin so behind these. */
const BEGINNING = /(?<isIn>[:,[][\t\r ]*)?\{"(?:type|parentUuid)":/gu;
/** How many places of a broken line are tried, of each kind. */
const MOST_TRIES = 16;

/**
 * Reads a line. A host that died while it wrote one goes on in the same line when it is started
 * again: what is whole in a line that is not is read too.
 *
 * @param isEnded whether nothing will follow in the line. In one that goes on, an object of a record
 * looks like a record behind a cut one, until the rest is there.
 */
export function recordsIn(line: string, isEnded = true): LineRecords {
  if (/^[\t\r ]*$/u.test(line)) return NOTHING;
  const whole = parsed(line);
  if (whole !== undefined) return { records: [{ record: whole, start: 0, end: line.length }], damagedBytes: 0 };
  const records = [...line.matchAll(PIECE)].flatMap(({ 0: piece, index }) =>
    recordsInPiece(piece, isEnded).map(({ record, start, end }) => ({
      record,
      start: index + start,
      end: index + end,
    })),
  );
  const read = records.reduce((bytes, { start, end }) => bytes + end - start, 0);
  return { records, damagedBytes: line.length - read };
}

function recordsInPiece(piece: string, isEnded: boolean): LineRecord[] {
  const records: LineRecord[] = [];
  const starts = beginningsIn(piece);
  const sure = starts.filter(({ isIn }) => !isIn).map(({ at }) => at);
  let behind = 0;
  for (const { at, isIn } of starts) {
    if (at < behind || (isIn && !isEnded)) continue;
    const nexts = isIn ? [] : sure.filter((next) => next > at);
    const found = wholeFrom(piece, at, nexts);
    if (found === undefined) continue;
    records.push(found);
    behind = found.end;
  }
  return records;
}

/** A place where a record may begin. */
interface Beginning {
  readonly at: number;
  /** It may as well be an object of the record before it. */
  readonly isIn: boolean;
}

function beginningsIn(piece: string): Beginning[] {
  const found: Beginning[] = [{ at: 0, isIn: false }];
  const left = { sure: MOST_TRIES, in: MOST_TRIES };
  for (const { index, groups } of piece.matchAll(BEGINNING)) {
    const before = groups?.["isIn"]?.length ?? 0;
    const kind = before > 0 ? "in" : "sure";
    if (index + before > 0 && left[kind]-- > 0) found.push({ at: index + before, isIn: before > 0 });
    if (left.sure <= 0) break;
  }
  return found;
}

/** The record that begins at a place and ends with the piece, or before one of the next records. */
function wholeFrom(piece: string, start: number, nexts: readonly number[]): LineRecord | undefined {
  for (const end of [piece.length, ...nexts]) {
    const record = parsed(piece.slice(start, end));
    if (record !== undefined) return { record, start, end };
  }
  return undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
