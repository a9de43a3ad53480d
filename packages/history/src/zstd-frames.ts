import { zstdDecompressSync } from "node:zlib";
import { Slices } from "./slices.ts";

/** What a file of zstd frames has at a place (RFC 8878, section 3). */
export interface ZstdFrame {
  /** The place behind its last byte. */
  readonly end: number;
  /** A frame of a user's own data, which stands for no bytes of the text. */
  readonly isSkippable: boolean;
}

/** A larger frame is not decompressed: a few bytes of it can stand for terabytes. No host writes one. */
export const FRAME_MAX_BYTES = 64 * 1024 * 1024;

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Any first byte from 0x50 to 0x5f, and then this. */
const SKIPPABLE_MAGIC_TAIL = Buffer.from([0x2a, 0x4d, 0x18]);
const MAGIC_BYTES = 4;
const SKIPPABLE_SIZE_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const BLOCK_MAX_BYTES = 128 * 1024;
const CHECKSUM_BYTES = 4;
/** Of each size that the frame header descriptor can name. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** No host writes a frame of as many blocks: it would be read for longer than others may wait. */
const MOST_BLOCKS = 4 * 1024 * 1024;

/** How many blocks of a frame may be looked at, and how many were. */
interface Walk {
  readonly most: number;
  blocks: number;
}

/**
 * Finds where a frame ends, without decompressing it: a writer that appends leaves frame after
 * frame, and `zstdDecompressSync` reads the first alone.
 *
 * @param offset where the frame begins
 * @returns `torn`, where the bytes end before the frame does, and that may be before its first byte;
 * `bad`, where no frame begins here, or one that cannot be
 */
export function frameAt(
  bytes: Buffer,
  offset: number,
  walk: Walk = { most: MOST_BLOCKS, blocks: 0 },
): ZstdFrame | "torn" | "bad" {
  const magic = bytes.subarray(offset, offset + MAGIC_BYTES);
  const isSkippable = beginsSkippable(magic);
  if (!isSkippable && !magic.equals(MAGIC.subarray(0, magic.length))) return "bad";
  if (magic.length < MAGIC_BYTES) return "torn";
  const end = isSkippable ? skippableEnd(bytes, offset + MAGIC_BYTES) : frameEnd(bytes, offset + MAGIC_BYTES, walk);
  if (end === "bad") return "bad";
  return end === "torn" || end > bytes.length ? "torn" : { end, isSkippable };
}

/**
 * The bytes that a frame stands for: none, for a skippable one.
 *
 * @param bytes the frame, from its first to its last byte
 * @returns `undefined`, where it cannot be decompressed, or is more than {@link FRAME_MAX_BYTES}
 */
export function decompressFrame(bytes: Buffer): Buffer | undefined {
  if (beginsSkippable(bytes.subarray(0, MAGIC_BYTES))) return Buffer.alloc(0);
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: FRAME_MAX_BYTES });
  } catch {
    return undefined;
  }
}

/** Whether these bytes, at most four, are a skippable frame's first ones. */
function beginsSkippable(magic: Buffer): boolean {
  const [first] = magic;
  if (first === undefined || first < 0x50 || first > 0x5f) return false;
  return magic.subarray(1).equals(SKIPPABLE_MAGIC_TAIL.subarray(0, magic.length - 1));
}

function skippableEnd(bytes: Buffer, sizeAt: number): number | "torn" {
  const contentAt = sizeAt + SKIPPABLE_SIZE_BYTES;
  return contentAt > bytes.length ? "torn" : contentAt + bytes.readUInt32LE(sizeAt);
}

/** Where a frame ends, by its header and the headers of its blocks (RFC 8878, sections 3.1.1.1 and 3.1.1.2). */
function frameEnd(bytes: Buffer, descriptorAt: number, walk: Walk): number | "torn" | "bad" {
  const descriptor = bytes[descriptorAt];
  if (descriptor === undefined) return "torn";
  const isSingleSegment = (descriptor & 0b10_0000) !== 0;
  const isReservedSet = (descriptor & 0b1000) !== 0;
  const hasChecksum = (descriptor & 0b100) !== 0;
  if (isReservedSet) return "bad";
  const windowBytes = isSingleSegment ? 0 : 1;
  const dictionaryIdBytes = DICTIONARY_ID_BYTES[descriptor & 0b11] ?? 0;
  const sizeFlag = descriptor >> 6;
  const contentSizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);

  let at = descriptorAt + 1 + windowBytes + dictionaryIdBytes + contentSizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + BLOCK_HEADER_BYTES > bytes.length) return "torn";
    if (walk.blocks++ >= walk.most) return "bad";
    const header = bytes.readUIntLE(at, BLOCK_HEADER_BYTES);
    isLast = (header & 1) !== 0;
    const type = (header >> 1) & 0b11;
    const size = header >> 3;
    if (type === RESERVED_BLOCK || size > BLOCK_MAX_BYTES) return "bad";
    // A block of one byte repeated holds it once; its size counts the repetitions.
    at += BLOCK_HEADER_BYTES + (type === RLE_BLOCK ? 1 : size);
  }
  return at + (hasChecksum ? CHECKSUM_BYTES : 0);
}

/** A frame with its text, or, without one, the place before which there is none. */
export interface FoundFrame {
  readonly start: number;
  readonly end: number;
  readonly text: Buffer | undefined;
}

/** A frame that goes on for longer would be more than can be decompressed. */
const FRAME_MAX_FILE_BYTES = FRAME_MAX_BYTES + 1024 * 1024;
/** What may be tried in vain: for each byte before, and at any place. */
const EFFORT_A_BYTE = 8;
const EFFORT = 1024 * 1024;

/**
 * Looks through a file for frame after frame. What is none is left out. Bytes may be such that what
 * seems to begin in many places ends in one: what is tried in vain is bounded, so that the whole
 * takes time linear in the file.
 */
export class FrameSearch {
  #effort = 0;
  readonly #slices: Slices;

  constructor(slices = new Slices()) {
    this.#slices = slices;
  }

  /** What was tried in vain: blocks that were looked at, and bytes that were decompressed. */
  get effort(): number {
    return this.#effort;
  }

  /**
   * The next frame from a place on. What is torn may be one when there is more of the file.
   *
   * @param position where in the file these bytes begin
   * @param isEnd whether nothing follows them
   */
  async next(bytes: Buffer, at: number, position: number, isEnd: boolean): Promise<FoundFrame> {
    for (let start = at; ;) {
      if (this.#slices.isOver) await this.#slices.next();
      const walk = { most: Math.min(MOST_BLOCKS, this.#left(position + start)), blocks: 0 };
      const found = frameAt(bytes, start, walk);
      if (typeof found !== "string") {
        const text = this.#textOf(bytes.subarray(start, found.end), position + start);
        if (text !== undefined) return { start, end: found.end, text };
      } else if (found === "torn" && !isEnd && bytes.length - start <= FRAME_MAX_FILE_BYTES) {
        return { start, end: start, text: undefined };
      }
      this.#effort += walk.blocks;
      const next = bytes.indexOf(MAGIC, start + 1);
      if (next === -1) {
        const end = Math.max(start, bytes.length - MAGIC.length + 1);
        return { start: end, end, text: undefined };
      }
      start = next;
    }
  }

  #textOf(frame: Buffer, position: number): Buffer | undefined {
    if (frame.length > this.#left(position + frame.length)) return undefined;
    const text = decompressFrame(frame);
    if (text === undefined) this.#effort += frame.length;
    return text;
  }

  /** What may still be tried, as far as the file was looked through. */
  #left(position: number): number {
    return EFFORT + EFFORT_A_BYTE * position - this.#effort;
  }
}
