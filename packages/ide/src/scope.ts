import {
  type Accepted,
  type CommitReport,
  decode,
  type Edit,
  type EditBatch,
  type Effect,
  type FileEffect,
  type Handle,
  Refusal,
  type SavedChange,
  shownName,
  type SourceKey,
} from "@notesoup/ide-registry";
import { diffTexts, type TextDiff } from "./text-diff.ts";
import type { Workbench } from "./workbench.ts";

/** `script`: edits are accepted, and saved together at a boundary. `message`: each is saved at once, and all are meant for the text from before the message. */
export type ScopeMode = "script" | "message";

/** A file that was written, as a receipt tells of it. */
export interface SavedFile {
  readonly key: SourceKey;
  readonly shown: string;
  /** Absent where one of the sides has no text, or they differ in too many lines. */
  readonly diff: TextDiff | undefined;
  /** The edits that it was written for. */
  readonly results: readonly Handle[];
}

/** What an edit came to, or that it waits. */
export interface EditOutcome {
  readonly accepted: Accepted;
  /** Absent where the edit waits. */
  readonly saved?: {
    readonly effect: Effect;
    readonly files: readonly FileEffect[];
    readonly written: readonly SavedFile[];
  };
}

/** What a scope came to. */
export interface ScopeReport {
  /** Whether an accepted edit was not saved, otherwise than by being discarded. */
  readonly failed: boolean;
  readonly effect: Effect;
  readonly files: readonly FileEffect[];
  /** What there is to tell: one line a file and one a formatter; empty where no edit was accepted. */
  readonly text: string;
}

/** Bytes of a diff in a receipt. */
const RECEIPT_DIFF_BYTES = 4 * 1024;

/** The edits of one script, or of one message of direct calls. */
export class Scope {
  readonly mode: ScopeMode;
  readonly #bench: Workbench;
  readonly #batch: EditBatch;
  readonly #lines: string[] = [];
  readonly #files: FileEffect[] = [];
  /** What each written file was left with, to be processed once at the end. */
  readonly #written = new Map<SourceKey, FileEffect>();
  #changes: SavedChange[] = [];
  #batches = 0;
  #failed = false;
  /** Edits by reference that wait: once they are saved, texts may be looked for again. */
  readonly #byReference = new Set<SourceKey>();
  #turn: Promise<unknown> = Promise.resolve();
  #report: ScopeReport | undefined;

  constructor(bench: Workbench, mode: ScopeMode) {
    this.mode = mode;
    this.#bench = bench;
    this.#batch = bench.store.batch(bench.owner, {
      keepsBase: mode === "message",
      saved: (change) => {
        this.#changes.push(change);
        bench.undo.add(change);
      },
    });
  }

  /** The batch that collects the edits. */
  get batch(): EditBatch {
    return this.#batch;
  }

  /** Whether edits are accepted. */
  get isOpen(): boolean {
    return this.#batch.state !== "closed";
  }

  /** Accepts an edit, and saves it where the scope saves at once. @throws Refusal where it is not accepted, or not saved */
  edit(edit: Edit, { byReference }: { readonly byReference: boolean }, signal?: AbortSignal): Promise<EditOutcome> {
    if (this.mode === "script") return this.#accept(edit, byReference, signal).then((accepted) => ({ accepted }));
    return this.#inTurn(async () => {
      const accepted = await this.#accept(edit, byReference, signal);
      const report = await this.#batch.commit();
      const written = this.#conclude(report);
      if (report.edits.some(({ result, state }) => result === accepted.result && state === "rejected"))
        throw failureOf(report);
      return { accepted, saved: { effect: report.effect, files: report.files, written } };
    });
  }

  async #accept(edit: Edit, byReference: boolean, signal?: AbortSignal): Promise<Accepted> {
    const accepted = await this.#batch.accept(edit, signal);
    if (byReference) for (const key of accepted.files) this.#byReference.add(key);
    return accepted;
  }

  /** Saves what waits, before something that looks at files. @throws Refusal where it cannot be saved */
  boundary(): Promise<void> {
    return this.#inTurn(async () => {
      // Also edits that are under way: the batch takes its turns in the order of asking.
      if (!this.isOpen) return;
      const report = await this.#batch.commit();
      if (report.edits.length === 0) return;
      this.#conclude(report);
      if (report.edits.some(({ state }) => state === "rejected")) throw failureOf(report);
    });
  }

  /** Tells of a whole file that was written at once, so that it is processed and told of with the rest. */
  wrote(files: readonly FileEffect[]): void {
    for (const file of files) {
      this.#files.push(file);
      if (file.effect === "applied") this.#written.set(file.key, file);
    }
  }

  /** Forgets that a file is to be processed at the end: it was processed already. */
  processed(key: SourceKey): void {
    this.#written.delete(key);
  }

  /**
   * Ends the scope: saves what waits, or gives it up, and then processes each written file once. What
   * was saved before stays. The same report again where it has ended already.
   */
  end(
    how: "commit" | "discard",
    { reason, signal }: { readonly reason?: string; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ScopeReport> {
    return this.#inTurn(async () => {
      if (this.#report !== undefined) return this.#report;
      const report = await this.#batch.close(how, reason);
      if (report.edits.length > 0) {
        this.#conclude(report, how === "discard");
        if (how === "commit" && report.edits.some(({ state }) => state === "rejected")) this.#failed = true;
      }
      for (const file of this.#written.values()) this.#lines.push(...(await processFile(this.#bench, file, signal)));
      const effects = this.#files.map(({ effect }) => effect);
      const effect = effects.includes("unknown") ? "unknown" : effects.includes("applied") ? "applied" : "not-applied";
      const saved = `Edits: ${this.#batches} ${this.#batches === 1 ? "batch" : "batches"} saved.`;
      const text = this.#lines.length === 0 ? "" : [saved, ...this.#lines].join("\n");
      this.#report = { failed: this.#failed, effect, files: this.#files, text };
      return this.#report;
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Takes down what a commit came to. */
  #conclude({ files, edits }: CommitReport, isDiscarded = false): readonly SavedFile[] {
    const changes = this.#changes;
    this.#changes = [];
    const written = changes.map((change): SavedFile => this.#savedFile(change));
    if (edits.some(({ state }) => state === "live")) this.#batches++;
    for (const file of files) {
      this.#files.push(file);
      if (file.effect === "applied") this.#written.set(file.key, file);
      const saved = written.find(({ key }) => key === file.key);
      this.#lines.push(`${file.shown}: ${told(file, saved?.diff)}${this.#idsOf(saved)}`);
      if (file.reason === undefined && this.#byReference.delete(file.key)) this.#bench.blocked.delete(file.key);
    }
    if (edits.some(({ state }) => state === "rejected") && !isDiscarded) this.#failed = true;
    return written;
  }

  #idsOf(saved: SavedFile | undefined): string {
    const ids = (saved?.results ?? []).flatMap((result) => this.#bench.ids.get(result)?.slice(0, 8) ?? []);
    return ids.length === 0 ? "" : ` (${ids.map((id) => `${id}…`).join(", ")})`;
  }

  #savedFile({ key, before, content, results }: SavedChange): SavedFile {
    const shown = shownName(key, this.#bench.owner.root);
    const [old, now] = [before, content].map((bytes) => (bytes === "missing" ? { text: "" } : decode(bytes)));
    const diff =
      old === undefined || now === undefined || old instanceof Refusal || now instanceof Refusal
        ? undefined
        : diffTexts({ before: shown, after: shown }, old.text, now.text, RECEIPT_DIFF_BYTES);
    return { key, shown, diff, results };
  }
}

function told({ effect, reason }: FileEffect, diff: TextDiff | undefined): string {
  if (reason !== undefined) return `${effect}: ${reason.code}: ${reason.message}`;
  if (effect === "not-applied") return "unchanged";
  return diff === undefined ? effect : `${effect}, +${diff.added} -${diff.removed}`;
}

/** What to throw for edits that were not saved: each file with what became of it, for an error does not prove that nothing was written. */
export function failureOf({ files }: { readonly files: readonly FileEffect[] }): Refusal {
  const reason = files.find((file) => file.reason !== undefined)?.reason;
  const effects = files.map(({ shown, effect }) => `${shown}: ${effect}`).join(", ");
  return new Refusal(
    reason?.code ?? "write_failed",
    `${effects === "" ? "nothing was saved" : effects}: ${reason?.message.slice(0, -(reason.next.length + 2)) ?? "the edits were given up"}`,
    reason?.next ?? "read the file again",
    { detail: { files: files.map(({ shown, effect }) => ({ path: shown, effect })) }, cause: reason },
  );
}

/** Runs post-edit processing on a file and looks at what it made of it. Tells what ran. */
export async function processFile(
  bench: Workbench,
  file: FileEffect,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { postEdit, owner, store, undo } = bench;
  if (postEdit === undefined || file.after === "missing") return [];
  const { key, shown } = file;
  const relative = key.startsWith(owner.root) ? key.slice(owner.root.length + 1).replaceAll("\\", "/") : key;
  const outcomes = await postEdit.run({ path: key, relative }, owner.root, signal);
  const changed = outcomes.length > 0 && (await store.observe([key], { trustMarks: false })).length > 0;
  if (changed) {
    const now = await bench.disk.read(key).catch(() => undefined);
    if (now !== undefined) undo.settle(key, file.after, bench.disk.digest(now));
  }
  return outcomes.map(({ name, failure }) =>
    failure === undefined
      ? `${shown}: ${name} ${changed ? "rewrote it: read it again before the next edit" : "ran, and changed nothing"}`
      : `${shown}: ${name} failed: ${failure}; the edit stays`,
  );
}
