import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import type { DreamBeginArguments, DreamBeginResult, DreamEndArguments, DreamEndResult } from "@notesoup/protocol";
import { renderDreamBegin, renderDreamEnd } from "@notesoup/render";
import { largestFitting, quote } from "@notesoup/text";
import { type Answer, deliver, notesToolContext, type NotesToolContext, Refused } from "@notesoup/tools";
import { Audit } from "./audit/audit.ts";
import { homeFiles } from "./audit/home-files.ts";
import { examine } from "./doctor/examine.ts";
import { finishRun } from "./finish-run.ts";
import { closedGate } from "./gates.ts";
import { dreamHome } from "./home.ts";
import { openJailStore } from "./jail-store.ts";
import { acquireLock, isHeldBy, releaseLock, thisHolder } from "./lock.ts";
import { gatherMaterial } from "./material.ts";
import type { DreamOptions } from "./options.ts";
import { readRecord } from "./record.ts";
import { recoverRun } from "./recover.ts";
import { Run, type RunPlace } from "./run.ts";
import { type BaselineNote, RunFiles } from "./run-files.ts";
import { countSessions, lastTime } from "./since.ts";
import { type StopReason, stopRun } from "./stop-run.ts";
import { dreaming } from "./system-error.ts";

/** Every notebook. */
const EVERYTHING = "**";
const DAY_MS = 86_400_000;
const REPORT_MAX_BYTES = 256 * 1024;

/** A dream of a host: the two operations of its own, and the context in which all others work. */
export interface Dream {
  /** The context of the notes operations in the dream: what they write is the dream's to allow. */
  readonly context: NotesToolContext;
  /**
   * `dream_begin`: begins the run, or gives a further page of its notes. Refuses with `dream_locked`,
   * `gate_closed`, `audit_unavailable`, `invalid_glob`, `unknown_scope`, `invalid_text`,
   * `dream_aborted` (a run that is over), `output_too_large`, `locked`, `io`; nothing has changed then.
   */
  begin(args: DreamBeginArguments): Promise<Answer<DreamBeginResult>>;
  /** `dream_end`: ends the run. Refuses with `dream_aborted`, `audit_unavailable`, `invalid_text`, `io`. */
  end(args: DreamEndArguments): Promise<Answer<DreamEndResult>>;
  /**
   * Stops the run, if one is under way, and keeps nothing of it.
   *
   * @param options `mayRetry`: the next one need not wait, for the dream was only cancelled
   * @returns the paths of files that stay as they are, for somebody has changed them since; `undefined`
   * where no run was under way
   */
  stop(why: string, options?: { readonly mayRetry?: boolean }): Promise<readonly string[] | undefined>;
  /** The name of the run: of one that is over too; `undefined` before it begins. */
  readonly run: string | undefined;
  /** How the run came to its end, in this process or another one; `undefined` while it has not. */
  ended(): DreamEndResult | undefined;
}

/**
 * Makes a dream for an identity, or joins one that another process has begun. Nothing is looked at or
 * changed before `begin`.
 *
 * @throws NoteError `invalid_identity`; TypeError where `baseCwd` is not absolute
 */
export function createDream(options: DreamOptions): Dream {
  return new HomeDream(options);
}

class HomeDream implements Dream {
  readonly context: NotesToolContext;
  readonly #options: DreamOptions;
  readonly #place: RunPlace;
  readonly #audit: Audit;
  #name: string | undefined;
  #run: Run | undefined;
  #stopped: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: DreamOptions) {
    this.#options = options;
    this.#name = options.run;
    const { identity, baseCwd, decorate, env } = options;
    this.context = notesToolContext(identity, baseCwd, {
      decorate,
      dream: {
        openStore: (caller) =>
          openJailStore(caller, {
            run: () => this.#underWay(),
            afterChange: () => this.#stopWhereTooMuch(),
            inTurn: (work) => this.#inTurn(work),
          }),
      },
    });
    const home = dreamHome(this.context.identity);
    this.#place = { home, files: new RunFiles(home), identity: this.context.identity, now: options.now ?? Date.now };
    this.#audit = new Audit(home, env);
  }

  get run(): string | undefined {
    return this.#name;
  }

  begin(args: DreamBeginArguments): Promise<Answer<DreamBeginResult>> {
    return dreaming(() =>
      this.#inTurn(async () => {
        const { scope = EVERYTHING, after, force = false } = args;
        requireText("scope", scope);
        if (after !== undefined) requireText("after", after);
        if (this.#name === undefined) await this.#beginRun(scope, force);
        return this.#page(this.#underWay(), after);
      }),
    );
  }

  end(args: DreamEndArguments): Promise<Answer<DreamEndResult>> {
    return dreaming(() =>
      this.#inTurn(async () => {
        const { run: name, report } = args;
        requireText("report", report);
        if (Buffer.byteLength(report) > REPORT_MAX_BYTES)
          throw new Refused("too_large", `the report has more than ${REPORT_MAX_BYTES} bytes; say less`);
        const run = this.#underWay();
        if (name !== run.begun.run)
          throw new Refused("invalid_text", `run is ${quote(name)}; this dream's is ${run.begun.run}`);
        run.requireLock();
        await this.#stopWhereTooMuch();
        await this.#audit.check();
        const finished = await finishRun(this.#place, this.#audit, run, report);
        this.#run = undefined;
        const result = resultOf(finished);
        const answer = deliver(result, renderDreamEnd, this.context.decorate);
        if (answer === undefined)
          throw new Refused("output_too_large", "the dream has ended; its result does not fit with what the host adds");
        return answer;
      }),
    );
  }

  stop(why: string, { mayRetry = false } = {}): Promise<readonly string[] | undefined> {
    return this.#inTurn(() => this.#stop({ why, mayRetry }));
  }

  ended(): DreamEndResult | undefined {
    const last = this.#place.files.last();
    return last !== undefined && last.run === this.#name ? resultOf(last) : undefined;
  }

  /** One after another: what is counted after a change is that change. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work, work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** @throws Refused `dream_aborted` */
  #underWay(): Run {
    if (this.#stopped !== undefined) throw new Refused("dream_aborted", this.#stopped);
    if (this.#name === undefined) throw new Refused("dream_aborted", "no dream is under way; call dream_begin first");
    if (this.#run === undefined) {
      const begun = this.#place.files.begun();
      if (begun?.run !== this.#name)
        throw new Refused(
          "dream_aborted",
          "this dream is over: it was ended or stopped, and nothing can be done in it",
        );
      this.#run = new Run(begun, this.#place);
    }
    return this.#run;
  }

  async #beginRun(glob: string, force: boolean): Promise<void> {
    const { home, files, now, identity } = this.#place;
    const time = now();
    const name = `${new Date(time).toISOString().replace(/[-:.]/gu, "")}-${randomBytes(3).toString("hex")}`;
    if (force) mkdirSync(home.root, { recursive: true });
    else if (!existsSync(home.root)) throw new Refused("gate_closed", "there are no notes yet, and no notes home");
    const holder = thisHolder(name, time);
    acquireLock(home.lock, holder, time);
    let isBegun = false;
    try {
      // Under the lock: before, another dream's git may be at work.
      await this.#audit.check();
      if (this.#audit.exists) await recoverRun(this.#place, this.#audit);
      const record = readRecord(home);
      const material = await gatherMaterial(identity, glob, record);
      const sessions = await countSessions(this.#options, record);
      if (!force) {
        const { changedNotes } = material;
        const { findings } = await examine(identity, now());
        const blocking = findings.filter(({ blocks }) => blocks).length;
        const closed = closedGate({ changedNotes, sessions, lastTime: lastTime(record), blocking }, time);
        if (closed !== undefined) throw new Refused("gate_closed", closed);
      }
      await this.#audit.make();
      const tree = await this.#audit.tree(await this.#audit.head());
      const known = new Set([...tree.values()].map(({ blob }) => blob));
      const before = await this.#audit.commit(
        await homeFiles(home.root, known),
        name,
        "before",
        "Before a dream",
        time,
      );
      const { notes, storeNotes } = material;
      const { session = null } = this.#options;
      await files.begin({ run: name, time, scope: glob, sessions, session, before, storeNotes, notes });
      this.#name = name;
      isBegun = true;
    } finally {
      if (!isBegun) releaseLock(home.lock, name, now());
    }
  }

  #page({ begun }: Run, after: string | undefined): Answer<DreamBeginResult> {
    const { run, time, sessions, notes } = begun;
    const live = notes.filter(
      ({ address, crumpledAt }) => crumpledAt === null && (after === undefined || address > after),
    );
    const rows = live.map((note) => rowOf(note, time));
    const answerOf = (count: number): Answer<DreamBeginResult> | undefined => {
      const next = count < rows.length ? (rows[count - 1]?.address ?? null) : null;
      const data = { run, rows: rows.slice(0, count), next_after: next, sessions };
      return deliver(data, renderDreamBegin, this.context.decorate);
    };
    // A row takes some hundred bytes: more than these never fit.
    const most = Math.min(rows.length, 512);
    const fitting = largestFitting(most, (count) => answerOf(count) !== undefined);
    const answer = fitting === 0 && rows.length > 0 ? undefined : answerOf(fitting);
    if (answer === undefined)
      throw new Refused(
        "output_too_large",
        "not one note fits the output budget with what the host adds; make it add less",
      );
    return answer;
  }

  async #stopWhereTooMuch(): Promise<void> {
    const run = this.#run;
    if (run === undefined || !run.isTooMuch) return;
    const why = `it went too far: ${run.extent}, and at most 40 per cent may be`;
    await this.#stop({ why, mayRetry: false });
    throw new Refused("dream_aborted", this.#stopped ?? why);
  }

  async #stop(reason: StopReason): Promise<readonly string[] | undefined> {
    const { home, now, files } = this.#place;
    const name = this.#name;
    if (name === undefined || this.#stopped !== undefined) return undefined;
    this.#stopped = `the dream was stopped, and nothing of it was kept: ${reason.why}`;
    const begun = files.begun();
    if (begun?.run !== name || !isHeldBy(home.lock, name, now())) return undefined;
    try {
      const { kept } = await stopRun(this.#place, this.#audit, this.#run ?? new Run(begun, this.#place), reason);
      return kept;
    } catch (error) {
      // The run stays as it is on the disk: whoever has the lock next takes it back.
      releaseLock(home.lock, name, now());
      throw error;
    } finally {
      this.#run = undefined;
    }
  }
}

function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value === "string" && value.isWellFormed()) return;
  throw new Refused("invalid_text", `${name} is not well-formed text; give some, every character whole`);
}

function rowOf(note: BaselineNote, now: number): DreamBeginResult["rows"][number] {
  const { address, bytes, updatedAt, lastAccessed, accessCount, changed } = note;
  return {
    address,
    bytes,
    updated_at: updatedAt,
    last_accessed: lastAccessed,
    access_count: accessCount,
    age_days: Math.max(0, Math.floor((now - Date.parse(updatedAt)) / DAY_MS)),
    changed,
  };
}

function resultOf({
  run,
  counts,
  report,
}: {
  run: string;
  counts: { changed: number; crumpled: number; purged: number; leftOpen: number };
  report: string;
}): DreamEndResult {
  const { changed, crumpled, purged, leftOpen } = counts;
  return { run, changed, crumpled, purged, left_open: leftOpen, report_address: report };
}
