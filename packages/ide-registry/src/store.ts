import { type BatchOptions, EditBatch, type BatchStore, type SavedChange } from "./batch.ts";
import { textOf } from "./encoding.ts";
import type { Digest, Disk, SourceKey } from "./disk.ts";
import {
  HeldRanges,
  type Handle,
  type HandleState,
  type Item,
  type Part,
  type Snapshot,
  type TextPart,
} from "./handle.ts";
import { Lines } from "./lines.ts";
import { nameFor, type Owner, requireOwner } from "./owner.ts";
import type { Selection } from "./reference.ts";
import { Refusal } from "./refusal.ts";
import { type FileEffect, type FilePlan, saveFiles } from "./saving.ts";
import { type Retired, type Seen, Sources, staleRefusal } from "./sources.ts";
import { areWithin, requireBoundaries, span } from "./span.ts";

/** What a handle stands for, verified a moment ago. */
export interface Held {
  readonly complete: boolean;
  readonly parts: readonly TextPart[];
  readonly items: readonly Item[];
}

/** How a handle is looked into. */
export interface LookOptions {
  readonly signal?: AbortSignal | undefined;
  /** The batch that an edit of these ranges is for: if it keeps its base, what they hold is what they held before it. */
  readonly batch?: EditBatch | undefined;
}

/** What a file is to become: these bytes, or nothing. */
export interface FileChange {
  readonly path: string;
  readonly to: Uint8Array | undefined;
  /** What the file must be now; whatever it is, if absent. */
  readonly expect?: Snapshot | Digest | "missing" | undefined;
  /** The permission bits of a new file. */
  readonly mode?: number | undefined;
}

/** How {@link SourceStore.save} works. */
export interface SaveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is told of each file that was written, with what it held before. Nothing of that is kept here. */
  readonly saved?: ((change: SavedChange) => void) | undefined;
}

/** What came of {@link SourceStore.save}. */
export interface SavedFiles {
  readonly files: readonly FileEffect[];
  /** A handle of the whole text of each file, in the order given; none of one that was removed, not saved, or has no text. */
  readonly handles: readonly (Handle | undefined)[];
}

/** How much the store takes on. */
export interface StoreLimits {
  /** The most bytes of a file that can be edited. */
  readonly fileBytes: number;
}

/** Files as they were seen, ranges of them, and their edits. It holds no text of any file. */
export class SourceStore {
  private readonly sources: Sources;
  readonly #limits: StoreLimits;
  #known = new WeakSet<HeldRanges>();
  readonly #batches = new Set<WeakRef<EditBatch>>();

  constructor(disk: Disk, limits: StoreLimits) {
    this.sources = new Sources(disk, limits.fileBytes);
    this.#limits = limits;
  }

  /** Where a path leads: all names of one file to one key. */
  locate(
    path: string,
    cwd: string,
  ): Promise<{ readonly name: string; readonly key: SourceKey; readonly exists: boolean }> {
    return this.sources.locate(path, cwd);
  }

  /**
   * Reads a file and takes a snapshot of it.
   *
   * @throws Refusal `not_found`, `wrong_kind`, `not_utf8`, `binary`, `too_large`, `unreadable`, `cancelled`
   */
  capture(
    path: string,
    cwd: string,
    owner?: Owner,
    signal?: AbortSignal,
  ): Promise<{ readonly snapshot: Snapshot; readonly text: string }> {
    return this.sources.capture(path, cwd, owner, signal);
  }

  /**
   * Takes ranges of captured files into hold. The texts serve to check the ranges, and are not kept.
   *
   * @throws Refusal `invalid_range`, `splits_code_point`, `splits_crlf`
   */
  hold(
    owner: Owner,
    parts: readonly TextPart[],
    options: { readonly items?: readonly Item[]; readonly complete: boolean },
  ): Handle {
    requireParts(parts);
    requireItems(parts, options.items ?? []);
    return this.#add(new HeldRanges(owner, "live", parts.map(withoutText), options));
  }

  /**
   * Narrower ranges of the same files as one or more handles hold. Only where the operation says
   * that it `grows` may they lie outside of what those cover.
   *
   * @throws Refusal `outside_scope`, `pending_reference`, `rejected_reference`, and as {@link SourceStore.hold}
   */
  derive(
    bases: readonly Handle[],
    parts: readonly TextPart[],
    options: { readonly grows?: boolean; readonly items?: readonly Item[] } = {},
  ): Handle {
    const held = bases.map((base) => this.#settled(base));
    const [first] = held;
    if (first === undefined) throw new TypeError("ranges are derived from at least one handle");
    for (const { owner } of held) requireOwner(owner, first.owner);
    requireParts(parts);
    requireItems(parts, options.items ?? []);
    for (const { snapshot, spans } of parts) {
      const covered = held.flatMap((base) => base.parts.filter((part) => isSame(part.snapshot, snapshot)));
      if (
        covered.length === 0 ||
        (options.grows !== true &&
          !areWithin(
            spans,
            covered.flatMap((part) => part.spans),
          ))
      ) {
        throw outsideRefusal(nameFor(first.owner, snapshot.name));
      }
    }
    const complete = held.every((base) => base.complete);
    return this.#add(
      new HeldRanges(first.owner, "live", parts.map(withoutText), { items: options.items ?? [], complete }),
    );
  }

  /**
   * An item, a capture or lines of what a handle holds. An item is whole even where the result is not.
   *
   * @throws Refusal `invalid_range` where there is none such; `outside_scope` where lines are not all among the ranges;
   * as {@link SourceStore.use} for lines, which are counted in the file's text
   */
  async pick(handle: Handle, owner: Owner, selection: Selection, options: LookOptions = {}): Promise<Handle> {
    const held = this.#settled(handle);
    requireOwner(held.owner, owner);
    const parts = selection.item === undefined ? held.parts : pickItem(held, selection);
    const picked =
      selection.lines === undefined ? parts : [await this.#pickLines(parts, owner, selection.lines, options)];
    return this.#add(new HeldRanges(owner, "live", picked, { complete: true }));
  }

  async #pickLines(
    parts: readonly Part[],
    owner: Owner,
    [first, last]: readonly [number, number],
    options: LookOptions,
  ): Promise<Part> {
    const [part] = parts;
    if (part === undefined || parts.length > 1) {
      throw new Refusal(
        "invalid_range",
        "lines are of one file, and the result has several or none",
        "name an item, such as UUID#1@3",
      );
    }
    const text = await this.#textOf(part, owner, options);
    const lines = new Lines(text).content(first, last);
    if (!areWithin([lines], part.spans)) throw outsideRefusal(nameFor(owner, part.snapshot.name));
    return { snapshot: part.snapshot, spans: [lines] };
  }

  /**
   * What a handle holds, with the texts, which are those of the files now and those of the moment when
   * the handle was made.
   *
   * @throws Refusal `unknown_reference`, `pending_reference`, `rejected_reference`, `retired_reference`,
   * `foreign_session`, `foreign_worktree`, `stale_source`, `source_missing`, `source_moved`, `cancelled`
   */
  async use(handle: Handle, owner: Owner, options: LookOptions = {}): Promise<Held> {
    const held = this.#settled(handle);
    requireOwner(held.owner, owner);
    return { complete: held.complete, items: held.items, parts: await this.#verified(held, options) };
  }

  async #verified(held: HeldRanges, options: LookOptions): Promise<readonly TextPart[]> {
    const texts = new Map<SourceKey, string>();
    const parts: TextPart[] = [];
    for (const part of held.parts) {
      const { key } = part.snapshot;
      const text = texts.get(key) ?? (await this.#textOf(part, held.owner, options));
      texts.set(key, text);
      parts.push({ ...part, text });
    }
    // A file that changed while the others were read.
    for (const { snapshot } of held.parts) {
      const isCurrent = this.sources.isCurrent(snapshot) || (await this.#kept(snapshot, options)) !== undefined;
      if (!isCurrent) throw staleRefusal("changed", nameFor(held.owner, snapshot.name));
    }
    return parts;
  }

  async #textOf(part: Part, owner: Owner, options: LookOptions): Promise<string> {
    return (await this.#kept(part.snapshot, options)) ?? textOf(await this.sources.verify(part, owner, options.signal));
  }

  async #kept(snapshot: Snapshot, { batch, signal }: LookOptions): Promise<string | undefined> {
    const base = await batch?.base(snapshot.key, signal);
    return base?.snapshot.generation === snapshot.generation ? base.text : undefined;
  }

  /** Where a handle stands. */
  state(handle: Handle): HandleState {
    if (!(handle instanceof HeldRanges) || !this.#known.has(handle)) return "retired";
    if (handle.settled !== "live") return handle.settled;
    return handle.parts.every(({ snapshot }) => this.sources.isCurrent(snapshot)) ? "live" : "retired";
  }

  /**
   * Looks at files, all that are known if none are named. Marks are trusted, and only what moved or
   * changed a moment ago is read, unless `trustMarks` is false.
   *
   * @returns the files whose references retired
   */
  async observe(
    keys?: Iterable<SourceKey>,
    { trustMarks = true }: { readonly trustMarks?: boolean } = {},
  ): Promise<readonly Retired[]> {
    const retired: Retired[] = [];
    for (const key of keys ?? this.sources.keys()) {
      const found = await this.sources.sweep(key, trustMarks);
      if (found !== undefined) retired.push(found);
    }
    return retired;
  }

  /** Begins a batch of edits. One that `keepsBase` serves calls that are made together, each saved at once. */
  batch(owner: Owner, options: BatchOptions = {}): EditBatch {
    const batch = new EditBatch(this.#forBatches(), owner, options);
    for (const ended of this.#batches) {
      const one = ended.deref();
      if (one === undefined || one.state === "closed") this.#batches.delete(ended);
    }
    this.#batches.add(new WeakRef(batch));
    return batch;
  }

  #forBatches(): BatchStore {
    return {
      sources: this.sources,
      editable: (handle, owner) => {
        const held = this.#settled(handle);
        requireOwner(held.owner, owner);
        return held;
      },
      reserve: (owner) => this.#add(new HeldRanges(owner, "pending", [], { complete: true })),
      texts: async (held, options) => (await this.#verified(held, options)).map(({ text }) => text),
      maxUnits: this.#limits.fileBytes,
    };
  }

  /**
   * Writes, makes and removes whole files, all or none of them, at once.
   *
   * @throws Refusal `stale_source` where a file is not as expected, `overlap` where two changes are of one file;
   * `too_large`, `wrong_kind`, `unreadable`, `cancelled`
   */
  async save(
    owner: Owner,
    cwd: string,
    changes: readonly FileChange[],
    { signal, saved }: SaveOptions = {},
  ): Promise<SavedFiles> {
    const located = await Promise.all(
      changes.map(async (change) => {
        if (change.to !== undefined && change.to.length > this.#limits.fileBytes) {
          throw new Refusal("too_large", `a file may have ${this.#limits.fileBytes} bytes at the most`, "write less");
        }
        return { change, ...(await this.sources.locate(change.path, cwd)) };
      }),
    );
    const keys = located.map(({ key }) => key).toSorted();
    if (new Set(keys).size < keys.length) {
      throw new Refusal("overlap", "two of the names lead to one file", "name different files");
    }
    return this.sources.disk.exclusive(keys, () =>
      this.sources.inTurn(keys, async () => {
        const plans: FilePlan[] = [];
        for (const { change, key, name } of located) {
          const before = await this.sources.look(key);
          this.#requireExpected(change, before, nameFor(owner, name));
          plans.push({ key, shown: nameFor(owner, name), before, after: change.to ?? "missing", mode: change.mode });
        }
        if (signal?.aborted === true) throw new Refusal("cancelled", "the call was cancelled", "call again");
        const files = await saveFiles(this.sources, plans);
        files.forEach((file, index) => {
          const { before } = plans[index] as FilePlan;
          if (file.effect !== "applied") return;
          const seen = before === "missing" ? undefined : before;
          saved?.({
            owner,
            key: file.key,
            before: seen?.bytes ?? "missing",
            mode: seen?.mode,
            after: file.after,
            content: (plans[index] as FilePlan).after,
            results: [],
          });
        });
        return {
          files,
          handles: files.map((file, index) =>
            this.#wholeOf(owner, file, plans[index] as FilePlan, located[index]?.name ?? ""),
          ),
        };
      }),
    );
  }

  #requireExpected({ expect }: FileChange, now: Seen | "missing", shown: string): void {
    if (expect === undefined) return;
    const isExpected =
      typeof expect === "string"
        ? (now === "missing" ? now : now.digest) === expect
        : now !== "missing" && this.sources.isCurrent(expect);
    if (isExpected) return;
    throw new Refusal("stale_source", `${shown} is not as it was seen`, "read the file again");
  }

  #wholeOf(owner: Owner, { key, effect, reason }: FileEffect, { after }: FilePlan, name: string): Handle | undefined {
    if (effect === "unknown" || reason !== undefined || after === "missing") return undefined;
    try {
      const { snapshot } = this.sources.snapshot(key, name, { digest: this.sources.disk.digest(after), bytes: after });
      return this.#add(
        new HeldRanges(owner, "live", [{ snapshot, spans: [span(0, snapshot.length)] }], { complete: true }),
      );
    } catch (error) {
      // What has no text is written all the same.
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  /** Forgets everything, and ends every batch without saving. Handles made before are unknown. */
  clear(): void {
    for (const batch of this.#batches) batch.deref()?.abandon("the session has ended");
    this.#batches.clear();
    this.#known = new WeakSet();
    this.sources.clear();
  }

  #add(held: HeldRanges): HeldRanges {
    this.#known.add(held);
    return held;
  }

  /** What a handle holds, unless the edit that it stands for is not saved. */
  #settled(handle: Handle): HeldRanges {
    if (!(handle instanceof HeldRanges) || !this.#known.has(handle)) {
      throw new Refusal("unknown_reference", "the reference is of an earlier session", "read or search again");
    }
    if (handle.settled === "pending") {
      throw new Refusal(
        "pending_reference",
        "the edit that the reference stands for is not saved yet",
        "read the file, which saves it",
      );
    }
    if (handle.settled === "rejected") {
      throw new Refusal(
        "rejected_reference",
        `the edit that the reference stands for was not saved: ${handle.reason?.message ?? ""}`,
        "read the file again",
      );
    }
    return handle;
  }
}

function withoutText({ snapshot, spans }: Part): Part {
  return { snapshot, spans: [...spans] };
}

function isSame(one: Snapshot, other: Snapshot): boolean {
  return one.key === other.key && one.generation === other.generation;
}

function requireParts(parts: readonly TextPart[]): void {
  for (const { snapshot, spans, text } of parts) {
    if (text.length !== snapshot.length) throw new TypeError("the text is not that of the snapshot");
    for (const one of spans) requireBoundaries(text, one);
  }
}

function requireItems(parts: readonly TextPart[], items: readonly Item[]): void {
  const byPart = Map.groupBy(items, ({ part }) => part);
  for (const [index, ofPart] of byPart) {
    const part = parts[index];
    const spans = ofPart.flatMap(({ span: one, captures }) => [one, ...Object.values(captures ?? {}).flat()]);
    if (part === undefined || !areWithin(spans, part.spans)) throw new TypeError("an item lies within a part");
    for (const one of spans) requireBoundaries(part.text, one);
  }
}

function pickItem(held: HeldRanges, { item: number = 0, capture, nth }: Selection): readonly Part[] {
  const item = held.items[number - 1];
  const part = held.parts[item?.part ?? -1];
  if (item === undefined || part === undefined) {
    throw new Refusal(
      "invalid_range",
      held.items.length === 0 ? "the result has no items" : `there is no item ${number} of ${held.items.length}`,
      held.items.length === 0 ? "pass its UUID alone" : `choose one from #1 to #${held.items.length}`,
    );
  }
  const { snapshot } = part;
  if (capture === undefined) return [{ snapshot, spans: [item.span] }];
  const captures = item.captures ?? {};
  const spans = Object.hasOwn(captures, capture) ? captures[capture] : undefined;
  const chosen = nth === undefined ? spans : spans?.slice(nth, nth + 1);
  if (chosen === undefined || chosen.length === 0) {
    const names = Object.keys(captures);
    throw new Refusal(
      "invalid_range",
      `item ${number} has no capture ${capture}${nth === undefined ? "" : `[${nth}]`}`,
      names.length === 0 ? `use #${number} alone` : `choose one of ${names.join(", ")}`,
    );
  }
  return [{ snapshot, spans: chosen }];
}

function outsideRefusal(name: string): Refusal {
  return new Refusal("outside_scope", `the reference does not cover all of that in ${name}`, "read those lines first");
}
