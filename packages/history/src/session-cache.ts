import { type BigIntStats, statSync } from "node:fs";
import { PlainBytes, type SessionBytes, ZstdBytes } from "./session-bytes.ts";
import { SessionFile } from "./session-file.ts";
import { unreadable } from "./unreadable.ts";
import type { Wire } from "./wire/wire.ts";

/** A file that was read, and its bytes for those who read single records of it. */
export interface ReadSession {
  readonly file: SessionFile;
  readonly bytes: SessionBytes;
}

interface Entry extends ReadSession {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  /** The last bytes that were read: a file that was written anew seldom has the same in the same place. */
  readonly last: Buffer;
  readonly lastStart: number;
}

/** So many records of all files together are remembered: about 200 bytes each. */
const MOST_RECORDS = 300_000;
const MOST_FILES = 32;
const LAST_BYTES = 256;

/**
 * Remembers where the records of files stand that were read lately, by file, size and time: an
 * unchanged file is not read again, and of a grown one only what is new. In memory alone, and bounded.
 */
export class SessionCache {
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, Entry>();
  /** One reading of a file at a time: a second caller finds what the first one has read. */
  readonly #running = new Map<string, Promise<unknown>>();

  /**
   * Reads a session's file.
   *
   * @throws HistoryError `session_unreadable`
   */
  async read(path: string, wire: Wire): Promise<ReadSession> {
    const before = this.#running.get(path) ?? Promise.resolve();
    const reading = before.catch(() => undefined).then(() => this.#readNow(path, wire));
    this.#running.set(path, reading);
    try {
      return await reading;
    } finally {
      if (this.#running.get(path) === reading) this.#running.delete(path);
    }
  }

  async #readNow(path: string, wire: Wire): Promise<ReadSession> {
    try {
      const stats = statSync(path, { bigint: true });
      const known = this.#entries.get(path);
      this.#entries.delete(path);
      const entry = known === undefined ? await readAnew(path, wire, stats) : await readOn(path, wire, stats, known);
      this.#entries.set(path, entry);
      this.#forgetOldest();
      return entry;
    } catch (error) {
      throw unreadable(error);
    }
  }

  #forgetOldest(): void {
    let records = 0;
    for (const { file } of this.#entries.values()) records += file.facts.records;
    for (const [path, { file }] of this.#entries) {
      if (this.#entries.size <= 1 || (records <= MOST_RECORDS && this.#entries.size <= MOST_FILES)) return;
      records -= file.facts.records;
      this.#entries.delete(path);
    }
  }
}

async function readAnew(path: string, wire: Wire, stats: BigIntStats): Promise<Entry> {
  const bytes = path.endsWith(".zstd") ? new ZstdBytes(path) : new PlainBytes(path);
  return readAll({ file: new SessionFile(wire, bytes), bytes }, stats);
}

async function readOn(path: string, wire: Wire, stats: BigIntStats, known: Entry): Promise<Entry> {
  const isSame = known.device === stats.dev && known.inode === stats.ino;
  if (isSame && known.size === stats.size && known.modified === stats.mtimeNs) return known;
  const isGrown =
    isSame && stats.size > known.size && !known.file.isProvisional && known.bytes.stillHas(known.lastStart, known.last);
  return isGrown ? readAll(known, stats) : readAnew(path, wire, stats);
}

async function readAll({ file, bytes }: ReadSession, { dev, ino, size, mtimeNs }: BigIntStats): Promise<Entry> {
  await file.readOn();
  const lastStart = Math.max(0, file.end - LAST_BYTES);
  const last = Buffer.from(bytes.read(lastStart, file.end - lastStart));
  return { file, bytes, device: dev, inode: ino, size, modified: mtimeNs, last, lastStart };
}
