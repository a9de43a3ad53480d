import { decode } from "./encoding.ts";
import type { Digest, Disk, Mark, SourceKey } from "./disk.ts";
import type { Part, Snapshot } from "./handle.ts";
import { lineEndingOf } from "./encoding.ts";
import { nameFor, type Owner } from "./owner.ts";
import { Refusal } from "./refusal.ts";
import type { Utf16 } from "./span.ts";
import { Turns } from "./turns.ts";

/** How a file was seen to be another one than before. */
export type Change = "changed" | "missing" | "moved";

/** A file whose references retired. */
export interface Retired {
  readonly key: SourceKey;
  readonly change: Change;
  /** The generation that has begun. */
  readonly generation: number;
}

/** What an observation found. */
export interface Seen {
  readonly digest: Digest;
  readonly bytes: Uint8Array;
  /** The file's permission bits. */
  readonly mode: number;
}

interface Source {
  readonly key: SourceKey;
  generation: number;
  /** What the last observation found; nothing before the first. */
  last: { readonly digest: Digest; readonly mark: Mark } | "missing" | undefined;
  /** How this generation began, where it was not the first. */
  change: Change | undefined;
  /** The names by which the snapshots of this generation were found. */
  readonly names: Set<string>;
}

/** How often a file is read again that changes while it is read. */
const READS = 5;

/**
 * The files that snapshots were taken of, and what was last seen of each. Every change that an
 * observation finds begins a new generation; so does a touch, and an atomic save of the same bytes: they cannot
 * be told from a change that was undone.
 */
export class Sources {
  readonly disk: Disk;
  readonly #maxBytes: number;
  readonly #turns = new Turns();
  private readonly sources = new Map<SourceKey, Source>();
  /** The file of each inode that has more than one name. */
  private readonly linked = new Map<string, SourceKey>();

  constructor(disk: Disk, maxBytes: number) {
    this.disk = disk;
    this.#maxBytes = maxBytes;
  }

  /** The files that are known. */
  keys(): readonly SourceKey[] {
    return [...this.sources.keys()];
  }

  /** Runs work while nothing else observes these files. What it does itself must say that it has the turn. */
  inTurn<Result>(keys: readonly SourceKey[], work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(keys, work);
  }

  /** Where a name leads. All names of one file, hard links too, lead to one key. */
  async locate(
    path: string,
    cwd: string,
  ): Promise<{ readonly name: string; readonly key: SourceKey; readonly exists: boolean }> {
    const located = await this.disk.locate(path, cwd);
    return { ...located, key: await this.#canonical(located.key) };
  }

  async #canonical(key: SourceKey): Promise<SourceKey> {
    const mark = await this.disk.mark(key);
    if (mark === "missing" || mark.links < 2 || mark.kind !== "file") return key;
    const known = this.linked.get(mark.inode);
    if (known !== undefined && known !== key) {
      const other = await this.disk.mark(known);
      if (other !== "missing" && other.inode === mark.inode) return known;
    }
    this.linked.set(mark.inode, key);
    return key;
  }

  /**
   * Looks at a file, in turn.
   *
   * @throws Refusal `wrong_kind`, `too_large`, `unreadable`
   */
  observe(key: SourceKey, signal?: AbortSignal): Promise<Seen | "missing"> {
    return this.#turns.run([key], () => this.look(key, signal));
  }

  /** Looks at a file by someone who has the turn: reads it, and begins a new generation where it is not what it was. */
  async look(key: SourceKey, signal?: AbortSignal): Promise<Seen | "missing"> {
    const source = this.#source(key);
    const { mark, bytes } = await this.#read(source, signal);
    if (mark === "missing" || bytes === undefined) {
      if (source.last !== undefined && source.last !== "missing") this.#begin(source, "missing");
      source.last = "missing";
      return "missing";
    }
    const digest = this.disk.digest(bytes);
    const { last } = source;
    const isSame = last !== undefined && last !== "missing" && last.digest === digest && last.mark.stamp === mark.stamp;
    if (last === undefined) source.generation++;
    else if (!isSame) this.#begin(source, "changed");
    else if (await this.#hasMoved(source)) this.#begin(source, "moved");
    source.last = { digest, mark };
    return { digest, bytes, mode: mark.mode };
  }

  /** Looks at a file, without opening it where its marks are trusted and say that it is what it was. */
  sweep(key: SourceKey, trustMarks: boolean): Promise<Retired | undefined> {
    const source = this.#source(key);
    if (source.last === undefined) return Promise.resolve(undefined);
    return this.#turns.run([key], async () => {
      const before = source.generation;
      if (!trustMarks || !(await this.#isSettled(source))) await this.#lookAnyway(key);
      return source.generation === before
        ? undefined
        : { key, change: source.change ?? "changed", generation: source.generation };
    });
  }

  /** What can no longer be read has no live snapshot either; that is all a sweep wants to know. */
  async #lookAnyway(key: SourceKey): Promise<void> {
    try {
      await this.look(key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #isSettled({ key, last, names }: Source): Promise<boolean> {
    if (last === undefined || last === "missing") return (await this.disk.mark(key)) === "missing";
    if (last.mark.recent) return false;
    for (const name of names.size === 0 ? [key] : names) {
      const mark = await this.disk.mark(name);
      if (mark === "missing" || mark.stamp !== last.mark.stamp) return false;
    }
    return true;
  }

  /** Takes a snapshot, and gives its text with it. */
  async capture(
    path: string,
    cwd: string,
    owner: Owner | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly snapshot: Snapshot; readonly text: string }> {
    const { name, key } = await this.locate(path, cwd);
    return this.#turns.run([key], async () => {
      const seen = await this.look(key, signal);
      if (seen === "missing") {
        const shown = nameFor(owner ?? { session: "", root: cwd }, name);
        throw new Refusal("not_found", `there is no file ${shown}`, "look for it with search");
      }
      return this.snapshot(key, name, seen);
    });
  }

  /**
   * The snapshot of what was just seen.
   *
   * @throws Refusal `not_utf8`, `binary`
   */
  snapshot(
    key: SourceKey,
    name: string,
    { digest, bytes }: Pick<Seen, "digest" | "bytes">,
  ): { readonly snapshot: Snapshot; readonly text: string } {
    const decoded = decode(bytes);
    if (decoded instanceof Refusal) throw decoded;
    const { text, bom } = decoded;
    const source = this.#source(key);
    source.names.add(name);
    return {
      snapshot: {
        key,
        name,
        digest,
        generation: source.generation,
        bom,
        eol: lineEndingOf(text),
        length: text.length as Utf16,
      },
      text,
    };
  }

  /** Whether nothing was seen to happen to the file since the snapshot. */
  isCurrent({ key, generation }: Snapshot): boolean {
    return this.sources.get(key)?.generation === generation;
  }

  /**
   * The bytes of a part's file, which are those of its snapshot.
   *
   * @throws Refusal `retired_reference` where that was known before; `stale_source`, `source_missing` and
   * `source_moved` where it is found now
   */
  async verify({ snapshot }: Part, owner: Owner, signal?: AbortSignal): Promise<Uint8Array> {
    const name = nameFor(owner, snapshot.name);
    if (!this.isCurrent(snapshot)) throw retiredRefusal(name);
    const seen = await this.observe(snapshot.key, signal);
    if (seen !== "missing" && this.isCurrent(snapshot)) return seen.bytes;
    throw staleRefusal(this.#source(snapshot.key).change ?? "changed", name);
  }

  /** How the present generation of a file began. */
  lastChange(key: SourceKey): Change {
    return this.sources.get(key)?.change ?? "changed";
  }

  generation(key: SourceKey): number {
    return this.sources.get(key)?.generation ?? 0;
  }

  clear(): void {
    this.sources.clear();
    this.linked.clear();
  }

  #source(key: SourceKey): Source {
    let source = this.sources.get(key);
    if (source === undefined) {
      source = { key, generation: 0, last: undefined, change: undefined, names: new Set() };
      this.sources.set(key, source);
    }
    return source;
  }

  #begin(source: Source, change: Change): void {
    source.generation++;
    source.change = change;
    source.names.clear();
  }

  async #hasMoved(source: Source): Promise<boolean> {
    for (const name of source.names) {
      const { key } = await this.locate(name, "/");
      if (key !== source.key) return true;
    }
    return false;
  }

  /** A file's bytes and a mark that was the same before and after they were read. */
  async #read(source: Source, signal?: AbortSignal): Promise<{ mark: Mark | "missing"; bytes?: Uint8Array }> {
    for (let round = 0; round < READS; round++) {
      const mark = await this.disk.mark(source.key);
      if (mark === "missing") return { mark };
      if (mark.kind !== "file") {
        if (source.last !== undefined) this.#begin(source, "changed");
        source.last = undefined;
        throw mark.kind === "directory"
          ? new Refusal("wrong_kind", "that is a folder", "name a file in it")
          : new Refusal("wrong_kind", "that is neither a file nor a folder", "name a file");
      }
      if (mark.size > this.#maxBytes) {
        if (source.last !== undefined) this.#begin(source, "changed");
        source.last = undefined;
        throw new Refusal(
          "too_large",
          `the file has ${mark.size} bytes, and ${this.#maxBytes} can be edited at the most`,
          "look at parts of it with read, offset and limit",
        );
      }
      let bytes: Uint8Array;
      try {
        bytes = await this.disk.read(source.key, signal);
      } catch (error) {
        if (signal?.aborted === true)
          throw new Refusal("cancelled", "the call was cancelled", "call again", { cause: error });
        if (isAbsent(error)) continue;
        throw new Refusal("unreadable", `the file cannot be read (${systemCode(error)})`, "make it readable", {
          cause: error,
        });
      }
      const after = await this.disk.mark(source.key);
      if (after !== "missing" && after.stamp === mark.stamp) return { mark: after, bytes };
    }
    throw new Refusal("stale_source", "the file changes while it is read", "read it again when it has come to rest");
  }
}

function isAbsent(error: unknown): boolean {
  return systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR";
}

/** The code with which the file system failed. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}

/** The reference was dead before it was used. */
export function retiredRefusal(name: string): Refusal {
  return new Refusal("retired_reference", `${name} changed since the reference was issued`, "read the file again");
}

/** The reference is found dead in its use. */
export function staleRefusal(change: Change, name: string): Refusal {
  switch (change) {
    case "missing":
      return new Refusal("source_missing", `${name} is gone`, "look for it with search");
    case "moved":
      return new Refusal("source_moved", `${name} leads to another file now`, "read the file again");
    case "changed":
      return new Refusal("stale_source", `${name} is not as it was seen`, "read the file again");
  }
}
