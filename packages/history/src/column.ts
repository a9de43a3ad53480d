/** Of what numbers a column is. */
type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array;

const BLOCK_BITS = 13;
const BLOCK_LENGTH = 2 ** BLOCK_BITS;
const FIRST_LENGTH = 32;

/**
 * A list of numbers that only grows: as small as they are, and without ever being copied whole. What
 * was added stays what it was.
 */
export class Column {
  readonly #create: (length: number) => Numbers;
  readonly #blocks: Numbers[] = [];
  #length = 0;

  /** @param create makes a typed array: its kind is that of the numbers */
  constructor(create: (length: number) => Numbers) {
    this.#create = create;
  }

  /** Whole numbers below 256. */
  static ofBytes(): Column {
    return new Column((length) => new Uint8Array(length));
  }

  /** Whole numbers of either sign below 2 ** 31. */
  static ofPlaces(): Column {
    return new Column((length) => new Int32Array(length));
  }

  /** Whole numbers below 2 ** 32. */
  static ofCounts(): Column {
    return new Column((length) => new Uint32Array(length));
  }

  /** Any numbers. */
  static ofNumbers(): Column {
    return new Column((length) => new Float64Array(length));
  }

  get length(): number {
    return this.#length;
  }

  /** How much memory it takes. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  push(value: number): void {
    const index = this.#length++;
    const offset = index & (BLOCK_LENGTH - 1);
    const block = this.#blocks[index >>> BLOCK_BITS];
    if (block !== undefined && offset < block.length) block[offset] = value;
    else this.#room(index >>> BLOCK_BITS, block)[offset] = value;
  }

  /** A block that has more room: the first one grows, so that a list of a few is small. */
  #room(number: number, block: Numbers | undefined): Numbers {
    const isFirst = number === 0;
    const more = this.#create(
      isFirst ? Math.min(BLOCK_LENGTH, block === undefined ? FIRST_LENGTH : block.length * 2) : BLOCK_LENGTH,
    );
    if (block !== undefined) more.set(block);
    this.#blocks[number] = more;
    return more;
  }

  /** The number at a place; 0 where there is none. */
  at(index: number): number {
    return this.#blocks[index >>> BLOCK_BITS]?.[index & (BLOCK_LENGTH - 1)] ?? 0;
  }
}

/**
 * The first place of an ascending list whose number is at least a value.
 *
 * @param length how many places there are: the answer where all numbers are less
 */
export function firstAtLeast(at: (index: number) => number, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
