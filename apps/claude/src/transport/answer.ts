import type { Outcome } from "@notesoup/protocol";

/** What a tool came to. The text is made of it where it is delivered. */
export interface CallAnswer {
  readonly kind: "outcome";
  readonly outcome: Outcome<unknown>;
}

/** What a window begins with. */
export interface BootAnswer {
  readonly kind: "boot";
  readonly text: string;
  /** The window's name: the session, and which of its windows it is, counted from 1. */
  readonly windowId: string;
  /** The event with what a person said last; `null` where nobody has said anything. */
  readonly lastPromptSeq: number | null;
}

/** Nothing came of the request, not even an outcome: arguments that no tool takes, or a fault. */
export interface FailureAnswer {
  readonly kind: "failure";
  /** One line, `error: <code>: <message>`. */
  readonly line: string;
}

/** What the helper answers. */
export type HelperAnswer = CallAnswer | BootAnswer | FailureAnswer;

/** An answer as it came over the transport; `undefined` where it is none. */
export function readAnswer(value: unknown): HelperAnswer | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  const { kind } = value;
  // The two sides are of one build: what says what it is, is it.
  return kind === "outcome" || kind === "boot" || kind === "failure" ? (value as HelperAnswer) : undefined;
}

/** The answer that says that nothing came of it. The message may go over several lines; the answer does not. */
export function failure(code: string, message: string): FailureAnswer {
  return { kind: "failure", line: `error: ${code}: ${message.replaceAll(/\s*[\r\n]+\s*/gu, " ").trim()}` };
}
