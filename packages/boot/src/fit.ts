import { largestFitting, utf8Bytes } from "@notesoup/text";

/** Lines of a text of which a prefix is shown, as long as there is room. */
export interface Block {
  readonly lines: readonly string[];
  /** The line that stands below the shown ones where these are fewer than all: what is left out, and how to get it. */
  readonly omission: (shown: number) => string;
  /** An omission of more bytes than this one has is never written. */
  readonly longestOmission: string;
  /**
   * The beginning of a line that does not fit, by its index, in `maxBytes` bytes at the most;
   * `undefined` where nothing of it can be shown. Where it is absent, lines are shown whole or not at all.
   */
  readonly beginning?: (line: number, maxBytes: number) => Beginning | undefined;
  /** How much of the room it is entitled to, in proportion to the other blocks. */
  readonly weight: number;
}

/** What is shown of a line that is cut. */
export interface Beginning {
  readonly text: string;
  /** Stands below it in place of the block's omission. */
  readonly omission: string;
}

/** A line that is always shown, or a block. */
export type Piece = string | Block;

/**
 * The pieces one below the other in `maxBytes` bytes of UTF-8 at the most, or `undefined` where
 * not even all omissions fit.
 *
 * The room is shared by weight: what a block does not need goes to those that need more, and none
 * takes another's share. Every line is measured once, and how many fit is found by binary search.
 */
export function fitPieces(pieces: readonly Piece[], maxBytes: number): string | undefined {
  const blocks = new Map(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [[piece, new Measured(piece)]])));
  // The last line has no end of its own.
  const room = pieces.reduce(
    (rest, piece) => rest - (typeof piece === "string" ? lineBytes(piece) : (blocks.get(piece)?.reserved ?? 0)),
    maxBytes + 1,
  );
  if (room < 0) return undefined;
  fill([...blocks.values()], room);
  return pieces
    .flatMap((piece) => (typeof piece === "string" ? [piece] : (blocks.get(piece)?.shownLines() ?? [])))
    .join("\n");
}

/** Gives each block its share of the room, and then what is left over because most lines are whole. */
function fill(blocks: readonly Measured[], room: number): void {
  const level = levelOf(blocks, room);
  let rest = room;
  for (const block of blocks) {
    block.extend(block.weight * level);
    rest -= block.used;
  }
  for (const block of blocks) {
    const before = block.used;
    block.extend(before + rest);
    rest -= block.used - before;
  }
}

/** The number of bytes per weight at which all blocks together take the room, none more than it needs. */
function levelOf(blocks: readonly Measured[], room: number): number {
  const thirsty = blocks
    .filter(({ wanted }) => wanted > 0)
    .toSorted((a, b) => a.wanted / a.weight - b.wanted / b.weight);
  let rest = room;
  let weights = thirsty.reduce((sum, { weight }) => sum + weight, 0);
  for (const { wanted, weight } of thirsty) {
    if (wanted / weight > rest / weights) return rest / weights;
    rest -= wanted;
    weights -= weight;
  }
  return Number.POSITIVE_INFINITY;
}

/** A block with the bytes of its lines, and how many of them are shown. */
class Measured {
  readonly weight: number;
  /** Bytes of the longest omission, which are kept free whatever is shown. */
  readonly reserved: number;
  readonly #block: Block;
  /** Bytes of the first lines, by their number. */
  readonly #bytes: number[] = [0];
  #shown = 0;
  /** What is shown of the line behind those. */
  #beginning: Beginning | undefined;

  constructor(block: Block) {
    this.#block = block;
    this.weight = block.weight;
    this.reserved = block.lines.length === 0 ? 0 : lineBytes(block.longestOmission);
    let bytes = 0;
    for (const line of block.lines) this.#bytes.push((bytes += lineBytes(line)));
  }

  /** Bytes beyond the reserved ones that all lines need. Less than none where they are shorter than the omission. */
  get wanted(): number {
    return this.#beyondReserved(this.#block.lines.length);
  }

  /** Bytes beyond the reserved ones that what is shown needs. */
  get used(): number {
    return this.#beyondReserved(this.#shown) + (this.#beginning === undefined ? 0 : lineBytes(this.#beginning.text));
  }

  /** Shows as many lines as need no more than so many bytes beyond the reserved ones, and of the next one what is left for it. */
  extend(bytes: number): void {
    const all = this.#block.lines.length;
    this.#shown = this.wanted <= bytes ? all : largestFitting(all - 1, (count) => this.#beyondReserved(count) <= bytes);
    const rest = bytes - this.#beyondReserved(this.#shown) - lineBytes("");
    this.#beginning = this.#shown === all ? undefined : this.#block.beginning?.(this.#shown, rest);
  }

  shownLines(): readonly string[] {
    const { lines, omission } = this.#block;
    if (this.#shown === lines.length) return lines;
    const { text, omission: below } = this.#beginning ?? { omission: omission(this.#shown) };
    return [...lines.slice(0, this.#shown), ...(text === undefined ? [] : [text]), below];
  }

  #beyondReserved(count: number): number {
    return (this.#bytes[count] ?? 0) - (count === this.#block.lines.length ? this.reserved : 0);
  }
}

function lineBytes(line: string): number {
  return utf8Bytes(line) + 1;
}
