import type {
  ExtensionAPI,
  ExtensionContext,
  SessionBeforeCompactEvent,
  SessionBeforeCompactResult,
} from "@earendil-works/pi-coding-agent";
import { remainingTokens, thresholds } from "@notesoup/budget";
import { bootText, ensureBoot, ensureBootEntry } from "../boot.ts";
import type { UsageMeter } from "../budget/usage.ts";
import { say } from "../say.ts";
import { isOn } from "../switch.ts";
import {
  type CurrentWindow,
  currentWindow,
  hasReset,
  isJustCompacted,
  nextWindowId,
  type ResetDetails,
} from "../window.ts";
import { carriedDraft, type Draft, movedDrafts, resetDrafts } from "./boundary.ts";
import { registerEmptyBrain } from "./empty-brain.ts";
import { withHead } from "./head.ts";
import { announce, closeOutNotice, lineNotice, type Notice, takeBack } from "./notices.ts";
import { pointerToTask } from "./task-pointer.ts";
import { initialState, type ResetAction, type ResetEvent, type ResetState, step } from "./state.ts";
import { saidAt, saidBehind, without } from "./waiting.ts";
import type { Said } from "./words.ts";

/** Each is true whatever comes next: to compact stops a turn as well, and then empties the window. */
const GIVEN_UP = {
  aborted: "notesoup: the reset was given up, for the turn was stopped",
  discarded: "notesoup: the window was not emptied, for Pi did not take the boundary; try /empty-brain again",
};

/**
 * Resets: asked for by the model, by a person or by the budget, and in place of Pi's own compactions.
 * What happens is decided by a reducer of events (`state.ts`); here it is done.
 *
 * @returns asks for a reset on behalf of a person
 */
export function registerReset(pi: ExtensionAPI, meter: UsageMeter): (ctx: ExtensionContext) => void {
  let state: ResetState = initialState;
  /** The last entry of the window that is being emptied: what a person says behind it is for the next one. */
  let mark: string | null | undefined;
  const dispatch = (event: ResetEvent): ResetAction => {
    const next = step(state, event);
    state = next.state;
    if (state.phase === "idle") mark = undefined;
    return next.action;
  };
  const markEnd = ({ sessionManager }: ExtensionContext): void => {
    mark ??= sessionManager.getLeafId();
  };
  const waiting = ({ sessionManager }: ExtensionContext): Said[] => saidBehind(sessionManager.getBranch(), mark);
  /** What the last request has kept from the model: whatever becomes of the close-out, it is still to be heard. */
  let held: readonly Said[] = [];

  // Where a run stands, which Pi does not say: whether turns are being taken, or the last one is over.
  let run: "none" | "turns" | "over" = "none";
  /** Whether its last turn failed. */
  let hasFailed = false;
  /** Whether a person was told since that a reset was given up. */
  let isGivenUp = false;
  pi.on("agent_start", () => {
    run = "turns";
    hasFailed = false;
    isGivenUp = false;
  });
  pi.on("agent_end", () => {
    run = "over";
  });

  registerEmptyBrain(pi, (ctx) => {
    if (!isOn(pi, ctx)) return "notesoup is switched off in this session: the window was not emptied";
    dispatch({ type: "asked", by: "model", isIdle: false });
    markEnd(ctx);
    return undefined;
  });

  const tell = (ctx: ExtensionContext, action: ResetAction): void => {
    if (action.type !== "give-up") return;
    isGivenUp = true;
    say(ctx, GIVEN_UP[action.because], "warning");
  };
  const look = (ctx: ExtensionContext): void => {
    const { id } = windowOf(ctx);
    // Behind our boundary another extension may have put one of its own.
    const committed = state.phase === "committing" ? state.window : id;
    const isTaken = hasReset(ctx.sessionManager.getBranch(), committed);
    tell(ctx, dispatch({ type: "looked", window: isTaken ? committed : id }));
  };

  const begin = async (ctx: ExtensionContext): Promise<void> => {
    dispatch({ type: "cleared" });
    held = [];
    await bootOrTell(pi, ctx);
  };
  pi.on("session_start", (_event, ctx) => begin(ctx));
  pi.on("session_tree", (_event, ctx) => begin(ctx));

  // A person speaks: where the window has no boot yet, it comes before what they say, and so does a
  // line that was crossed by a final answer.
  pi.on("input", async (_event, ctx) => {
    if (!ctx.isIdle()) return undefined;
    const hasBoot = await bootOrTell(pi, ctx);
    const { reset, said } = windowOf(ctx);
    // Behind a reset the model would know nothing at all, not even that there are notes.
    if (!hasBoot && reset !== undefined) return { action: "handled" };
    const announcement = isOn(pi, ctx) ? announce(pi, ctx, meter, said) : null;
    if (announcement !== null && announcement.kind !== "reset")
      pi.sendMessage(lineNotice(pi, announcement), { triggerTurn: false });
    return undefined;
  });

  // Nothing is left, and Pi has not emptied the window: what a person says now waits for the next one.
  pi.on("before_agent_start", ({ messageType }, ctx) => {
    if (messageType !== "user" || !isOn(pi, ctx)) return undefined;
    const announcement = announce(pi, ctx, meter, windowOf(ctx).said);
    if (announcement?.kind !== "reset" || !meter.hasRoom(ctx)) return undefined;
    if (dispatch({ type: "asked", by: "budget", isIdle: true }).type !== "close-in-a-run") return undefined;
    markEnd(ctx);
    return { message: closeOutNotice(ctx, meter, "budget") };
  });

  pi.on("turn_end", async (event, ctx) => {
    const { signal } = ctx;
    const isAborted = signal?.aborted === true;
    if (!isOn(pi, ctx)) {
      // What was asked for before it was switched off is not done when it is on again.
      dispatch({ type: "cleared" });
      const words = held;
      held = [];
      if (words.length === 0 || isAborted || event.outcome !== "completed") return undefined;
      return { entries: [...event.entries, ...movedDrafts(words)], continue: true };
    }
    hasFailed = event.outcome === "error";
    // Pi may try again; where it does not, the run is over.
    if (hasFailed) return undefined;
    const hasTools = event.toolResults.length > 0;
    // Behind a final answer a notice would be the last word, which Pi prints in the answer's place.
    const announcement = hasTools ? announce(pi, ctx, meter, windowOf(ctx).said) : null;
    if (announcement?.kind === "reset" && meter.hasRoom(ctx)) dispatch({ type: "asked", by: "budget", isIdle: false });
    const nextWindow = nextWindowId(ctx.sessionManager.getEntries(), ctx.sessionManager.getSessionId());
    // What was said during the close-out the model has not seen, and what it works on it has not done.
    const carried = state.phase === "closing" || hasTools ? waiting(ctx) : [];
    const action = dispatch({ type: "turn-ended", outcome: event.outcome, isAborted, hasTools, nextWindow });
    switch (action.type) {
      case "commit": {
        // What Pi prints is the last message: an answer with which the work is over is not to go.
        if (ctx.mode === "print" && action.by !== "person" && !hasTools && !action.goesOn && carried.length === 0) {
          dispatch({ type: "cleared" });
          return undefined;
        }
        const details: ResetDetails = { ...detailsOf(carried), window: nextWindow, by: action.by, isBoot: false };
        const boot = await nextBoot(pi, ctx, nextWindow);
        if (boot === undefined) {
          dispatch({ type: "cleared" });
          // The model has been told that it goes on in a new window.
          if (hasTools) ctx.abort();
          return undefined;
        }
        // Stopped meanwhile: that the boundary is missing is seen like that of one which Pi threw away.
        if (signal?.aborted === true) return undefined;
        const drafts = resetDrafts(ctx.sessionManager.getSessionId(), details, boot);
        return {
          entries: [...event.entries, ...drafts, ...carried.map(carriedDraft)],
          continue: event.continue || action.goesOn || carried.length > 0,
        };
      }
      case "close-at-turn-end":
        markEnd(ctx);
        return {
          entries: [
            ...event.entries,
            draftOf(closeOutNotice(ctx, meter, state.phase === "closing" ? state.by : "person")),
          ],
          continue: true,
        };
      case "give-up":
        tell(ctx, action);
        return undefined;
      default:
        return announcement === null || announcement.kind === "reset" || isAborted
          ? undefined
          : { entries: [...event.entries, draftOf(lineNotice(pi, announcement))] };
    }
  });

  // Nothing tells that a boundary was taken: the next request is the first to see it.
  pi.on("context", async ({ messages }, ctx) => {
    look(ctx);
    await bootInRun(pi, ctx);
    const isClosing = state.phase === "closing" && isOn(pi, ctx);
    takeBack(messages, isClosing);
    held = isClosing ? waiting(ctx) : [];
    const { bootEntry: boot, unsaid } = windowOf(ctx);
    const words = saidAt(ctx.sessionManager.getBranch(), unsaid).map(({ content }) => content);
    if (held.length === 0 && boot === undefined && words.length === 0) return undefined;
    return { messages: withHead(without(messages, held.length), { boot, words }) };
  });
  pi.on("agent_settled", ({ aborted }, ctx) => {
    run = "none";
    look(ctx);
    tell(ctx, dispatch({ type: "run-ended", isAborted: aborted || hasFailed }));
  });

  pi.on("session_before_compact", async (event, ctx) => {
    try {
      return await inPlaceOf(event, ctx);
    } catch (error) {
      sayNotEmptied(ctx, error);
      // Pi's own compaction would send all that was said to be summed up.
      return { cancel: true };
    }
  });
  const inPlaceOf = async (
    { preparation, reason, willRetry }: SessionBeforeCompactEvent,
    ctx: ExtensionContext,
  ): Promise<SessionBeforeCompactResult | undefined> => {
    if (!isOn(pi, ctx)) return undefined;
    if (reason === "threshold") {
      // The model is writing its notes: there is room for that, and the window is emptied right after.
      if (state.phase === "closing") return { cancel: true };
      const usage = meter.measure(ctx);
      // Of unknown size, or all of it reserve: there is no line, and the next window would be as full.
      if (thresholds(usage) === null) return { cancel: true };
      // A figure that no second one has confirmed yet: no window is emptied for it, be it the first one.
      const left = remainingTokens(usage);
      if (left === null || left > 0) return { cancel: true };
      // The next window would be as full: it would be emptied again and again, and never used.
      if (!meter.hasRoom(ctx)) return { cancel: true };
    }
    // What Pi prints is the last message: the answer is not to go. The next prompt brings it up again.
    if (ctx.mode === "print" && run === "over" && !willRetry) return { cancel: true };
    const window = nextWindowId(ctx.sessionManager.getEntries(), ctx.sessionManager.getSessionId());
    const carried = held;
    const details: ResetDetails = { ...detailsOf(carried), window, by: "host", isBoot: true };
    const pointer = willRetry || run === "turns" ? pointerToTask(ctx, carried.length) : "";
    const summary = (await bootText(pi, ctx, window, "here")) + pointer;
    dispatch({ type: "cleared" });
    held = [];
    // Pi takes `null` here as it does in a boundary, though its type does not say so.
    const firstKeptEntryId = null as unknown as string;
    return { compaction: { summary, firstKeptEntryId, tokensBefore: preparation.tokensBefore, details } };
  };

  pi.on("session_compact", ({ reason }, ctx) => {
    if (reason === "manual" && isGivenUp && windowOf(ctx).reset?.by === "host")
      say(ctx, "notesoup: the window was emptied by the compaction in its place", "info");
  });

  return (ctx) => {
    // A boundary that Pi did not take waits for the next turn: who asks again need not.
    if (state.phase === "asked" && ctx.isIdle()) dispatch({ type: "cleared" });
    const action = dispatch({ type: "asked", by: "person", isIdle: ctx.isIdle() });
    if (action.type !== "close-in-a-run") return;
    markEnd(ctx);
    pi.sendMessage(closeOutNotice(ctx, meter, "person"), { triggerTurn: true });
  };
}

/** The window in which the session is. */
function windowOf({ sessionManager }: ExtensionContext): CurrentWindow {
  return currentWindow(sessionManager.getBranch(), sessionManager.getSessionId());
}

/** Makes the boot where it is missing. @returns whether it is there */
async function bootOrTell(pi: ExtensionAPI, ctx: ExtensionContext): Promise<boolean> {
  try {
    await ensureBoot(pi, ctx);
    return true;
  } catch (error) {
    sayNoBoot(ctx, "this window has no boot", error);
    return false;
  }
}

/** Makes the boot of a window that has begun in the middle of work, or lost its boot there: its first request has one. */
async function bootInRun(pi: ExtensionAPI, ctx: ExtensionContext): Promise<void> {
  const { hasBoot, reset } = windowOf(ctx);
  if (hasBoot || (reset === undefined && !isJustCompacted(ctx.sessionManager.getBranch()))) return;
  try {
    await ensureBootEntry(pi, ctx);
  } catch (error) {
    sayNoBoot(ctx, "this window has no boot", error);
    if (reset !== undefined) ctx.abort();
  }
}

/** The boot of the window that is to begin; where it cannot be made, a person is told. */
async function nextBoot(pi: ExtensionAPI, ctx: ExtensionContext, window: string): Promise<string | undefined> {
  try {
    return await bootText(pi, ctx, window, "here");
  } catch (error) {
    sayNotEmptied(ctx, error);
    return undefined;
  }
}

function sayNotEmptied(ctx: ExtensionContext, error: unknown): void {
  sayNoBoot(ctx, "the window was not emptied, for the next one would have no boot", error);
}

function sayNoBoot(ctx: ExtensionContext, what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  say(ctx, `notesoup: ${what}: ${why}; mend that and speak again, or go on without by /notesoup off`, "warning");
}

function detailsOf(carried: readonly Said[]): Pick<ResetDetails, "kind" | "carries"> {
  return { kind: "notesoup-reset", ...(carried.length > 0 && { carries: carried.map(({ id }) => id) }) };
}

function draftOf(notice: Notice): Draft {
  return { type: "custom_message", ...notice };
}
