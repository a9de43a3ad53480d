import { type BigIntStats, statSync } from "node:fs";
import { FileState } from "./file-state.ts";
import { PlainBytes, type SessionBytes, ZstdBytes } from "./session-bytes.ts";
import { SessionFile } from "./session-file.ts";
import { unreadable } from "./unreadable.ts";
import type { Wire } from "./wire/wire.ts";

/** A file that was read, and its bytes for those who read single records of it. */
export interface ReadSession {
  readonly file: SessionFile;
  readonly bytes: SessionBytes;
  /** How the file was when it was read. */
  readonly state: FileState;
}

/** So much memory all files together may take, but for the one that was read last. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 32;
/** About how many bytes of a file there are for one that is remembered of it. */
const BYTES_BY_REMEMBERED = 8;

/**
 * Remembers where the records of files stand that were read lately, by file, size and time: an
 * unchanged file is not read again, and of a grown one only what is new. In memory alone, and bounded.
 */
export class SessionCache {
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, ReadSession>();
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

  /** Forgets a file of which something has proved wrong: it is read anew when it is asked for. */
  forget(path: string, file: SessionFile): void {
    if (this.#entries.get(path)?.file === file) this.#entries.delete(path);
  }

  async #readNow(path: string, wire: Wire): Promise<ReadSession> {
    try {
      const stats = statSync(path, { bigint: true });
      const known = this.#entries.get(path);
      this.#entries.delete(path);
      const entry = await this.#readOn(path, wire, stats, known);
      this.#entries.set(path, entry);
      this.#forgetOldest(0, 1);
      return entry;
    } catch (error) {
      throw unreadable(error);
    }
  }

  async #readOn(path: string, wire: Wire, stats: BigIntStats, known: ReadSession | undefined): Promise<ReadSession> {
    if (known?.state.isSame(stats) === true) return known;
    if (known !== undefined && !known.file.isProvisional && known.state.isGrown(stats))
      return readAll(path, known, stats);
    // Before it is read, so that not both are held.
    this.#forgetOldest(Number(stats.size) / BYTES_BY_REMEMBERED, 0);
    const bytes = path.endsWith(".zstd") ? new ZstdBytes(path) : new PlainBytes(path);
    return readAll(path, { file: new SessionFile(wire, bytes), bytes }, stats);
  }

  /** @param more what will be remembered too */
  #forgetOldest(more: number, least: number): void {
    const entries = [...this.#entries].map(([path, { file }]) => ({ path, bytes: file.memoryBytes }));
    let sum = entries.reduce((bytes, entry) => bytes + entry.bytes, more);
    for (const { path, bytes } of entries) {
      if (this.#entries.size <= least || (sum <= MOST_BYTES && this.#entries.size <= MOST_FILES)) return;
      sum -= bytes;
      this.#entries.delete(path);
    }
  }
}

async function readAll(
  path: string,
  { file, bytes }: Pick<ReadSession, "file" | "bytes">,
  stats: BigIntStats,
): Promise<ReadSession> {
  await file.readOn();
  return { file, bytes, state: new FileState(path, bytes, stats, file.end) };
}
