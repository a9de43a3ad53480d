import type { Digest, Handle, SavedChange, SourceKey } from "@notesoup/ide-registry";
import type { IdeLimits } from "./limits.ts";

/** What a file held before a change, and what it must hold for the change to be undone. */
export interface BeforeImage {
  readonly key: SourceKey;
  readonly before: Uint8Array | "missing";
  readonly mode: number | undefined;
  after: SavedChange["after"];
  /** The edits that the change was made for. */
  readonly results: readonly Handle[];
}

/** The last changes of a session, bounded in number and bytes: the oldest leave first. */
export class UndoMemory {
  readonly #limits: IdeLimits;
  #images: BeforeImage[] = [];

  constructor(limits: IdeLimits) {
    this.#limits = limits;
  }

  /** Remembers a change. */
  add({ key, before, mode, after, results }: SavedChange): void {
    this.#images.push({ key, before, mode, after, results });
    let bytes = this.#images.reduce((sum, image) => sum + sizeOf(image), 0);
    while (this.#images.length > this.#limits.undoFiles || bytes > this.#limits.undoBytes) {
      const oldest = this.#images.shift();
      if (oldest === undefined) break;
      bytes -= sizeOf(oldest);
    }
  }

  /** What post-edit processing made of a file that was just changed belongs to that change. */
  settle(key: SourceKey, was: SavedChange["after"], now: Digest): void {
    const last = this.last(key);
    if (last?.after === was) last.after = now;
  }

  /** The last change of a file. */
  last(key: SourceKey): BeforeImage | undefined {
    return this.#images.findLast((image) => image.key === key);
  }

  /** Forgets one change, or all of a file. */
  drop(what: BeforeImage | SourceKey): void {
    this.#images = this.#images.filter((image) => image !== what && image.key !== what);
  }

  clear(): void {
    this.#images = [];
  }
}

function sizeOf({ before }: BeforeImage): number {
  return before === "missing" ? 0 : before.length;
}
