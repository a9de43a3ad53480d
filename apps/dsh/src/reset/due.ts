import type { Agent } from "@deepseek-ai/dsh-agent";
import type { ResetBy, SessionEvent } from "../marker.ts";
import type { CloseOut } from "../window.ts";

type Session = Agent["session"];

/** What becomes of the words that open the last turn of a window. */
export type CloseOutStep =
  /** The model is writing its notes. */
  | "wait"
  /** The window ends here. */
  | "commit"
  /** Their turn was stopped, or failed: that is no consent. */
  | "withdraw";

/** Steps of a close-out that a person has asked for: enough to write several notes, too few to work on. */
const CLOSING_STEPS = 6;

/**
 * What a close-out comes to before a step: a pure function of the log, so that it holds when the
 * session is taken up again.
 *
 * @param turn the open turn
 * @param isSpokenTo whether a person has said something that enters the step: that is for the next window
 */
export function closeOutStep(session: Session, { seq, by }: CloseOut, turn: number, isSpokenTo: boolean): CloseOutStep {
  const since = session.events.slice(seq + 1);
  const end = since.find((event) => event.type === "turn/end" || event.type === "turn/start");
  if (end?.type === "turn/end") return END_OF_TURN[end.data.reason.kind] ?? "withdraw";
  if (turnOf(session, seq) !== turn) return "withdraw";
  const steps = since.filter(({ type }) => type === "assistant/message").length;
  // The budget has no room for more than one step.
  const enough = by === "budget" ? 1 : CLOSING_STEPS;
  return steps >= enough || (steps > 0 && isSpokenTo) ? "commit" : "wait";
}

/** By an end of its own a turn agrees; anything else withdraws. */
const END_OF_TURN: Readonly<Record<string, CloseOutStep>> = { completed: "commit", "max-tokens": "commit" };

function turnOf({ events }: Session, seq: number): number | undefined {
  const start = events.slice(0, seq).findLast((event) => event.type === "turn/start");
  return start?.type === "turn/start" ? start.data.turn : undefined;
}

/** Who has a window emptied behind the last step of a turn; `undefined` where nobody has. */
export function dueAtEnd(session: Session, closeOut: CloseOut | undefined, turn: number): ResetBy | undefined {
  return closeOut !== undefined && turnOf(session, closeOut.seq) === turn ? closeOut.by : undefined;
}

/** The turn that is open, or was the last. */
export function lastTurn(events: readonly SessionEvent[]): number {
  const start = events.findLast((event) => event.type === "turn/start");
  return start?.type === "turn/start" ? start.data.turn : 0;
}
