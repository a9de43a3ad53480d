import { zstdDecompressSync } from "node:zlib";

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

/**
 * Finds where a frame ends, without decompressing it: a writer that appends leaves frame after
 * frame, and `zstdDecompressSync` reads the first alone.
 *
 * @param offset where the frame begins
 * @returns `torn`, where the bytes end before the frame does, and that may be before its first byte;
 * `bad`, where no frame begins here, or one that cannot be
 */
export function frameAt(bytes: Buffer, offset: number): ZstdFrame | "torn" | "bad" {
  const magic = bytes.subarray(offset, offset + MAGIC_BYTES);
  const isSkippable = beginsSkippable(magic);
  if (!isSkippable && !magic.equals(MAGIC.subarray(0, magic.length))) return "bad";
  if (magic.length < MAGIC_BYTES) return "torn";
  const end = isSkippable ? skippableEnd(bytes, offset + MAGIC_BYTES) : frameEnd(bytes, offset + MAGIC_BYTES);
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
function frameEnd(bytes: Buffer, descriptorAt: number): number | "torn" | "bad" {
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
