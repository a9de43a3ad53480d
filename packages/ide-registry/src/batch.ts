import type { SourceKey } from "./disk.ts";
import { encode, fittedTo, lineEndingOf, textOf } from "./encoding.ts";
import { applyEdits, overlapRefusal, type TextEdit } from "./edits.ts";
import { HeldRanges, type Handle, type Part, type Snapshot } from "./handle.ts";
import { nameFor, type Owner } from "./owner.ts";
import { Refusal } from "./refusal.ts";
import { type Effect, effectOfAll, type FileEffect, type FilePlan, saveFiles } from "./saving.ts";
import { retiredRefusal, type Seen, type Sources, staleRefusal } from "./sources.ts";
import { areOverlapping, compareSpans, span, type Span, type Utf16 } from "./span.ts";
import { Turns } from "./turns.ts";

/** An edit of text. */
export type Edit =
  /** Each range of `target` gives way to `text`, or to the text of the same number; empty text removes. */
  | { readonly kind: "splice"; readonly target: Handle; readonly text: string | readonly string[] }
  /** The text of each range of `source` takes the place of the range of `to` of the same number, and is removed where it was. */
  | { readonly kind: "transfer"; readonly source: Handle; readonly to: Handle; readonly remove: boolean };

/** An edit that waits to be saved. */
export interface Accepted {
  /** Stands for the new text, once the edit is saved. */
  readonly result: Handle;
  readonly files: readonly SourceKey[];
  /** How many ranges change. */
  readonly ranges: number;
}

/** What a commit came to. */
export interface CommitReport {
  readonly effect: Effect;
  readonly files: readonly FileEffect[];
  readonly edits: readonly { readonly result: Handle; readonly state: "live" | "rejected" }[];
}

/** A file that was written, and what it held before: for whoever wants to undo it. */
export interface SavedChange {
  readonly owner: Owner;
  readonly key: SourceKey;
  readonly before: Uint8Array | "missing";
  /** The permission bits that the file had. */
  readonly mode: number | undefined;
  readonly after: FileEffect["after"];
  /** What it holds now. */
  readonly content: Uint8Array | "missing";
  /** The edits that it was written for. */
  readonly results: readonly Handle[];
}

/** How a batch works. */
export interface BatchOptions {
  /** Whether later edits are still meant for the first bytes after a commit: for calls that are made together and saved one by one. */
  readonly keepsBase?: boolean;
  /** Is told of each file that was written, with what it held before. Nothing of that is kept here. */
  readonly saved?: ((change: SavedChange) => void) | undefined;
}

/** What a batch needs of its store. */
export interface BatchStore {
  readonly sources: Sources;
  /** What a handle holds, if it may be edited by this owner. */
  editable(handle: Handle, owner: Owner): HeldRanges;
  /** Reserves a handle for the result of an edit. */
  reserve(owner: Owner): HeldRanges;
  /** The texts of a handle's parts. */
  texts(
    held: HeldRanges,
    options: { readonly signal: AbortSignal | undefined; readonly batch: EditBatch },
  ): Promise<readonly string[]>;
  readonly maxUnits: number;
}

/** An edit of one range, on the snapshot that the batch began with. */
interface Planned extends TextEdit {
  readonly result: HeldRanges;
  /** Whether this text is what the edit's result stands for: the place that a move leaves is not. */
  readonly isResult: boolean;
}

/** A file in a batch. */
interface Base {
  readonly snapshot: Snapshot;
  /** The generation in which the file must be found at the commit. */
  generation: number;
  /** Edits that wait, in the order of their places; those at one place in the order of their acceptance. */
  waiting: Planned[];
  /** Edits that were saved on this base, in the same order. */
  saved: Planned[];
  /** How much longer the file is to become. */
  growth: number;
  /** The text of the snapshot, where later edits are still meant for it when the file holds another. */
  readonly text: string | undefined;
}

/** Where an edit goes. */
interface Placed {
  readonly part: Part;
  readonly planned: readonly Planned[];
}

const CANCELLED = "make the edit again if it is still wanted";

/**
 * Edits that are saved together. Each is accepted against the bytes from before the batch, whatever
 * was accepted in between, so that no call needs shifted positions; nothing is written until a commit.
 *
 * A batch that `keepsBase` serves calls that are made together and are each saved at once: after a
 * commit, later edits are still meant for the first bytes, and are carried over what the batch itself has saved.
 * Until it is closed, it holds the first text of each file that it edits.
 */
export class EditBatch {
  readonly #store: BatchStore;
  readonly #owner: Owner;
  readonly #keepsBase: boolean;
  readonly #saved: ((change: SavedChange) => void) | undefined;
  readonly #turns = new Turns();
  readonly #results = new Set<HeldRanges>();
  #bases = new Map<SourceKey, Base>();
  #pending: HeldRanges[] = [];
  #state: "open" | "committing" | "closed" = "open";

  constructor(store: BatchStore, owner: Owner, { keepsBase = false, saved }: BatchOptions) {
    this.#store = store;
    this.#owner = owner;
    this.#keepsBase = keepsBase;
    this.#saved = saved;
  }

  /** Whether edits can still be accepted, or are being saved. */
  get state(): "open" | "committing" | "closed" {
    return this.#state;
  }

  /** How many accepted edits wait to be saved. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** Whether a handle is the result of an edit of this batch. */
  owns(handle: Handle): boolean {
    return handle instanceof HeldRanges && this.#results.has(handle);
  }

  /**
   * Accepts an edit, to be saved with the next commit. A refusal leaves the batch as it was.
   *
   * @throws Refusal every code about references; `stale_source`, `source_missing`, `source_moved`, `conflict_on_disk`,
   * `incomplete`, `overlap`, `invalid_range`, `ill_formed_text`, `too_large`, `scope_closed`, `cancelled`
   */
  accept(edit: Edit, signal?: AbortSignal): Promise<Accepted> {
    return this.#inTurn(async () => {
      this.#requireOpen(signal);
      const result = this.#store.reserve(this.#owner);
      const placed =
        edit.kind === "splice" ? await this.#splice(edit, result, signal) : await this.#transfer(edit, result, signal);
      // Whoever gave up, or ended the scope, while files were looked at, wants none of it.
      this.#requireOpen(signal);
      this.#insert(placed);
      this.#results.add(result);
      this.#pending.push(result);
      return {
        result,
        files: [...new Set(placed.map(({ part }) => part.snapshot.key))],
        ranges: placed.reduce((sum, { planned }) => sum + planned.length, 0),
      };
    });
  }

  /**
   * The snapshot that later edits of a file are meant for, with its text, where the batch keeps it
   * and nobody else has changed the file since.
   */
  async base(
    key: SourceKey,
    signal?: AbortSignal,
  ): Promise<{ readonly snapshot: Snapshot; readonly text: string } | undefined> {
    const base = this.#bases.get(key);
    if (base?.text === undefined || base.saved.length === 0) return undefined;
    await this.#store.sources.observe(key, signal);
    return this.#store.sources.generation(key) === base.generation
      ? { snapshot: base.snapshot, text: base.text }
      : undefined;
  }

  /**
   * Saves what was accepted: each file is locked, compared with what the edits are meant for, and written once.
   * If one of them is another than it was, nothing is written. The batch then goes on with the
   * files as they are.
   */
  commit(signal?: AbortSignal): Promise<CommitReport> {
    return this.#inTurn(() => {
      this.#requireOpen();
      if (signal?.aborted === true) return Promise.resolve(this.#discard(cancelledRefusal("the commit was cancelled")));
      return this.#save();
    });
  }

  /** Ends the batch, after the edits that are under way: what waits is saved or given up. Nothing is accepted afterwards. */
  close(how: "commit" | "discard", reason = "the edits were given up"): Promise<CommitReport> {
    return this.#inTurn(async () => {
      if (this.#state === "closed") return { effect: "not-applied", files: [], edits: [] };
      const report = how === "commit" ? await this.#save() : this.#discard(cancelledRefusal(reason));
      this.#state = "closed";
      this.#bases.clear();
      return report;
    });
  }

  /** Ends the batch at once: whatever waits is given up, and what is under way is refused. */
  abandon(reason: string): void {
    this.#discard(cancelledRefusal(reason));
    this.#state = "closed";
    this.#bases.clear();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(["batch"], work);
  }

  #requireOpen(signal?: AbortSignal): void {
    if (this.#state === "closed") {
      throw new Refusal(
        "scope_closed",
        "the script or the message that this edit belongs to has ended",
        "edit in a new one",
      );
    }
    if (signal?.aborted === true) throw cancelledRefusal("the edit was cancelled");
  }

  async #splice(
    { target, text }: { readonly target: Handle; readonly text: string | readonly string[] },
    result: HeldRanges,
    signal?: AbortSignal,
  ): Promise<readonly Placed[]> {
    const held = this.#editable(target);
    const ranges = held.parts.reduce((count, { spans }) => count + spans.length, 0);
    const texts = typeof text === "string" ? Array.from({ length: ranges }, () => text) : text;
    if (texts.length !== ranges) throw new TypeError("there is a text for each range");
    for (const one of new Set(texts)) requireWritable(one, this.#store.maxUnits);
    const placed: Placed[] = [];
    let next = 0;
    for (const part of held.parts) {
      const { snapshot } = await this.#baseOf(part, signal);
      placed.push({
        part,
        planned: part.spans.map((one) => ({
          ...one,
          text: fittedTo(snapshot.eol, texts[next++] ?? ""),
          result,
          isResult: true,
        })),
      });
    }
    this.#requireFree(placed);
    return placed;
  }

  async #transfer(
    { source, to, remove }: { readonly source: Handle; readonly to: Handle; readonly remove: boolean },
    result: HeldRanges,
    signal?: AbortSignal,
  ): Promise<readonly Placed[]> {
    const from = this.#editable(source);
    const destination = this.#editable(to);
    for (const part of [...from.parts, ...destination.parts]) await this.#baseOf(part, signal);
    const texts = await this.#store.texts(from, { signal, batch: this });
    const taken = from.parts.flatMap((part, index) =>
      part.spans.map(({ start, end }) => texts[index]?.slice(start, end) ?? ""),
    );
    const places = destination.parts.reduce((count, { spans }) => count + spans.length, 0);
    if (taken.length !== places) {
      throw new Refusal(
        "invalid_range",
        `${taken.length} ranges cannot go to ${places} places`,
        "name as many places as there are ranges, or one item of each",
      );
    }
    let next = 0;
    const placed: Placed[] = destination.parts.map((part) => ({
      part,
      planned: part.spans.map((one) => ({
        ...one,
        text: fittedTo(part.snapshot.eol, taken[next++] ?? ""),
        result,
        isResult: true,
      })),
    }));
    if (remove) {
      for (const part of from.parts) {
        placed.push({ part, planned: part.spans.map((one) => ({ ...one, text: "", result, isResult: false })) });
      }
    }
    this.#requireFree(placed);
    return placed;
  }

  #editable(handle: Handle): HeldRanges {
    const held = this.#store.editable(handle, this.#owner);
    if (!held.complete) {
      throw new Refusal(
        "incomplete",
        "the result does not hold all that was asked for",
        "narrow the search, or edit single items such as UUID#1",
      );
    }
    return held;
  }

  /** The file that a part is of, as the batch began with it. */
  async #baseOf(part: Part, signal?: AbortSignal): Promise<Base> {
    const { snapshot } = part;
    const name = nameFor(this.#owner, snapshot.name);
    const known = this.#bases.get(snapshot.key);
    if (known === undefined || this.#isOver(known, snapshot)) {
      const bytes = await this.#store.sources.verify(part, this.#owner, signal);
      const text = this.#keepsBase ? textOf(bytes) : undefined;
      const base: Base = { snapshot, generation: snapshot.generation, waiting: [], saved: [], growth: 0, text };
      this.#bases.set(snapshot.key, base);
      return base;
    }
    if (known.snapshot.generation !== snapshot.generation) {
      // What another edit of the same message has made cannot be known to this one.
      throw retiredRefusal(name);
    }
    if (this.#store.sources.generation(snapshot.key) !== known.generation) {
      throw this.#keepsBase ? conflictRefusal(name) : staleRefusal(this.#store.sources.lastChange(snapshot.key), name);
    }
    return known;
  }

  /**
   * Whether a base binds nobody any more: nothing was accepted on it, for an edit was refused; or somebody else changed
   * the file since, nothing waits, and the snapshot is of the file as it is now.
   */
  #isOver({ generation, waiting, saved }: Base, snapshot: Snapshot): boolean {
    if (waiting.length > 0) return false;
    const now = this.#store.sources.generation(snapshot.key);
    return saved.length === 0 || (generation !== now && snapshot.generation === now);
  }

  /** Refuses what touches an accepted edit, or itself. */
  #requireFree(placed: readonly Placed[]): void {
    const growth = new Map<Base, number>();
    const mine = new Map<Base, Planned[]>();
    for (const { part, planned } of placed) {
      const base = this.#bases.get(part.snapshot.key) as Base;
      for (const edit of planned) {
        if (isTaken(base.waiting, edit) || isTaken(base.saved, edit))
          throw overlapRefusal(nameFor(this.#owner, part.snapshot.name));
        growth.set(base, (growth.get(base) ?? 0) + edit.text.length - (edit.end - edit.start));
      }
      mine.set(base, [...(mine.get(base) ?? []), ...planned]);
    }
    for (const [{ snapshot, growth: before }, added] of growth) {
      if (snapshot.length + before + added > this.#store.maxUnits) throw tooLargeRefusal(this.#store.maxUnits);
    }
    for (const [{ snapshot }, edits] of mine) {
      const sorted = edits.toSorted(compareSpans);
      let furthest: Planned | undefined;
      for (const edit of sorted) {
        if (furthest !== undefined && areOverlapping(furthest, edit))
          throw overlapRefusal(nameFor(this.#owner, snapshot.name));
        if (furthest === undefined || edit.end >= furthest.end) furthest = edit;
      }
    }
  }

  #insert(placed: readonly Placed[]): void {
    for (const { part, planned } of placed) {
      const base = this.#bases.get(part.snapshot.key) as Base;
      for (const edit of planned) {
        insertInOrder(base.waiting, edit);
        base.growth += edit.text.length - (edit.end - edit.start);
      }
    }
  }

  #discard(reason: Refusal): CommitReport {
    const files = [...this.#bases.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .map(({ snapshot }): FileEffect => {
        const { key, digest } = snapshot;
        return {
          key,
          shown: nameFor(this.#owner, snapshot.name),
          effect: "not-applied",
          reason,
          before: digest,
          after: digest,
        };
      });
    return this.#settle(files, () => reason);
  }

  /** Rejects or confirms all that waits, and begins anew. */
  #settle(files: readonly FileEffect[], reasonFor: (result: HeldRanges) => Refusal | undefined): CommitReport {
    const edits = this.#pending.map((result) => {
      const reason = reasonFor(result);
      if (reason !== undefined) result.reject(reason);
      return { result, state: reason === undefined ? ("live" as const) : ("rejected" as const) };
    });
    this.#pending = [];
    if (this.#keepsBase) for (const base of this.#bases.values()) base.waiting = [];
    else this.#bases = new Map();
    return { effect: effectOfAll(files), files, edits };
  }

  async #save(): Promise<CommitReport> {
    const touched = [...this.#bases.values()].filter(({ waiting }) => waiting.length > 0);
    const keys = touched.map(({ snapshot }) => snapshot.key).toSorted();
    this.#state = "committing";
    try {
      const { sources } = this.#store;
      return await sources.disk.exclusive(keys, () => sources.inTurn(keys, () => this.#saveLocked(touched)));
    } finally {
      // It may have been abandoned meanwhile.
      if (this.#state === "committing") this.#state = "open";
    }
  }

  async #saveLocked(touched: readonly Base[]): Promise<CommitReport> {
    const found = await Promise.all(touched.map((base) => this.#lookAgain(base)));
    const conflict = found.find((one) => one instanceof Refusal);
    if (conflict !== undefined) {
      const files = touched.map(({ snapshot }, index): FileEffect => {
        const now = found[index];
        const reason = now instanceof Refusal ? now : conflict;
        const { key, digest } = snapshot;
        const after = now instanceof Refusal || now === undefined ? "unknown" : now.seen.digest;
        return {
          key,
          shown: nameFor(this.#owner, snapshot.name),
          effect: "not-applied",
          reason,
          before: digest,
          after,
        };
      });
      return this.#settle(files, () => conflict);
    }
    // Nothing waits, or it was given up while the files were looked at.
    if (this.#pending.length === 0) return { effect: "not-applied", files: [], edits: [] };
    const work = touched.map((base, index) => this.#plan(base, found[index] as Found));
    const files = await saveFiles(
      this.#store.sources,
      work.map(({ plan }) => plan),
    );
    return this.#conclude(work, files);
  }

  /** What a file holds now, if it is what the batch began with, and what the batch itself made of it. */
  async #lookAgain(base: Base): Promise<Found | Refusal> {
    const { sources } = this.#store;
    const { key, name } = base.snapshot;
    const conflict = conflictRefusal(nameFor(this.#owner, name));
    try {
      const seen = await sources.look(key);
      if (seen === "missing" || sources.generation(key) !== base.generation) return conflict;
      return { seen, text: sources.snapshot(key, name, seen).text };
    } catch (error) {
      if (error instanceof Refusal) return conflict;
      throw error;
    }
  }

  #plan(base: Base, { seen, text }: Found): Work {
    const { key, bom, name } = base.snapshot;
    const edits = base.waiting.map((edit) => ({ ...carried(edit, base.saved), text: edit.text }));
    const result = applyEdits(text, edits);
    const plan: FilePlan = {
      key,
      shown: nameFor(this.#owner, name),
      before: seen,
      after: encode(result.text, bom),
    };
    return { base, plan, text: result.text, after: result.after };
  }

  #conclude(work: readonly Work[], files: readonly FileEffect[]): CommitReport {
    const failures = new Map<HeldRanges, Refusal>();
    const parts = new Map<HeldRanges, Part[]>();
    const anyFailure = files.find(({ reason }) => reason?.code === "write_failed")?.reason;
    work.forEach(({ base, text, after, plan }, index) => {
      const file = files[index] as FileEffect;
      const snapshot = this.#snapshotNow(base, text, file, plan);
      base.waiting.forEach((edit, position) => {
        if (file.reason !== undefined) failures.set(edit.result, file.reason);
        else if (edit.isResult) addTo(parts, edit.result, { snapshot, spans: [after[position] as Span] });
      });
      if (file.effect !== "applied") return;
      base.generation = snapshot.generation;
      for (const edit of base.waiting) insertInOrder(base.saved, edit);
      this.#saved?.({
        owner: this.#owner,
        key: plan.key,
        before: plan.before === "missing" ? "missing" : plan.before.bytes,
        mode: plan.before === "missing" ? undefined : plan.before.mode,
        after: file.after,
        content: plan.after,
        results: [...new Set(base.waiting.map(({ result }) => result))],
      });
    });
    const pending = [...this.#pending];
    const report = this.#settle(files, (result) => anyFailure ?? failures.get(result));
    for (const result of pending) {
      if (result.settled === "pending") result.confirm(joined(parts.get(result) ?? []));
    }
    return report;
  }

  #snapshotNow({ snapshot }: Base, text: string, file: FileEffect, plan: FilePlan): Snapshot {
    const digest = file.after === "missing" || file.after === "unknown" ? snapshot.digest : file.after;
    const bytes = plan.after === "missing" ? new Uint8Array() : plan.after;
    const { sources } = this.#store;
    if (file.effect === "applied") return sources.snapshot(snapshot.key, snapshot.name, { digest, bytes }).snapshot;
    return {
      ...snapshot,
      generation: sources.generation(snapshot.key),
      eol: lineEndingOf(text),
      length: text.length as Utf16,
    };
  }
}

interface Found {
  readonly seen: Seen;
  readonly text: string;
}

interface Work {
  readonly base: Base;
  readonly plan: FilePlan;
  readonly text: string;
  readonly after: readonly Span[];
}

function addTo(parts: Map<HeldRanges, Part[]>, result: HeldRanges, part: Part): void {
  const list = parts.get(result);
  if (list === undefined) parts.set(result, [part]);
  else list.push(part);
}

/** One part a file, its ranges in order. */
function joined(parts: readonly Part[]): readonly Part[] {
  const byFile = Map.groupBy(parts, ({ snapshot }) => snapshot.key);
  return Array.from(byFile.values(), (group) => ({
    snapshot: (group[0] as Part).snapshot,
    spans: group.flatMap(({ spans }) => spans).toSorted(compareSpans),
  }));
}

/** The first place in the order at which an edit may stand: after all that begin before it, or at its place and before it. */
function placeIn(edits: readonly Planned[], edit: Span): number {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareSpans(edits[middle] as Span, edit) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insertInOrder(edits: Planned[], edit: Planned): void {
  edits.splice(placeIn(edits, edit), 0, edit);
}

/** Whether an edit touches one of those, which touch none of each other. */
function isTaken(edits: readonly Planned[], edit: Span): boolean {
  const place = placeIn(edits, edit);
  const before = edits[place - 1];
  const after = edits[place];
  return (before !== undefined && areOverlapping(before, edit)) || (after !== undefined && areOverlapping(after, edit));
}

/** Where a range lies after edits that were saved on the same text. */
function carried(edit: Span, saved: readonly Planned[]): Span {
  let shift = 0;
  for (const { start, end, text } of saved) {
    if (end > edit.start) break;
    shift += text.length - (end - start);
  }
  return span(edit.start + shift, edit.end + shift);
}

function requireWritable(text: string, maxUnits: number): void {
  if (!text.isWellFormed()) {
    throw new Refusal("ill_formed_text", "the text holds half a character", "give the text with whole characters");
  }
  if (text.length > maxUnits) throw tooLargeRefusal(maxUnits);
}

function tooLargeRefusal(maxUnits: number): Refusal {
  return new Refusal("too_large", `a file may have ${maxUnits} units at the most`, "write less text");
}

function conflictRefusal(name: string): Refusal {
  return new Refusal(
    "conflict_on_disk",
    `${name} changed before the edits were saved`,
    "read the file again and edit anew",
  );
}

function cancelledRefusal(what: string): Refusal {
  return new Refusal("cancelled", what, CANCELLED);
}
