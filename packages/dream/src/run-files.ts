import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type FileState, putFile } from "@notesoup/notes/maintenance";
import type { DreamHome } from "./home.ts";

/** A file's state without its bytes. */
export type StateOf = Omit<FileState, "bytes">;

/** A note as it was when the run began. */
export interface BaselineNote {
  readonly address: string;
  /** The file's path in the home. */
  readonly path: string;
  readonly notebook: string;
  readonly version: string;
  readonly bytes: number;
  readonly updatedAt: string;
  readonly lastAccessed: string | null;
  readonly accessCount: number;
  readonly crumpledAt: string | null;
  /** Whether it has changed since the last dream. */
  readonly changed: boolean;
  readonly isLinked: boolean;
}

/** What was known when a run began. */
export interface BegunRun {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly scope: string;
  /** Sessions since the last dream that were no dreams. */
  readonly sessions: number;
  /** The name of the dreamer's own session. */
  readonly session: string | null;
  /** The commit from before. */
  readonly before: string;
  /** Notes of the whole store, crumpled ones included. */
  readonly storeNotes: number;
  /** The notes in scope, by address. */
  readonly notes: readonly BaselineNote[];
}

/** What a change did to a note. */
export type Verdict = "kept" | "crumpled" | "rewritten" | "moved" | "purged";

/** A line of a run's journal. */
export type JournalLine =
  | { readonly kind: "read"; readonly path: string; readonly version: string }
  | {
      readonly kind: "intent";
      readonly id: string;
      readonly files: readonly { readonly path: string; readonly before: StateOf | null }[];
    }
  | {
      readonly kind: "done";
      readonly id: string;
      readonly files: readonly { readonly path: string; readonly after: StateOf | null; readonly verdict: Verdict }[];
    };

/** A file that a run has changed, with what takes it back. */
export interface UndoFile {
  readonly path: string;
  readonly before: StateOf | null;
  readonly after: StateOf | null;
}

/** A run that has come to its end, and what takes it back. */
export interface FinishedRun {
  readonly run: string;
  readonly time: number;
  readonly report: string;
  /** The commit against which the last one is what the dream did. */
  readonly base: string;
  readonly files: readonly UndoFile[];
  readonly counts: {
    readonly changed: number;
    readonly crumpled: number;
    readonly purged: number;
    readonly leftOpen: number;
  };
  readonly sessions: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly isUndone: boolean;
}

/**
 * The files of the run that is under way, and of the last one that ended. Whatever a run does is in
 * its journal before and after it is done: another process of the run goes on from it, and whoever
 * comes after a death takes the run back by it.
 */
export class RunFiles {
  readonly #folder: string;
  readonly #last: string;

  constructor({ state }: DreamHome) {
    this.#folder = join(state, "run");
    this.#last = join(state, "last.json");
  }

  get #begin(): string {
    return join(this.#folder, "begin.json");
  }

  get #journal(): string {
    return join(this.#folder, "journal");
  }

  get #finish(): string {
    return join(this.#folder, "finish.json");
  }

  /** Whether a run is under way, or died. */
  get isBegun(): boolean {
    return existsSync(this.#begin);
  }

  /** The run that is under way, or died. */
  begun(): BegunRun | undefined {
    return this.isBegun ? (JSON.parse(readFileSync(this.#begin, "utf8")) as BegunRun) : undefined;
  }

  async begin(run: BegunRun): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(join(this.#folder, "saved"), { recursive: true, mode: 0o700 });
    await putFile(this.#begin, { bytes: JSON.stringify(run), mode: 0o600 });
  }

  /** Adds a line, on the disk before this returns where it says what is done. */
  append(line: JournalLine): void {
    const descriptor = openSync(this.#journal, "a", 0o600);
    try {
      // A line that a death has cut is ended by the line end of the next.
      writeSync(descriptor, `\n${JSON.stringify(line)}\n`);
      if (line.kind !== "read") fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The lines from an offset in bytes on, and where the next ones begin. What a death has cut is left out. */
  lines(from: number): { readonly lines: readonly JournalLine[]; readonly next: number } {
    const size = statSync(this.#journal, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= from) return { lines: [], next: from };
    const text = readFileSync(this.#journal).subarray(from);
    const end = text.lastIndexOf(0x0a) + 1;
    const lines = text.toString("utf8", 0, end).split("\n").flatMap(parsed);
    return { lines, next: from + end };
  }

  /** Keeps the bytes of a file for as long as the run is under way. */
  async save({ digest, bytes }: FileState): Promise<void> {
    const path = join(this.#folder, "saved", digest);
    if (!existsSync(path)) await putFile(path, { bytes, mode: 0o600 });
  }

  saved(digest: string): Buffer {
    return readFileSync(join(this.#folder, "saved", digest));
  }

  /** What the run comes to once its last commit is made. */
  finishing(): FinishedRun | undefined {
    return existsSync(this.#finish) ? (JSON.parse(readFileSync(this.#finish, "utf8")) as FinishedRun) : undefined;
  }

  async finish(run: FinishedRun): Promise<void> {
    await putFile(this.#finish, { bytes: JSON.stringify(run), mode: 0o600 });
  }

  /** Makes the run the last one. */
  complete(): void {
    if (existsSync(this.#finish)) renameSync(this.#finish, this.#last);
    this.drop();
  }

  /** Forgets the run that is under way. */
  drop(): void {
    // In one step first, so that a death leaves no half of it to be taken back.
    const gone = `${this.#folder}.gone`;
    rmSync(gone, { recursive: true, force: true });
    if (existsSync(this.#folder)) renameSync(this.#folder, gone);
    rmSync(gone, { recursive: true, force: true });
  }

  last(): FinishedRun | undefined {
    return existsSync(this.#last) ? (JSON.parse(readFileSync(this.#last, "utf8")) as FinishedRun) : undefined;
  }

  async setLast(run: FinishedRun): Promise<void> {
    await putFile(this.#last, { bytes: JSON.stringify(run), mode: 0o600 });
  }
}

function parsed(line: string): JournalLine[] {
  if (line === "") return [];
  try {
    return [JSON.parse(line) as JournalLine];
  } catch {
    return [];
  }
}
