import type { Audit } from "./audit/audit.ts";
import { homeFiles } from "./audit/home-files.ts";
import { releaseLock } from "./lock.ts";
import { readRecord, writeRecord } from "./record.ts";
import { reportPath, stoppedText, writeReport } from "./report.ts";
import type { Run, RunPlace } from "./run.ts";
import { takeBack, type TakenBack } from "./take-back.ts";

/** Why a run is stopped. */
export interface StopReason {
  readonly why: string;
  /** Whether the next one may come at once: it was not the dream's own fault. */
  readonly mayRetry: boolean;
}

/**
 * Stops a run and keeps nothing of it: what it changed is given back, but for what somebody has changed
 * since. That is recorded, and the lock is released by whoever has it. Done again after a death in the
 * middle, it goes on where it was.
 */
export async function stopRun(
  place: RunPlace,
  audit: Audit,
  run: Run,
  { why, mayRetry }: StopReason,
): Promise<TakenBack> {
  const { home, files, now } = place;
  const { begun } = run;
  run.refresh();
  const back = await takeBack(home.root, run.touched.toReversed(), (_file, { digest }) => files.saved(digest));
  await writeReport(home, reportPath(begun), stoppedText(begun, why, back.kept));
  const tree = await audit.tree(await audit.head());
  const known = new Set([...tree.values()].map(({ blob }) => blob));
  const time = now();
  await audit.commit(await homeFiles(home.root, known), begun.run, "stopped", `Dream stopped: ${why}`, time);
  const record = readRecord(home);
  const sessions = begun.session === null ? record.sessions : [...record.sessions, begun.session];
  await writeRecord(home, { ...record, sessions, lastStopped: { run: begun.run, time, why, mayRetry } });
  files.drop();
  releaseLock(home.lock, begun.run, time);
  return back;
}
