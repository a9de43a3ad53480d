import type { ExtensionAPI, ExtensionContext, TurnEndEvent } from "@earendil-works/pi-coding-agent";
import {
  type Announcement,
  closeOutText,
  countdown,
  lastWordText,
  reminderText,
  remainingTokens,
} from "@notesoup/budget";
import { openLiveSession } from "@notesoup/history";
import { bootText, ensureBoot } from "../boot.ts";
import type { UsageMeter } from "../budget/usage.ts";
import { liveSessionOf } from "../history/live-session.ts";
import { say } from "../say.ts";
import { currentSettings } from "../settings.ts";
import { isOn } from "../switch.ts";
import { BOOT_TOOLS, RESET_TOOLS } from "../tool-names.ts";
import { currentWindow, nextWindowId, NOTICE_TYPE, type NoticeDetails, type ResetDetails } from "../window.ts";
import { carriedDraft, type Draft, noticeDraft, resetDrafts, type Words } from "./boundary.ts";
import { registerEmptyBrain } from "./empty-brain.ts";
import { type Asker, initialState, type ResetAction, type ResetEvent, type ResetState, step } from "./state.ts";
import { saidBehind, without } from "./waiting.ts";

/** What a turn's end is answered with. */
interface TurnEnd {
  readonly entries?: Draft[];
  readonly continue?: boolean;
}

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
  const waiting = ({ sessionManager }: ExtensionContext): Words[] => saidBehind(sessionManager.getBranch(), mark);

  // Where a run stands, which Pi does not say: whether turns are being taken, or the last one is over.
  let run: "none" | "turns" | "over" = "none";
  /** Whether its last turn failed. */
  let hasFailed = false;
  pi.on("agent_start", () => {
    run = "turns";
    hasFailed = false;
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

  const look = (ctx: ExtensionContext): void => {
    const { id } = currentWindow(ctx.sessionManager.getBranch(), ctx.sessionManager.getSessionId());
    tell(ctx, dispatch({ type: "looked", window: id }));
  };

  pi.on("session_start", async (_event, ctx) => {
    dispatch({ type: "cleared" });
    await bootOrTell(pi, ctx);
  });

  pi.on("session_tree", async (_event, ctx) => {
    dispatch({ type: "cleared" });
    await bootOrTell(pi, ctx);
  });

  // A person speaks: where the window has no boot yet, it comes before what they say.
  pi.on("input", async (_event, ctx) => {
    if (!ctx.isIdle()) return undefined;
    const hasBoot = await bootOrTell(pi, ctx);
    const { reset } = currentWindow(ctx.sessionManager.getBranch(), ctx.sessionManager.getSessionId());
    // Behind a reset the model would know nothing at all, not even that there are notes.
    return hasBoot || reset === undefined ? undefined : { action: "handled" };
  });

  pi.on("turn_end", async (event, ctx) => {
    const isAborted = ctx.signal?.aborted === true;
    if (!isOn(pi, ctx)) {
      // What was asked for before it was switched off is not done when it is on again.
      dispatch({ type: "cleared" });
      return undefined;
    }
    hasFailed = event.outcome === "error";
    // Pi may try again; where it does not, the run is over.
    if (hasFailed) return undefined;
    const session = ctx.sessionManager.getSessionId();
    const window = currentWindow(ctx.sessionManager.getBranch(), session);
    const hasTools = event.toolResults.length > 0;
    // Behind a final answer a notice would be the last word, which Pi prints in the answer's place.
    const announcement = hasTools ? announce(pi, ctx, meter, [...window.said]) : null;
    if (announcement?.kind === "reset" && meter.hasRoom(ctx)) dispatch({ type: "asked", by: "budget", isIdle: false });
    const nextWindow = nextWindowId(ctx.sessionManager.getEntries(), session);
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
        const details: ResetDetails = { kind: "notesoup-reset", window: nextWindow, by: action.by, isBoot: false };
        return commit(pi, ctx, event, { details, goesOn: action.goesOn, carried });
      }
      case "close-at-turn-end":
        markEnd(ctx);
        return closeOut(event, state, meter, ctx);
      case "give-up":
        tell(ctx, action);
        return undefined;
      default:
        return announcement === null || announcement.kind === "reset" || isAborted
          ? undefined
          : { entries: [...event.entries, noticeDraft(noticeText(pi, announcement), announcement.fingerprint)] };
    }
  });

  // Nothing tells that a boundary was taken: the next request is the first to see it.
  pi.on("context", ({ messages }, ctx) => {
    look(ctx);
    const { length } = state.phase === "closing" ? waiting(ctx) : [];
    return length === 0 ? undefined : { messages: without(messages, length) };
  });
  pi.on("agent_settled", ({ aborted }, ctx) => {
    run = "none";
    look(ctx);
    tell(ctx, dispatch({ type: "run-ended", isAborted: aborted || hasFailed }));
  });

  pi.on("session_before_compact", async ({ preparation, reason, willRetry }, ctx) => {
    if (!isOn(pi, ctx)) return undefined;
    if (reason === "threshold") {
      // The model is writing its notes: there is room for that, and the window is emptied right after.
      if (state.phase === "closing") return { cancel: true };
      // A figure that no second one has confirmed yet: no window is emptied for it.
      if ((remainingTokens(meter.measure(ctx)) ?? 0) > 0) return { cancel: true };
      // The next window would be as full: it would be emptied again and again, and never used.
      if (!meter.hasRoom(ctx)) return { cancel: true };
    }
    // What Pi prints is the last message: the answer is not to go. The next prompt brings it up again.
    if (ctx.mode === "print" && run === "over" && !willRetry) return { cancel: true };
    const window = nextWindowId(ctx.sessionManager.getEntries(), ctx.sessionManager.getSessionId());
    const details: ResetDetails = { kind: "notesoup-reset", window, by: "host", isBoot: true };
    const pointer = willRetry || run === "turns" ? pointerToTask(ctx) : "";
    const boot = await bootText(pi, ctx, window, "here").catch((error: unknown) => {
      sayNoBoot(ctx, error);
      return undefined;
    });
    // Pi's own compaction would send all that was said to be summed up.
    if (boot === undefined) return { cancel: true };
    const summary = boot + pointer;
    dispatch({ type: "cleared" });
    // Pi takes `null` here as it does in a boundary, though its type does not say so.
    const firstKeptEntryId = null as unknown as string;
    return { compaction: { summary, firstKeptEntryId, tokensBefore: preparation.tokensBefore, details } };
  });

  return (ctx) => {
    // A boundary that Pi did not take waits for the next turn: who asks again need not.
    if (state.phase === "asked" && ctx.isIdle()) dispatch({ type: "cleared" });
    const action = dispatch({ type: "asked", by: "person", isIdle: ctx.isIdle() });
    if (action.type !== "close-in-a-run") return;
    markEnd(ctx);
    const content = closeOutOf("person", meter, ctx);
    const details: NoticeDetails = { fingerprint: "close-out" };
    pi.sendMessage({ customType: NOTICE_TYPE, content, display: false, details }, { triggerTurn: true });
  };
}

/** Where a task stands of which a window without a close-out has left nothing. */
function pointerToTask({ sessionManager }: ExtensionContext): string {
  const { events } = openLiveSession(liveSessionOf(sessionManager));
  let place = events.length - 1;
  while (place >= 0 && events.at(place)?.role !== "user") place--;
  const said = place < 0 ? undefined : events.at(place);
  if (said === undefined) return "";
  return `\n\nThe window before this one was emptied in the middle of work, without notes of it. Go on with that: what a person said last is ${BOOT_TOOLS.historyRead} ${JSON.stringify({ seq: said.seq })}, and what was done about it came after it.`;
}

/** Makes the boot where it is missing. @returns whether it is there */
async function bootOrTell(pi: ExtensionAPI, ctx: ExtensionContext): Promise<boolean> {
  try {
    await ensureBoot(pi, ctx);
    return true;
  } catch (error) {
    sayNoBoot(ctx, error);
    return false;
  }
}

function sayNoBoot(ctx: ExtensionContext, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  say(
    ctx,
    `notesoup: this window has no boot: ${why}; mend that and speak again, or go on without by /notesoup off`,
    "warning",
  );
}

interface Boundary {
  readonly details: ResetDetails;
  readonly goesOn: boolean;
  /** What a person said since the window is being closed. */
  readonly carried: readonly Words[];
}

async function commit(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  event: TurnEndEvent,
  { details, goesOn, carried }: Boundary,
): Promise<TurnEnd | undefined> {
  const { signal } = ctx;
  const session = ctx.sessionManager.getSessionId();
  const boot = await bootText(pi, ctx, details.window, "here");
  // Stopped meanwhile: that the boundary is missing is seen like that of one which Pi threw away.
  if (signal?.aborted === true) return undefined;
  return {
    entries: [...event.entries, ...resetDrafts(session, details, boot), ...carried.map(carriedDraft)],
    continue: event.continue || goesOn || carried.length > 0,
  };
}

/** Not remembered as said: a close-out that was stopped comes again. */
function closeOut(event: TurnEndEvent, state: ResetState, meter: UsageMeter, ctx: ExtensionContext): TurnEnd {
  const by = state.phase === "closing" ? state.by : "person";
  return { entries: [...event.entries, noticeDraft(closeOutOf(by, meter, ctx), "close-out")], continue: true };
}

function closeOutOf(by: Asker, meter: UsageMeter, ctx: ExtensionContext): string {
  const askedBy = by === "budget" ? "budget" : "person";
  return closeOutText({ tools: RESET_TOOLS, askedBy, remainingTokens: remainingTokens(meter.measure(ctx)) });
}

/** What is to be said of how full the window is. */
function announce(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  meter: UsageMeter,
  said: readonly string[],
): Announcement | null {
  const { reminderMarginTokens, lastWordMarginTokens, autoReset } = currentSettings(pi);
  return countdown(said, { ...meter.measure(ctx), reminderMarginTokens, lastWordMarginTokens, autoReset });
}

function noticeText(pi: ExtensionAPI, { kind, remainingTokens: left }: Announcement): string {
  const notice = { remainingTokens: left, tools: RESET_TOOLS, autoReset: currentSettings(pi).autoReset };
  return kind === "reminder" ? reminderText(notice) : lastWordText(notice);
}

function tell(ctx: ExtensionContext, action: ResetAction): void {
  if (action.type !== "give-up") return;
  say(
    ctx,
    action.because === "aborted"
      ? "notesoup: the window was not emptied, for the turn was stopped"
      : "notesoup: the window was not emptied, for Pi did not take the boundary; try /empty-brain again",
    "warning",
  );
}
