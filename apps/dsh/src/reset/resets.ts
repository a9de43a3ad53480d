import type { Context } from "@deepseek-ai/cordis";
import type { Agent, PreStepDecision } from "@deepseek-ai/dsh-agent";
import { createUserMessage, type UserMessage } from "@deepseek-ai/dsh-llm";
import { closeOutText, withdrawnCloseOutText } from "@notesoup/budget";
import type { House } from "../house.ts";
import { type ResetBy, sourceOf } from "../marker.ts";
import { say } from "../say.ts";
import { RESET_TOOLS } from "../tool-names.ts";
import { currentWindow, isPersonsSource } from "../window.ts";
import { closeOutStep, dueAtEnd, lastTurn } from "./due.ts";
import { repairBoundary } from "./repair.ts";
import { reset } from "./reset.ts";
import { runtimeContext, withRuntimeContext } from "./runtime-context.ts";

/** The step that a listener is asked about. */
export interface Step {
  readonly agent: Agent;
  readonly messages: readonly UserMessage[];
  readonly turn: number;
  /** Counted from 1 in the turn. */
  readonly step: number;
  readonly signal: AbortSignal;
}

/** The resets that somebody asks for: the model by its tool, a person by a command, the budget at its last line. */
export class Resets {
  readonly #ctx: Context;
  readonly #house: House;
  readonly #row: string;
  /** In which turn the model has asked, or a crash has cut what somebody had asked for. */
  readonly #asked = new WeakMap<Agent, number | "before a crash">();

  constructor(row: string, ctx: Context, house: House) {
    this.#row = row;
    this.#ctx = ctx;
    this.#house = house;
  }

  /** Asks for a reset before the next step of the turn. Asking twice is asking once. */
  ask(agent: Agent): void {
    this.#asked.set(agent, lastTurn(agent.session.events));
  }

  /** Tells the model, for a person, to write its notes: the window is emptied behind that. */
  closeOut(agent: Agent): void {
    const message = closeOutMessage(agent, this.#house.meter.remaining(agent), { by: "person" });
    if (agent.status === "running") agent.steer(message);
    else agent.followup(message);
  }

  /** Empties the window where that is due before a step, and sees to it that the model misses nothing for it. */
  async atStep(step: Step, next: () => Promise<PreStepDecision>): Promise<PreStepDecision> {
    const { agent, signal } = step;
    if (signal.aborted || isIdle(step)) return next();
    const { session } = agent;
    const told = runtimeContext(session);
    if (repairBoundary(agent) === "before the new window") this.#asked.set(agent, "before a crash");
    const due = this.#due(step);
    if (due !== undefined && due !== "withdraw") await this.#empty(step, due, true);
    const decision = await next();
    if (decision.kind === "reject" || signal.aborted) return decision;
    const withdrawal = due === "withdraw" ? [withdrawnMessage(agent)] : [];
    return withRuntimeContext({ ...decision, messages: [...withdrawal, ...decision.messages] }, session, told);
  }

  /** Empties the window where that is due behind the last step of a turn. */
  async atTurnEnd({ agent, turn, signal }: Pick<Step, "agent" | "turn" | "signal">): Promise<void> {
    const isAsked = this.#asked.get(agent) === turn;
    const by = isAsked ? "model" : dueAtEnd(agent.session, currentWindow(agent.session).closeOut, turn);
    if (by !== undefined) await this.#empty({ agent, signal }, by, false);
  }

  #due({ agent, messages, turn }: Step): ResetBy | "withdraw" | undefined {
    const asked = this.#asked.get(agent);
    // What was asked for in a turn that was stopped since is not done in the next one.
    if (asked === turn || asked === "before a crash") return "model";
    this.#asked.delete(agent);
    const { closeOut } = currentWindow(agent.session);
    if (closeOut === undefined) return undefined;
    const isSpokenTo = messages.some(({ source }) => isPersonsSource(source));
    const step = closeOutStep(agent.session, closeOut, turn, isSpokenTo);
    if (step === "wait") return undefined;
    return step === "commit" ? closeOut.by : "withdraw";
  }

  async #empty({ agent, signal }: Pick<Step, "agent" | "signal">, by: ResetBy, goesOn: boolean): Promise<void> {
    this.#asked.delete(agent);
    try {
      await reset(this.#ctx, this.#house, agent, { by, goesOn, signal });
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      say(
        this.#row,
        `the window was not emptied, for the next one would have no boot: ${why}; mend that and ask again`,
      );
    }
  }
}

/** Whether nobody says anything at the begin of a turn: the host does not enter such a step, and it must stay so. */
export function isIdle({ step, messages }: Pick<Step, "step" | "messages">): boolean {
  return step === 1 && messages.length === 0;
}

/** The words that open the last turn of a window. */
export function closeOutMessage(
  { session }: Agent,
  remaining: number | null,
  { by, fingerprint }: { readonly by: "person" | "budget"; readonly fingerprint?: string },
): UserMessage {
  const text = closeOutText({ tools: RESET_TOOLS, askedBy: by, remainingTokens: remaining });
  const marker = {
    what: "close-out",
    session: session.id,
    by,
    ...(fingerprint !== undefined && { fingerprint }),
  } as const;
  return createUserMessage({
    content: [{ type: "text", text }],
    source: sourceOf(marker, "notice", "the window is to be emptied"),
  });
}

function withdrawnMessage({ session }: Agent): UserMessage {
  return createUserMessage({
    content: [{ type: "text", text: withdrawnCloseOutText() }],
    source: sourceOf({ what: "withdrawn", session: session.id }, "notice", "the window is not emptied"),
  });
}
