import { rmSync } from "node:fs";
import { join } from "node:path";
import { bodyAndMeta, fileState, withLockedFile } from "@notesoup/notes/maintenance";
import type { Audit } from "./audit/audit.ts";
import { homeFiles } from "./audit/home-files.ts";
import { differences, type Tree, treeFile } from "./audit/tree.ts";
import { releaseLock } from "./lock.ts";
import { purgeable, purgeLimit } from "./purge.ts";
import { readRecord, writeRecord } from "./record.ts";
import { reportPath, reportText, writeReport } from "./report.ts";
import type { Run, RunPlace } from "./run.ts";
import type { BaselineNote, FinishedRun } from "./run-files.ts";

/**
 * Brings a run to its end: deletes what may be deleted, counts what was done, writes the report, makes
 * the last commit and the record, and releases the lock. A death before that commit leaves a run that
 * is taken back, one after it a run that is complete.
 *
 * @param words the dreamer's report
 */
export async function finishRun(place: RunPlace, audit: Audit, run: Run, words: string): Promise<FinishedRun> {
  const { home, files, now } = place;
  const { begun } = run;
  await purge(place, run);

  const before = await audit.tree(begun.before);
  const known = new Set([...before.values()].map(({ blob }) => blob));
  const after = await homeFiles(home.root, known);
  const meanwhile = withoutDream(after, place, run);
  // What others did meanwhile is a commit of its own, so that the last one is the dream alone.
  const isAlone = differences(before, meanwhile).length === 0;
  const base = isAlone
    ? begun.before
    : await audit.commit(meanwhile, begun.run, "meanwhile", "What others changed during the dream", now());

  const verdicts = new Map(run.touched.map(({ path, verdict }) => [path, verdict]));
  const changes = differences(meanwhile, after).map((path) => ({
    path,
    what: whatOf(path, verdicts.get(path), meanwhile, after),
  }));
  const count = (what: string): number => changes.filter((change) => change.what === what).length;
  const leftOpen = run.leftOpen.map(({ address }) => address);
  const [crumpled, purged] = [count("crumpled"), count("purged")];
  const counts = { changed: changes.length - crumpled - purged, crumpled, purged, leftOpen: leftOpen.length };

  const report = reportPath(begun);
  const text = reportText(begun, { counts, readNotes: run.readNotes, files: changes, leftOpen, words });
  await run.own(report, () => writeReport(home, report, text));
  const record = readRecord(home);
  const finished: FinishedRun = {
    run: begun.run,
    time: now(),
    report,
    base,
    files: run.touched.flatMap(({ path, before: old, after: left }) =>
      path === report || left === "unknown" ? [] : [{ path, before: old, after: left }],
    ),
    counts,
    sessions: begun.session === null ? record.sessions : [...record.sessions, begun.session],
    versions: { ...outside(record.versions, run, place), ...run.versions },
    isUndone: false,
  };
  await files.finish(finished);
  const last = new Map([...after, [report, treeFile(Buffer.from(text, "utf8"), 0o600)]]);
  const subject = `Dream: ${counts.changed} changed, ${crumpled} crumpled, ${purged} purged`;
  await audit.commit(last, begun.run, "after", subject, finished.time);
  await finishRecorded(place, finished);
  return finished;
}

/** What follows the last commit: the record that the gates read, and the release. */
export async function finishRecorded({ home, files, now }: RunPlace, finished: FinishedRun): Promise<void> {
  const { run, time, sessions, versions } = finished;
  await writeRecord(home, { ...readRecord(home), lastDream: { run, time }, sessions, versions });
  files.complete();
  releaseLock(home.lock, run, now());
}

/** The versions of notes that were not in the run's scope: for them the last dream is an earlier one. */
function outside(
  versions: Readonly<Record<string, string>>,
  run: Run,
  { home }: RunPlace,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(versions).filter(
      ([path]) => !run.hasInScope(path) && fileState(join(home.root, path)) !== undefined,
    ),
  );
}

/** The home as it would be without the dream. */
function withoutDream(after: Tree, { files }: RunPlace, run: Run): Tree {
  const tree = new Map(after);
  for (const { path, before } of run.touched) {
    if (before === null) tree.delete(path);
    else tree.set(path, treeFile(files.saved(before.digest), before.mode));
  }
  return tree;
}

function whatOf(path: string, verdict: string | undefined, before: Tree, after: Tree): string {
  if (verdict === "purged" || verdict === "crumpled") return verdict;
  if (!before.has(path)) return "made";
  return after.has(path) ? "edited" : "moved away";
}

/** Deletes crumpled notes by the rule, each under its lock and only if it is still as it was found. */
async function purge(place: RunPlace, run: Run): Promise<void> {
  const { home, now } = place;
  const { notes, storeNotes } = run.begun;
  const live = new Set(
    notes
      .filter(({ path, crumpledAt }) => crumpledAt === null && isLive(join(home.root, path)))
      .map(({ notebook }) => notebook),
  );
  let left = purgeLimit(storeNotes);
  for (const note of purgeable(notes, live, now())) {
    if (left === 0) break;
    const file = join(home.root, note.path);
    await withLockedFile(home.root, file, note.address, async () => {
      if (isUnread(file, note) && (await run.purge(note.path, async () => rmSync(file)))) left--;
    });
  }
}

function isLive(path: string): boolean {
  const state = fileState(path);
  const content = state && bodyAndMeta(state.bytes, { birthtime: new Date(0), mtime: new Date(0) });
  return content !== undefined && content.meta.crumpledAt === undefined;
}

/** That it was read is no change of a note, and yet keeps it. */
function isUnread(path: string, { crumpledAt, lastAccessed }: BaselineNote): boolean {
  const state = fileState(path);
  const meta = state && bodyAndMeta(state.bytes, { birthtime: new Date(0), mtime: new Date(0) })?.meta;
  return meta !== undefined && meta.crumpledAt === crumpledAt && (meta.lastAccessed ?? null) === lastAccessed;
}
