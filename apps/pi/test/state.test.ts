import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialState, type ResetAction, type ResetEvent, type ResetState, step } from "../src/reset/state.ts";

type Asked = Extract<ResetEvent, { type: "asked" }>;
type TurnEnded = Extract<ResetEvent, { type: "turn-ended" }>;

const asked = (by: Asked["by"], isIdle = false): Asked => ({ type: "asked", by, isIdle });
const turnEnded = (change: Partial<TurnEnded> = {}): TurnEnded => ({
  type: "turn-ended",
  outcome: "completed",
  isAborted: false,
  hasTools: false,
  nextWindow: "s:2",
  ...change,
});
const withTools = turnEnded({ hasTools: true });
const looked = (window: string): ResetEvent => ({ type: "looked", window });
const runEnded = (isAborted: boolean): ResetEvent => ({ type: "run-ended", isAborted });

/** What was done at each of the events, and where that leads. */
function played(...events: readonly ResetEvent[]): { readonly actions: ResetAction[]; readonly state: ResetState } {
  let state = initialState;
  const actions = events.map((event) => {
    const next = step(state, event);
    state = next.state;
    return next.action;
  });
  return { actions, state };
}

const kinds = (...events: readonly ResetEvent[]): string[] => played(...events).actions.map(({ type }) => type);

describe("a reset that the model asks for", () => {
  it("is done at the end of the turn, without a turn to write notes in, and the model goes on", () => {
    expect(played(asked("model"), withTools).actions).toEqual([
      { type: "nothing" },
      { type: "commit", by: "model", goesOn: true },
    ]);
  });

  it("is one reset, however often it is asked for", () => {
    expect(kinds(asked("model"), asked("model"), withTools, asked("model"), looked("s:2"), withTools)).toEqual([
      "nothing",
      "nothing",
      "commit",
      "nothing",
      "nothing",
      "nothing",
    ]);
  });

  it("while one of another is waiting, is that one without its close-out, and the model goes on", () => {
    expect(played(asked("person"), asked("model"), withTools).actions.at(-1)).toEqual({
      type: "commit",
      by: "person",
      goesOn: true,
    });
  });

  it("in the close-out of another, ends that at once; the model goes on only with work that was under way", () => {
    for (const hasTools of [false, true]) {
      const events = [asked("person"), turnEnded({ hasTools }), asked("model"), withTools];
      expect(played(...events).actions.at(-1)).toEqual({ type: "commit", by: "person", goesOn: hasTools });
    }
  });
});

describe("a reset that a person or the budget asks for", () => {
  it("gives the model a turn to write notes in first, at the end of the turn that it is in", () => {
    for (const by of ["person", "budget"] as const) {
      expect(played(asked(by), withTools, turnEnded()).actions).toEqual([
        { type: "nothing" },
        { type: "close-at-turn-end" },
        { type: "commit", by, goesOn: true },
      ]);
    }
  });

  it("has a run of its own for that where nobody works, and nothing to go on with", () => {
    expect(played(asked("person", true), turnEnded()).actions).toEqual([
      { type: "close-in-a-run" },
      { type: "commit", by: "person", goesOn: false },
    ]);
  });

  it("goes on only where the turn in which it was asked for had more to come", () => {
    expect(played(asked("person"), turnEnded(), turnEnded()).actions.at(-1)).toMatchObject({ goesOn: false });
  });

  it("waits for a person's sake until the notes are written, for six turns at the most", () => {
    expect(kinds(asked("person", true), withTools, withTools, turnEnded()).at(-1)).toBe("commit");
    const turns = kinds(asked("person", true), ...Array.from({ length: 6 }, () => withTools)).slice(1);
    expect(turns).toEqual(["nothing", "nothing", "nothing", "nothing", "nothing", "commit"]);
  });

  it("gives the budget one turn and no more, for there is no room", () => {
    expect(kinds(asked("budget"), withTools, withTools)).toEqual(["nothing", "close-at-turn-end", "commit"]);
  });

  it("is not asked for again while one is under way", () => {
    const states = [
      played(asked("model")),
      played(asked("person")),
      played(asked("budget"), withTools),
      played(asked("model"), withTools),
    ].map(({ state }) => state);
    for (const state of states)
      for (const by of ["person", "budget"] as const)
        for (const isIdle of [false, true])
          expect(step(state, asked(by, isIdle))).toEqual({ state, action: { type: "nothing" } });
  });
});

describe("who stops the turn", () => {
  const waiting = [
    [asked("model")],
    [asked("person")],
    [asked("budget")],
    [asked("person", true)],
    [asked("budget"), withTools],
  ];
  const stops: readonly ResetEvent[] = [
    turnEnded({ outcome: "aborted" }),
    turnEnded({ outcome: "error" }),
    turnEnded({ isAborted: true }),
    runEnded(true),
  ];

  it("stops the reset with it, and is told so", () => {
    for (const events of waiting)
      for (const stop of stops) {
        const { actions, state } = played(...events, stop);
        expect({ action: actions.at(-1), state }).toEqual({
          action: { type: "give-up", because: "aborted" },
          state: initialState,
        });
      }
  });

  it("stops nothing where nothing is waiting, and not what was handed to Pi already", () => {
    for (const stop of stops) {
      expect(played(stop)).toEqual({ actions: [{ type: "nothing" }], state: initialState });
      const { state } = played(asked("model"), withTools);
      expect(step(state, stop)).toEqual({ state, action: { type: "nothing" } });
    }
  });

  it("is nobody where a run ends by itself: the reset waits on", () => {
    const { state } = played(asked("person"));
    expect(step(state, runEnded(false))).toEqual({ state, action: { type: "nothing" } });
  });
});

describe("a boundary that was handed to Pi", () => {
  it("is done when its window is seen", () => {
    expect(played(asked("model"), withTools, looked("s:2"))).toMatchObject({ state: initialState });
  });

  it("is handed over once more where another window is seen, and then given up, which is told", () => {
    const again = turnEnded({ nextWindow: "s:2", hasTools: true });
    expect(kinds(asked("model"), again, looked("s:1"), again, looked("s:1"), again)).toEqual([
      "nothing",
      "commit",
      "nothing",
      "commit",
      "give-up",
      "nothing",
    ]);
  });

  it("is asked for by the same and goes on as before when it is handed over again", () => {
    const { actions } = played(asked("person", true), turnEnded(), looked("s:1"), turnEnded());
    expect(actions.at(-1)).toEqual({ type: "commit", by: "person", goesOn: false });
  });

  it("is looked for only then: a look at any other time changes nothing", () => {
    for (const events of [[], [asked("model")], [asked("person")], [asked("person", true)]]) {
      const { state } = played(...events);
      expect(step(state, looked("s:7"))).toEqual({ state, action: { type: "nothing" } });
    }
  });
});

it("is forgotten, whatever it is, where the session changes or Pi empties the window by itself", () => {
  for (const events of [[asked("model")], [asked("person")], [asked("person", true)], [asked("model"), withTools]])
    expect(played(...events, { type: "cleared" })).toMatchObject({ state: initialState });
});

describe("any sequence of events", () => {
  const windows = fc.constantFrom("s:1", "s:2", "s:3");
  const anyEvent: fc.Arbitrary<ResetEvent> = fc.oneof(
    fc.record({
      type: fc.constant("asked" as const),
      by: fc.constantFrom("model" as const, "person" as const, "budget" as const),
      isIdle: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("turn-ended" as const),
      outcome: fc.constantFrom("completed" as const, "completed" as const, "aborted" as const, "error" as const),
      isAborted: fc.boolean(),
      hasTools: fc.boolean(),
      nextWindow: windows,
    }),
    fc.record({ type: fc.constant("looked" as const), window: windows }),
    fc.record({ type: fc.constant("run-ended" as const), isAborted: fc.boolean() }),
    fc.constant({ type: "cleared" as const }),
  );
  const anyEvents = fc.array(anyEvent, { maxLength: 40 });

  /** Whether somebody stops the work, where a request waits for the end of a turn. */
  function isStop(state: ResetState, event: ResetEvent): boolean {
    if (state.phase !== "asked" && state.phase !== "closing") return false;
    if (event.type === "turn-ended") return event.outcome !== "completed" || event.isAborted;
    return event.type === "run-ended" && event.isAborted;
  }

  it("commits nothing that nobody asks for, nothing after a stop, and again only what Pi has not taken, once", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        let state = initialState;
        let isOpen = false;
        let handedOver: string[] = [];
        let isLost = false;
        for (const event of events) {
          const { state: next, action } = step(state, event);
          if (event.type === "asked" && state.phase === "idle") [isOpen, handedOver] = [true, []];
          if (event.type === "cleared" || isStop(state, event)) isOpen = false;
          if (event.type === "looked" && state.phase === "committing") {
            isLost = event.window !== state.window;
            if (!isLost) isOpen = false;
          }
          if (action.type === "commit") {
            expect(isOpen).toBe(true);
            expect(event.type).toBe("turn-ended");
            if (handedOver.length > 0) expect(isLost).toBe(true);
            handedOver.push(next.phase === "committing" ? next.window : "");
            isLost = false;
            expect(handedOver.length).toBeLessThanOrEqual(2);
          }
          state = next;
        }
      }),
    );
  });

  it("ends idle, be it that the turns go on or that somebody stops them", () => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, isTaken) => {
        const { state } = played(...events);
        const window = isTaken ? "s:9" : "s:1";
        const goingOn = Array.from({ length: 8 }, () => [turnEnded({ nextWindow: "s:9" }), looked(window)]).flat();
        for (const rest of [goingOn, [looked(window), runEnded(true)]]) {
          let last = state;
          for (const event of rest) last = step(last, event).state;
          expect(last).toEqual(initialState);
        }
      }),
    );
  });
});
