import { type BigIntStats, statSync } from "node:fs";
import type { SessionBytes } from "./session-bytes.ts";
import { changedMeanwhile, unreadable } from "./unreadable.ts";

/** Some bytes of a text, and where they stand. */
interface Sample {
  readonly start: number;
  readonly bytes: Buffer;
}

const EDGE_BYTES = 256;
const SAMPLES_BETWEEN = 14;
const SAMPLE_BYTES = 64;

/**
 * How a session's file was when it was read: which file, its size and its time, and some of its bytes:
 * the first, the last, and some in between. A file that was written anew seldom has the same in all
 * of these places.
 */
export class FileState {
  readonly #path: string;
  readonly #bytes: SessionBytes;
  readonly #samples: readonly Sample[];
  #stats: BigIntStats;

  /** @param stats as it was before it was read */
  constructor(path: string, bytes: SessionBytes, stats: BigIntStats, end: number) {
    this.#path = path;
    this.#bytes = bytes;
    this.#stats = stats;
    this.#samples = samplesOf(bytes, end);
  }

  /** Whether nothing was written since. */
  isSame({ dev, ino, size, mtimeNs }: BigIntStats): boolean {
    const known = this.#stats;
    return known.dev === dev && known.ino === ino && known.size === size && known.mtimeNs === mtimeNs;
  }

  /** Whether it is longer, and what was there before is there still, as far as can be told without reading it. */
  isGrown({ dev, ino, size }: BigIntStats): boolean {
    const known = this.#stats;
    if (known.dev !== dev || known.ino !== ino || size <= known.size) return false;
    return this.#samples.every(({ start, bytes }) => this.#bytes.stillHas(start, bytes));
  }

  /**
   * Refuses to go on with a file that was changed otherwise than by appending.
   *
   * @throws HistoryError `session_unreadable`
   */
  require(): void {
    const stats = statNow(this.#path);
    if (this.isSame(stats)) return;
    if (!this.isGrown(stats)) throw changedMeanwhile();
    this.#stats = stats;
  }
}

function samplesOf(bytes: SessionBytes, end: number): Sample[] {
  const sample = (start: number, length: number): Sample => ({
    start,
    bytes: Buffer.from(bytes.read(start, Math.min(length, end - start))),
  });
  const between = Array.from({ length: SAMPLES_BETWEEN }, (_, index) =>
    sample(Math.floor((end * (index + 1)) / (SAMPLES_BETWEEN + 1)), SAMPLE_BYTES),
  );
  const all = end <= 2 * EDGE_BYTES ? [] : between;
  return [sample(0, EDGE_BYTES), ...all, sample(Math.max(0, end - EDGE_BYTES), EDGE_BYTES)];
}

function statNow(path: string): BigIntStats {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    throw unreadable(error);
  }
}
