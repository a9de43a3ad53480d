import type { Anchor } from "./anchor.ts";
import type { RawPattern } from "./raw-pattern.ts";
import { Slices } from "./slices.ts";

/** What an expression is run on at once: so many steps take a slice or two, at the worst. */
const PIECE_STEPS = 16 * 1024 * 1024;
const PIECE_MIN_BYTES = 4 * 1024;
const PIECE_MAX_BYTES = 1024 * 1024;

/**
 * Where in a text's bytes one of the pattern's texts may be: for each line that may hold one, a place
 * in it, or some. In slices.
 */
export async function* placesOf(
  chunks: AsyncIterable<Buffer>,
  pattern: RawPattern,
  slices = new Slices(),
): AsyncGenerator<number> {
  const steps = Math.floor(PIECE_STEPS / pattern.expression.source.length);
  const pieceBytes = Math.min(PIECE_MAX_BYTES, Math.max(PIECE_MIN_BYTES, steps));
  const search = new PieceSearch(pattern);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      if (slices.isOver) await slices.next();
      yield* search.places(chunk.subarray(at, at + pieceBytes));
    }
  }
}

/** Of a shorter piece the anchors are not worth looking for. */
const ANCHORED_MIN_BYTES = 16 * 1024;

/** Looks through pieces of bytes, one after another. */
class PieceSearch {
  readonly #expression: RegExp;
  readonly #pattern: RawPattern;
  /** Where the next piece begins, and what stands before it. */
  #start = 0;
  #before = "";

  constructor(pattern: RawPattern) {
    this.#pattern = pattern;
    // An expression remembers its place: two searches must not share one.
    this.#expression = new RegExp(pattern.expression);
  }

  *places(piece: Buffer): Generator<number> {
    const { overlap } = this.#pattern;
    const counts = piece.length < ANCHORED_MIN_BYTES ? undefined : sampleOf(piece);
    const anchors = counts && rarest(this.#pattern.anchors, counts);
    if (counts === undefined || anchors === undefined) yield* this.#byExpression(piece, piece.length);
    else {
      // What lies across the edge of two pieces is no longer than this.
      yield* this.#byExpression(piece, overlap);
      yield* this.#byAnchors(piece, anchors, counts);
    }
    this.#before = (this.#before + piece.toString("latin1", Math.max(0, piece.length - overlap))).slice(-overlap);
    this.#start += piece.length;
  }

  /** Looks through what stands before a piece, and its first bytes, as one text. */
  *#byExpression(piece: Buffer, bytes: number): Generator<number> {
    const text = this.#before + piece.toString("latin1", 0, bytes);
    const begin = this.#start - this.#before.length;
    for (const place of linesIn(text, this.#expression)) yield begin + place;
    for (const place of needlessEscapesIn(text, this.#before.length)) yield begin + place;
  }

  *#byAnchors(piece: Buffer, anchors: readonly Anchor[], counts: Counts): Generator<number> {
    const { overlap } = this.#pattern;
    const limit = new Limit(piece.length);
    for (const anchor of anchors) {
      for (const byte of anchor.bytes) {
        for (const place of anchoredIn(piece, { anchor, byte, expression: this.#expression, overlap, limit }))
          yield this.#start + place;
      }
    }
    // Where the sample has deceived, it takes twice as long as it would have taken without anchors.
    if (limit.isReached) yield* this.#byExpression(piece, piece.length);
    else for (const place of needlessEscapesInBytes(piece, counts)) yield this.#start + place;
  }
}

/** How often each byte is in a sample of a piece. */
type Counts = Uint32Array;

/** So many bytes of a piece are counted to tell how often each is in it. */
const SAMPLE_BYTES = 4096;
/** An anchor that is more frequent than one byte of so many is slower than the expression. */
const RARE = 100;

function sampleOf(piece: Buffer): Counts {
  const counts = new Uint32Array(256);
  const step = Math.ceil(piece.length / SAMPLE_BYTES);
  for (let at = 0; at < piece.length; at += step) {
    const byte = piece[at] ?? 0;
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
  return counts;
}

/** The anchor of each text that is the rarest in a piece; `undefined` where that of a text is not rare. */
function rarest(texts: readonly (readonly Anchor[])[], counts: Counts): Anchor[] | undefined {
  const found = texts.map((anchors) => {
    const counted = anchors.map((anchor) => ({
      anchor,
      count: anchor.bytes.reduce((sum, byte) => sum + (counts[byte] ?? 0), 0),
    }));
    return counted.toSorted((one, other) => one.count - other.count)[0];
  });
  const rare = found.flatMap((one) => (one !== undefined && one.count <= SAMPLE_BYTES / RARE ? [one.anchor] : []));
  return rare.length < texts.length ? undefined : rare;
}

/** How much may be tried in a piece before looking for anchors has taken as long as the expression would. */
class Limit {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes / BYTES_BY_ANCHOR;
  }

  get isReached(): boolean {
    return this.#left < 0;
  }

  take(steps: number): void {
    this.#left -= steps;
  }
}

/** The bytes that the expression looks through while one anchor is looked at, and as many as a look around it takes of these steps. */
const BYTES_BY_ANCHOR = 32;
const STEPS_AROUND = 64;

interface Anchored {
  readonly anchor: Anchor;
  readonly byte: number;
  readonly expression: RegExp;
  readonly overlap: number;
  readonly limit: Limit;
}

function* anchoredIn(piece: Buffer, { anchor, byte, expression, overlap, limit }: Anchored): Generator<number> {
  const { before, behind } = anchor;
  let floor = 0;
  for (let at = piece.indexOf(byte); at !== -1 && !limit.isReached;) {
    limit.take(1);
    const isLikely = (at === 0 || before[piece[at - 1] ?? 0] === 1) && behind[piece[at + 1] ?? 0] === 1;
    if (isLikely) {
      limit.take(STEPS_AROUND);
      const from = Math.max(floor, at - overlap);
      expression.lastIndex = 0;
      const match = expression.exec(piece.toString("latin1", from, at + overlap));
      if (match !== null) {
        yield from + match.index;
        const lineEnd = piece.indexOf(LF, from + match.index);
        if (lineEnd === -1) return;
        // The match may be in a line before: then the same anchor is come upon again.
        floor = lineEnd;
        at = lineEnd;
      }
    }
    at = piece.indexOf(byte, at + 1);
  }
}

const LF = 0x0a;

function* linesIn(text: string, expression: RegExp): Generator<number> {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    yield match.index;
    const lineEnd = text.indexOf("\n", match.index);
    if (lineEnd === -1) return;
    expression.lastIndex = lineEnd;
  }
}

const ESCAPE = String.raw`\u00`;
const BACKSLASH = 0x5c;
const U = 0x75;
/** So many units of an escape may stand before a piece, and the rest in it. */
const ESCAPE_UNITS_BEFORE = 5;
/** The rest of the escape of a character that JSON can write as itself, or as a letter behind a backslash. */
const NEEDLESS = /[2-7]|0[89acd]/iy;

/** Characters of ASCII that are written as escapes without need, which no host does, but may. */
function* needlessEscapesIn(text: string, from: number): Generator<number> {
  for (let at = text.indexOf(ESCAPE, from - ESCAPE_UNITS_BEFORE); at !== -1; at = text.indexOf(ESCAPE, at + 1))
    if (isNeedless(text, at + ESCAPE.length)) yield at;
}

/** Bytes are found by their first one, so by the rarer of two. */
function* needlessEscapesInBytes(piece: Buffer, counts: Counts): Generator<number> {
  const skipped = (counts[U] ?? 0) < (counts[BACKSLASH] ?? 0) ? 1 : 0;
  const searched = Buffer.from(ESCAPE.slice(skipped));
  for (let found = piece.indexOf(searched); found !== -1; found = piece.indexOf(searched, found + 1)) {
    const behind = found + searched.length;
    const at = found - skipped;
    if (piece[at] === BACKSLASH && isNeedless(piece.toString("latin1", behind, behind + 2), 0)) yield at;
  }
}

function isNeedless(text: string, at: number): boolean {
  NEEDLESS.lastIndex = at;
  return NEEDLESS.test(text);
}
