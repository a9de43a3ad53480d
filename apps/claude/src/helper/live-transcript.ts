import { open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a row that the host has named may be on its way to the file, and how often it is looked for. */
const LAG_MS = 500;
const EVERY_MS = 20;
const LF = 0x0a;

type Row = Readonly<Record<string, unknown>>;

/** Reads transcripts that are being written: of each, only what was appended since the last time. */
export class LiveTranscripts {
  readonly #files = new Map<string, TranscriptFile>();
  /** A file that was waited for and did not come: the next time it is only looked for. */
  #missing: string | undefined;
  readonly #wait: (milliseconds: number) => Promise<unknown>;

  /** @param wait lets time pass */
  constructor(wait: (milliseconds: number) => Promise<unknown> = sleep) {
    this.#wait = wait;
  }

  /**
   * The records of a transcript, in the order of appending: all rows of the conversation, and of other
   * records what tells where and when they were written. The host writes with a lag: where the row at
   * which the branch ends is not there yet, it is waited for, for half a second.
   *
   * @param head the id of that row; `null` before the first one
   * @returns `undefined` where there is no file, though there is a head
   */
  async read(path: string, head: string | null): Promise<readonly Row[] | undefined> {
    for (let waited = 0; ; waited += EVERY_MS) {
      const file = await this.#readOn(path);
      if (head === null || file?.holds(head) === true) return file?.records ?? [];
      if (waited >= LAG_MS || (file === undefined && this.#missing === path)) {
        this.#missing = file === undefined ? path : undefined;
        return file?.records;
      }
      await this.#wait(EVERY_MS);
    }
  }

  async #readOn(path: string): Promise<TranscriptFile | undefined> {
    const state = await stat(path).catch(() => undefined);
    if (state?.isFile() !== true) {
      this.#files.delete(path);
      return undefined;
    }
    const known = this.#files.get(path);
    const isSame = known !== undefined && known.inode === state.ino && known.size <= state.size;
    const file = isSame ? known : new TranscriptFile(state.ino);
    // A session that was left is not asked for again.
    if (!isSame) this.#files.clear();
    this.#files.set(path, file);
    await file.readOn(path, state.size);
    return file;
  }
}

/** A transcript as far as it was read. A last line without its end is read again. */
class TranscriptFile {
  readonly inode: number;
  /** How many bytes of it are in the records: always whole lines. */
  size = 0;
  readonly #records: Row[] = [];
  readonly #ids = new Set<string>();
  #tail: readonly Row[] = [];
  #reading: Promise<void> = Promise.resolve();

  constructor(inode: number) {
    this.inode = inode;
  }

  get records(): readonly Row[] {
    return [...this.#records, ...this.#tail];
  }

  holds(id: string): boolean {
    return this.#ids.has(id) || this.#tail.some(({ uuid }) => uuid === id);
  }

  /** Two calls at once read one after the other. */
  readOn(path: string, end: number): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read(path, end));
    return this.#reading;
  }

  async #read(path: string, end: number): Promise<void> {
    if (end <= this.size) return;
    const bytes = Buffer.alloc(end - this.size);
    const file = await open(path);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, this.size).finally(() => file.close());
    const read = bytes.subarray(0, bytesRead);
    const lines = read.subarray(0, read.lastIndexOf(LF) + 1);
    for (const row of rowsIn(lines)) {
      this.#records.push(row);
      if (typeof row["uuid"] === "string") this.#ids.add(row["uuid"]);
    }
    this.size += lines.length;
    this.#tail = rowsIn(read.subarray(lines.length));
  }
}

function rowsIn(bytes: Buffer): readonly Row[] {
  return bytes.toString("utf8").split("\n").flatMap(rowIn);
}

/** The row on a line; none where it cannot be read. What is no row of the conversation can be large, and says nothing. */
function rowIn(line: string): readonly Row[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (typeof value !== "object" || value === null) return [];
  const row = value as Row;
  if (typeof row["uuid"] === "string") return [row];
  const { type, sessionId, cwd, timestamp } = row;
  return [{ type, sessionId, cwd, timestamp }];
}
