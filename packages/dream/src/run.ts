import { join, relative, sep } from "node:path";
import type { NotesIdentity } from "@notesoup/notes";
import {
  addressAt,
  fileState,
  type FileState,
  type LocatedNote,
  type NoteScope,
  scopeOf,
  type StoreGuard,
} from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { Refused } from "@notesoup/tools";
import { randomUUID } from "node:crypto";
import type { DreamHome } from "./home.ts";
import { isHeldBy } from "./lock.ts";
import type { BaselineNote, BegunRun, RunFiles, StateOf, Verdict } from "./run-files.ts";
import type { ChangedFile } from "./take-back.ts";
import { isTooMuch, verdictOn } from "./verdict.ts";

interface Touched extends ChangedFile {
  readonly verdict: Verdict;
}

/** Where a run's files lie, and what time it is. */
export interface RunPlace {
  readonly home: DreamHome;
  readonly files: RunFiles;
  readonly identity: NotesIdentity;
  readonly now: () => number;
}

/**
 * A run that is under way: what the dream has read, what it has changed, and what it may change. It
 * is what its journal says, so that every process of the run knows the same.
 */
export class Run {
  readonly begun: BegunRun;
  readonly scope: NoteScope;
  readonly #place: RunPlace;
  readonly #baseline: ReadonlyMap<string, BaselineNote>;
  readonly #liveNotes: number;
  /** The version of each file that the dream has seen; `null` for none. */
  readonly #known: Map<string, string | null>;
  readonly #read = new Set<string>();
  readonly #touched = new Map<string, Touched>();
  #offset = 0;

  constructor(begun: BegunRun, place: RunPlace) {
    this.begun = begun;
    this.#place = place;
    this.scope = scopeOf(begun.scope, place.identity);
    this.#baseline = new Map(begun.notes.map((note) => [note.path, note]));
    this.#known = new Map(begun.notes.map(({ path, version }) => [path, version]));
    this.#liveNotes = begun.notes.filter(({ crumpledAt }) => crumpledAt === null).length;
    this.refresh();
  }

  /** The files that the dream has changed. */
  get touched(): readonly Touched[] {
    return [...this.#touched.values()];
  }

  /** Takes in what other processes of the run have done. */
  refresh(): void {
    const { lines, next } = this.#place.files.lines(this.#offset);
    this.#offset = next;
    for (const line of lines) {
      if (line.kind === "read") this.#see(line.path, line.version);
      else if (line.kind === "intent") for (const file of line.files) this.#intend(file.path, file.before);
      else for (const file of line.files) this.#settle(file.path, file.after, file.verdict);
    }
  }

  #see(path: string, version: string): void {
    this.#known.set(path, version);
    this.#read.add(path);
  }

  #intend(path: string, before: StateOf | null): void {
    const touched = this.#touched.get(path);
    const isOwnWork =
      touched !== undefined &&
      touched.after !== "unknown" &&
      (touched.after?.version ?? null) === (before?.version ?? null);
    // What somebody wrote in the middle of the dream is what is given back, not what was there before that.
    const first = isOwnWork ? touched.before : before;
    this.#touched.set(path, { path, before: first, after: "unknown", verdict: touched?.verdict ?? "kept" });
  }

  #settle(path: string, after: StateOf | null, verdict: Verdict): void {
    const before = this.#touched.get(path)?.before ?? null;
    this.#known.set(path, after?.version ?? null);
    if (isSame(before, after)) this.#touched.delete(path);
    else this.#touched.set(path, { path, before, after, verdict });
  }

  /** The store's guard for the notes that are worked on. */
  guard(): StoreGuard {
    return {
      countsAccess: false,
      around: async (doing, located, work) => {
        if (doing === "write") return this.change(located, work);
        const result = await work();
        for (const { root, path } of located) {
          const state = fileState(path);
          if (state !== undefined) this.#seen(inHome(root, path), state.version);
        }
        return result;
      },
    };
  }

  #seen(path: string, version: string): void {
    if (this.#read.has(path) && this.#known.get(path) === version) return;
    this.#place.files.append({ kind: "read", path, version });
    this.refresh();
  }

  /**
   * Changes notes, if that is the dream's to do: it holds the lock, they are in its scope, and nobody
   * has changed them since it read them.
   *
   * @throws Refused `out_of_scope`, `changed_since`, `dream_aborted`, `already_exists`
   */
  async change<Result>(located: readonly LocatedNote[], work: () => Promise<Result>): Promise<Result> {
    this.refresh();
    this.requireLock();
    const [source, target] = located;
    for (const note of located) this.#requireMayChange(note);
    const paths = [...new Set(located.map(({ root, path }) => inHome(root, path)))];
    const before = paths.map((path) => this.#stateOf(path));
    for (const [index, path] of paths.entries()) this.#requireUnchanged(path, before[index]);
    if (target !== undefined && source !== undefined && target.path !== source.path) requireFree(target, before[1]);
    return this.#journaled(paths, before, undefined, work);
  }

  /**
   * Deletes a crumpled note that the dream found, if nobody has changed it since.
   *
   * @returns whether it was deleted
   */
  async purge(path: string, work: () => Promise<void>): Promise<boolean> {
    const before = [this.#stateOf(path)];
    if (before[0] === undefined || before[0].version !== this.#known.get(path)) return false;
    await this.#journaled([path], before, "purged", work);
    return true;
  }

  /** Makes a file of the dream's own, its report. */
  async own(path: string, work: () => Promise<void>): Promise<void> {
    await this.#journaled([path], [this.#stateOf(path)], "kept", work);
  }

  async #journaled<Result>(
    paths: readonly string[],
    before: readonly (FileState | undefined)[],
    verdict: Verdict | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { files } = this.#place;
    const id = randomUUID();
    for (const state of before) if (state !== undefined) await files.save(state);
    const intended = paths.map((path, index) => ({ path, before: withoutBytes(before[index]) }));
    files.append({ kind: "intent", id, files: intended });
    this.refresh();
    try {
      return await work();
    } finally {
      const done = paths.map((path) => {
        const after = this.#stateOf(path);
        return { path, after: withoutBytes(after), verdict: verdict ?? this.#verdictOn(path, after) };
      });
      files.append({ kind: "done", id, files: done });
      this.refresh();
    }
  }

  #verdictOn(path: string, after: FileState | undefined): Verdict {
    const before = this.#touched.get(path)?.before ?? null;
    return before === null ? "kept" : verdictOn(this.#place.files.saved(before.digest), after?.bytes);
  }

  /** @throws Refused `dream_aborted` */
  requireLock(): void {
    const { home, files, now } = this.#place;
    if (isHeldBy(home.lock, this.begun.run, now()) && files.isBegun) return;
    throw new Refused("dream_aborted", "this dream is over: it was ended or stopped, and nothing can be changed in it");
  }

  /** Whether the dream has done more than may be kept. */
  get isTooMuch(): boolean {
    return isTooMuch(this.#touchedNotes, this.#liveNotes);
  }

  /** How far it went, for a message. */
  get extent(): string {
    return `${this.#touchedNotes} of ${this.#liveNotes} notes in scope crumpled, rewritten or moved`;
  }

  get #touchedNotes(): number {
    return this.touched.filter(({ path, verdict }) => isDestructive(verdict) && this.#baseline.has(path)).length;
  }

  /** Whether the note at a path of the home is in the run's scope. */
  hasInScope(path: string): boolean {
    const address = addressAt(path.split("/"), this.#place.identity);
    return address !== undefined && this.scope.has(address);
  }

  /** Live notes that had changed since the last dream, and that this one neither read nor changed. */
  get leftOpen(): readonly BaselineNote[] {
    return this.begun.notes.filter(
      ({ path, changed, crumpledAt }) =>
        changed && crumpledAt === null && !this.#read.has(path) && !this.#touched.has(path),
    );
  }

  /** How many of the notes in scope the dream has read. */
  get readNotes(): number {
    return [...this.#read].filter((path) => this.#baseline.has(path)).length;
  }

  /** The versions of the notes in scope as the dream knows them; of those that are gone none. */
  get versions(): Readonly<Record<string, string>> {
    // What the dream read out of its scope is not settled by it, and its report is no note.
    const seen = [...this.#known].filter(([path]) => this.hasInScope(path));
    return Object.fromEntries(seen.flatMap(([path, version]) => (version === null ? [] : [[path, version]])));
  }

  #stateOf(path: string): FileState | undefined {
    return fileState(join(this.#place.home.root, path));
  }

  /** What a link leads to must be in scope as well, and is the note that is changed. */
  #requireMayChange({ root, path, entry, note: { address } }: LocatedNote): void {
    const physical = addressAt(relative(root, path).split(sep), this.#place.identity);
    if (physical === undefined || !this.scope.has(physical)) {
      const message = `${oneLine(physical ?? address)} is not in the scope of this dream, ${oneLine(this.scope.glob)}, and can be read only`;
      throw new Refused("out_of_scope", message);
    }
    if (entry !== path) {
      const message = `the note is a link to ${oneLine(physical)}; a dream leaves links as they are: change that one`;
      throw new Refused("out_of_scope", message);
    }
  }

  #requireUnchanged(path: string, now: FileState | undefined): void {
    const seen = this.#known.get(path) ?? null;
    if ((now?.version ?? null) === seen) return;
    const address = addressAt(path.split("/"), this.#place.identity) ?? path;
    throw new Refused(
      "changed_since",
      `${oneLine(address)} has been changed by somebody since this dream read it; read it again, and change it only if that is still right`,
    );
  }
}

/** A move would delete what is at its destination, also where that is crumpled: a dream deletes nothing. */
function requireFree({ note: { address } }: LocatedNote, there: FileState | undefined): void {
  if (there === undefined) return;
  throw new Refused(
    "already_exists",
    `there is a note at ${oneLine(address)}, live or crumpled, and a dream deletes none; choose another address`,
  );
}

function isDestructive(verdict: Verdict): boolean {
  return verdict === "crumpled" || verdict === "rewritten" || verdict === "moved";
}

function isSame(one: StateOf | null, other: StateOf | null): boolean {
  return one?.version === other?.version && one?.mode === other?.mode;
}

function withoutBytes(state: FileState | undefined): StateOf | null {
  if (state === undefined) return null;
  const { version, digest, mode, mtimeMs } = state;
  return { version, digest, mode, mtimeMs };
}

function inHome(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
