import type { ResetBy } from "../window.ts";

/** Who can ask for a reset of ours: Pi's own compactions become one without being asked for. */
export type Asker = Exclude<ResetBy, "host">;

/** Where a reset stands. */
export type ResetState =
  | { readonly phase: "idle" }
  /** Asked for; it waits for the end of the turn. What is not closed yet gives the model a turn to write notes first. */
  | ({ readonly phase: "asked"; readonly isClosed: boolean } & Asked)
  /** The model was told to write down what must survive. */
  | ({ readonly phase: "closing"; readonly turnsLeft: number } & Asked)
  /** The boundary was handed to Pi, which may have thrown it away. */
  | ({ readonly phase: "committing"; readonly window: string } & Asked);

/** What is kept of a request. */
interface Asked {
  readonly by: Asker;
  /** Work was under way, which the model goes on with in the new window. */
  readonly goesOn: boolean;
  /** How often the boundary is handed to Pi before it is given up. */
  readonly triesLeft: number;
}

/** What happens to a reset. */
export type ResetEvent =
  /** @param isIdle whether nobody works: then a run is needed to close with */
  | { readonly type: "asked"; readonly by: Asker; readonly isIdle: boolean }
  | {
      readonly type: "turn-ended";
      readonly outcome: "completed" | "aborted" | "error";
      /** A run is being ended by somebody, which the turn's outcome may not say yet. */
      readonly isAborted: boolean;
      /** The turn called tools, so that another one follows. */
      readonly hasTools: boolean;
      /** The window that a boundary would begin. */
      readonly nextWindow: string;
    }
  /** The end of the branch was looked at. */
  | { readonly type: "looked"; readonly window: string }
  /** Pi has emptied the context by itself, or the session has changed. */
  | { readonly type: "cleared" }
  | { readonly type: "run-ended"; readonly isAborted: boolean };

/** What is to be done. */
export type ResetAction =
  | { readonly type: "nothing" }
  /** Tell the model to close, in a run of its own. */
  | { readonly type: "close-in-a-run" }
  /** Tell the model to close, at the end of this turn; it goes on. */
  | { readonly type: "close-at-turn-end" }
  /** Put the boundary at the end of this turn. */
  | { readonly type: "commit"; readonly by: Asker; readonly goesOn: boolean }
  /** Tell the person that nothing was reset. */
  | { readonly type: "give-up"; readonly because: "aborted" | "discarded" };

/** A state and what follows from it. */
export interface ResetStep {
  readonly state: ResetState;
  readonly action: ResetAction;
}

const IDLE: ResetState = { phase: "idle" };
const NOTHING: ResetAction = { type: "nothing" };
/** Turns of a close-out at the most: enough to write several notes, too few to work on. */
const CLOSING_TURNS = 6;
const TRIES = 2;

/** What the state is at first. */
export const initialState: ResetState = IDLE;

/** What an event makes of a reset: a pure function, without a clock. */
export function step(state: ResetState, event: ResetEvent): ResetStep {
  switch (event.type) {
    case "asked":
      return asked(state, event);
    case "turn-ended":
      return turnEnded(state, event);
    case "looked":
      return looked(state, event.window);
    case "cleared":
      return { state: IDLE, action: NOTHING };
    case "run-ended":
      return runEnded(state, event.isAborted);
  }
}

/** Requests while one is under way are one. The model asks when it has written what must survive; for others it gets a turn first. */
function asked(state: ResetState, { by, isIdle }: Extract<ResetEvent, { type: "asked" }>): ResetStep {
  if (by === "model") return { state: askedByModel(state), action: NOTHING };
  if (state.phase !== "idle") return { state, action: NOTHING };
  const request = { by, goesOn: false, triesLeft: TRIES };
  return isIdle
    ? { state: closing(request), action: { type: "close-in-a-run" } }
    : { state: { phase: "asked", isClosed: false, ...request }, action: NOTHING };
}

function askedByModel(state: ResetState): ResetState {
  switch (state.phase) {
    case "idle":
      return { phase: "asked", isClosed: true, by: "model", goesOn: true, triesLeft: TRIES };
    case "committing":
      return state;
    case "asked":
    case "closing": {
      const { by, goesOn, triesLeft } = state;
      return { phase: "asked", isClosed: true, by, goesOn: goesOn || state.phase === "asked", triesLeft };
    }
  }
}

function closing(request: Asked): ResetState {
  return { phase: "closing", turnsLeft: CLOSING_TURNS, ...request };
}

function turnEnded(state: ResetState, event: Extract<ResetEvent, { type: "turn-ended" }>): ResetStep {
  if (state.phase !== "asked" && state.phase !== "closing") return { state, action: NOTHING };
  // To stop is not to agree.
  if (event.outcome !== "completed" || event.isAborted) return giveUp("aborted");
  const { by, goesOn, triesLeft } = state;
  if (state.phase === "asked") {
    // By a final answer the work is over, be it that of a turn later than the one that asked.
    if (state.isClosed) return commit({ by, triesLeft, goesOn: goesOn && event.hasTools }, event.nextWindow);
    return { state: closing({ by, goesOn: event.hasTools, triesLeft }), action: { type: "close-at-turn-end" } };
  }
  const turnsLeft = state.turnsLeft - 1;
  // With tools called, notes are still being written; the budget has no room for more than one turn.
  if (event.hasTools && turnsLeft > 0 && by === "person") {
    return { state: { phase: "closing", turnsLeft, by, goesOn, triesLeft }, action: NOTHING };
  }
  return commit(state, event.nextWindow);
}

function commit({ by, goesOn, triesLeft }: Asked, window: string): ResetStep {
  return {
    state: { phase: "committing", window, by, goesOn, triesLeft: triesLeft - 1 },
    action: { type: "commit", by, goesOn },
  };
}

/** Nothing tells whether Pi has taken a boundary: its window is looked for on the branch. */
function looked(state: ResetState, window: string): ResetStep {
  if (state.phase !== "committing") return { state, action: NOTHING };
  if (state.window === window) return { state: IDLE, action: NOTHING };
  if (state.triesLeft === 0) return giveUp("discarded");
  const { by, goesOn, triesLeft } = state;
  return { state: { phase: "asked", isClosed: true, by, goesOn, triesLeft }, action: NOTHING };
}

function runEnded(state: ResetState, isAborted: boolean): ResetStep {
  // A close-out does not outlast its run: the next one is of something else.
  if (state.phase === "closing" || (state.phase === "asked" && isAborted)) return giveUp("aborted");
  return { state, action: NOTHING };
}

function giveUp(because: "aborted" | "discarded"): ResetStep {
  return { state: IDLE, action: { type: "give-up", because } };
}
