import type { Audit } from "./audit/audit.ts";
import { finishRecorded } from "./finish-run.ts";
import { Run, type RunPlace } from "./run.ts";
import { stopRun } from "./stop-run.ts";
import type { TakenBack } from "./take-back.ts";

/** How a run that had died was settled. */
export type RecoveredRun =
  | { readonly end: "completed"; readonly run: string }
  | { readonly end: "taken back"; readonly run: string; readonly back: TakenBack };

/**
 * Settles a run that died: one whose last commit was made is complete, any other is taken back. To be
 * called by whoever holds the lock.
 *
 * @returns `undefined` where no run had died
 */
export async function recoverRun(place: RunPlace, audit: Audit): Promise<RecoveredRun | undefined> {
  const { files } = place;
  const begun = files.begun();
  if (begun === undefined) {
    files.drop();
    return undefined;
  }
  const { run } = begun;
  const finishing = files.finishing();
  const [last] = await audit.log(1);
  if (finishing !== undefined && last?.run === run && last.step === "after") {
    await finishRecorded(place, finishing);
    return { end: "completed", run };
  }
  const why = "the dreamer died before it came to an end";
  return { end: "taken back", run, back: await stopRun(place, audit, new Run(begun, place), { why, mayRetry: true }) };
}
