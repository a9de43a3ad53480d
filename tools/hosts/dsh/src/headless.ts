import { type DshOptions, type DshResult, runDsh } from "./process.ts";
import { type DshSandbox, HEADLESS_PROFILE } from "./sandbox.ts";

/** Runs dsh on one task, in a new session: its answer is the standard output. */
export function runHeadless(sandbox: DshSandbox, task: string, options: DshOptions = {}): Promise<DshResult> {
  return runDsh(sandbox, ["--profile", HEADLESS_PROFILE, task], options);
}
