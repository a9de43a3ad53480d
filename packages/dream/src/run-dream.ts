import type { DreamEndResult, RefusalCode } from "@notesoup/protocol";
import { NoteError } from "@notesoup/notes";
import { type HistoryToolContext, Refused } from "@notesoup/tools";
import { createDream, type Dream } from "./dream.ts";
import { type DreamTool, dreamTools } from "./jail-tools.ts";
import type { DreamOptions } from "./options.ts";
import { playbook } from "./playbook.ts";
import { expected } from "./system-error.ts";

/** What a host is to run. */
export interface DreamTask {
  /** The run that has begun: what another process joins it by. */
  readonly run: string;
  readonly prompt: string;
  /** All tools that the model may have. */
  readonly tools: readonly DreamTool[];
  /** Aborted when the dream is over before the host is: whatever still runs is to be ended. */
  readonly signal: AbortSignal;
}

/** What a host does for a dream: it runs a prompt with tools. */
export interface DreamHost {
  /** Resolves when the model has nothing more to say; rejects where it could not be run. */
  run(task: DreamTask): Promise<void>;
}

/** What bounds a dream. */
export interface DreamLimits {
  /** Calls of tools. */
  readonly calls: number;
  readonly milliseconds: number;
}

const DEFAULT_LIMITS: DreamLimits = { calls: 500, milliseconds: 30 * 60_000 };

/** A dream to be run. */
export interface RunDreamOptions extends Omit<DreamOptions, "run"> {
  readonly host: DreamHost;
  /** What the history tools read; without it the dreamer has none. */
  readonly history?: HistoryToolContext | undefined;
  /** Glob of the notes that may be changed; every notebook if absent. */
  readonly scope?: string | undefined;
  /** Passes the gates, never the lock. */
  readonly force?: boolean | undefined;
  /** 500 calls and 30 minutes where they are absent. */
  readonly limits?: Partial<DreamLimits> | undefined;
  /** Cancels the dream: nothing of it is kept. */
  readonly signal?: AbortSignal | undefined;
}

/** What a dream came to. */
export type DreamOutcome =
  | { readonly status: "ended"; readonly result: DreamEndResult }
  /** It did not begin, and nothing has changed. */
  | { readonly status: "refused"; readonly code: RefusalCode; readonly message: string }
  /** It was stopped, and nothing of it was kept, but `kept`: paths of files that others have changed since. */
  | { readonly status: "stopped"; readonly message: string; readonly kept: readonly string[] };

/**
 * Runs a dream from its beginning to its end: begins it, has the host run the prompt with the tools,
 * and ends it. A dreamer that falls silent without a report has ended; one that passes a limit, is
 * cancelled, or breaks down is stopped, and nothing of its work is kept. A host that does not heed the
 * signal is not waited for: its calls are refused.
 */
export async function runDream(options: RunDreamOptions): Promise<DreamOutcome> {
  const { host, history, scope, force, limits, signal } = options;
  const { calls, milliseconds } = { ...DEFAULT_LIMITS, ...limits };
  if (signal?.aborted === true)
    return { status: "refused", code: "dream_aborted", message: "the dream was cancelled before it began" };
  const dream = createDream(options);
  const { outcome } = await dream.begin({
    ...(scope === undefined ? {} : { scope }),
    ...(force === undefined ? {} : { force }),
  });
  if (!outcome.ok) return { status: "refused", ...outcome.error };

  const over = new AbortController();
  const stop = (why: string, mayRetry = false): void => over.abort(new DreamOver(why, mayRetry));
  const timer = setTimeout(() => stop(`it took longer than ${milliseconds} milliseconds`), milliseconds);
  const cancel = (): void => stop("it was cancelled", true);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const { run } = outcome.data;
    const tools = counted(dreamTools(dream, history), calls, () => stop(`it made more than ${calls} calls`));
    const prompt = playbook({ run, scope: scope ?? "**" });
    await endOf(host.run({ run, prompt, tools, signal: over.signal }), over.signal);
    return await endedOrStopped(dream, run);
  } catch (error) {
    const done = dream.ended();
    if (done !== undefined) return { status: "ended", result: done };
    const why = error instanceof Error ? error.message : String(error);
    const mayRetry = error instanceof DreamOver && error.mayRetry;
    const stopped = await stoppedDream(dream, why, mayRetry);
    over.abort(error);
    return stopped;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/** Why a dream is over before its end. */
class DreamOver extends Error {
  /** Whether the next one may come at once. */
  readonly mayRetry: boolean;

  constructor(why: string, mayRetry: boolean) {
    super(why);
    this.mayRetry = mayRetry;
  }
}

/** Each call counts, whatever it comes to. Past the last one the dream is over. */
function counted(tools: readonly DreamTool[], most: number, isOver: () => void): readonly DreamTool[] {
  let made = 0;
  return tools.map((tool) => ({
    ...tool,
    async call(args) {
      if (++made <= most) return tool.call(args);
      isOver();
      return { text: `error: dream_aborted: this dream has made ${most} calls, the most that it may; it is over` };
    },
  }));
}

/** Waits for the host, or for what ends the dream before it. */
async function endOf(running: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (signal.aborted) abort();
    await Promise.race([running, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
    // Whichever comes second has nobody who listens.
    promise.catch(() => undefined);
    running.catch(() => undefined);
  }
}

async function endedOrStopped(dream: Dream, run: string): Promise<DreamOutcome> {
  const done = dream.ended();
  if (done !== undefined) return { status: "ended", result: done };
  const { outcome } = await dream.end({ run, report: "" });
  if (outcome.ok) return { status: "ended", result: outcome.data };
  return stoppedDream(dream, outcome.error.message, false);
}

/** Stops a dream. Where that fails too, the next one, or an undo, takes it back. */
async function stoppedDream(dream: Dream, why: string, mayRetry: boolean): Promise<DreamOutcome> {
  try {
    const kept = await dream.stop(why, { mayRetry });
    return {
      status: "stopped",
      message: `the dream was stopped, and nothing of it was kept: ${why}`,
      kept: kept ?? [],
    };
  } catch (error) {
    const failure = expected(error);
    if (!(failure instanceof Refused) && !(failure instanceof NoteError)) throw failure;
    const message = `the dream was stopped (${why}), and could not be taken back yet: ${failure.message}; the next dream does that, and so does notesoup dream undo`;
    return { status: "stopped", message, kept: [] };
  }
}
