import { describe, expect, it } from "vitest";
import { closeOutStep, dueAtEnd, lastTurn } from "../src/reset/due.ts";

type Session = Parameters<typeof closeOutStep>[0];

/** A session of the events that a close-out is judged by, in short. */
function sessionOf(...events: readonly string[]): Session {
  return {
    events: events.map((event, seq) => {
      const [type = "", detail = ""] = event.split(" ");
      return { type, seq, data: { turn: Number(detail), reason: { kind: detail } } };
    }),
  } as unknown as Session;
}

const CLOSE_OUT = "user/message";
const ANSWER = "assistant/message";
const PERSON = { seq: 1, by: "person" } as const;
const BUDGET = { seq: 1, by: "budget" } as const;

describe("a close-out before a step", () => {
  it("waits until the model has had its steps: one for the budget, six for a person", () => {
    const after = (steps: number): Session =>
      sessionOf("turn/start 1", CLOSE_OUT, ...Array.from({ length: steps }, () => ANSWER));
    expect(closeOutStep(after(0), BUDGET, 1, false)).toBe("wait");
    expect(closeOutStep(after(1), BUDGET, 1, false)).toBe("commit");
    expect(closeOutStep(after(5), PERSON, 1, false)).toBe("wait");
    expect(closeOutStep(after(6), PERSON, 1, false)).toBe("commit");
  });

  it("is done at once where a person speaks behind the first step: that is for the next window", () => {
    expect(closeOutStep(sessionOf("turn/start 1", CLOSE_OUT), PERSON, 1, true)).toBe("wait");
    expect(closeOutStep(sessionOf("turn/start 1", CLOSE_OUT, ANSWER), PERSON, 1, true)).toBe("commit");
  });

  it.each([
    ["completed", "commit"],
    ["max-tokens", "commit"],
    ["aborted", "withdraw"],
    ["error", "withdraw"],
    ["interrupted", "withdraw"],
    ["blocked", "withdraw"],
  ])("of an earlier turn that ended as %s: %s", (reason, step) => {
    const session = sessionOf("turn/start 1", CLOSE_OUT, ANSWER, `turn/end ${reason}`, "turn/start 2");
    expect(closeOutStep(session, PERSON, 2, false)).toBe(step);
  });

  it("of an earlier turn without an end, as a host leaves it that was stopped, is taken back", () => {
    expect(closeOutStep(sessionOf("turn/start 1", CLOSE_OUT, ANSWER, "turn/start 2"), PERSON, 2, false)).toBe(
      "withdraw",
    );
  });
});

it("behind the last step of its turn a close-out is done, and behind that of another one not", () => {
  const session = sessionOf("turn/start 1", CLOSE_OUT, ANSWER);
  expect(dueAtEnd(session, PERSON, 1)).toBe("person");
  expect(dueAtEnd(session, PERSON, 2)).toBeUndefined();
  expect(dueAtEnd(session, undefined, 1)).toBeUndefined();
});

it("the last turn is that which was begun last, 0 before the first", () => {
  expect(lastTurn(sessionOf().events)).toBe(0);
  expect(lastTurn(sessionOf("turn/start 1", "turn/end completed", "turn/start 2").events)).toBe(2);
});
