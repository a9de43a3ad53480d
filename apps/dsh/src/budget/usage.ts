import type { Context } from "@deepseek-ai/cordis";
import type { Agent } from "@deepseek-ai/dsh-agent";
import type { TokenMeter } from "@deepseek-ai/dsh-token-meter";
import { believe, remainingTokens, type UsageBelief } from "@notesoup/budget";
import { currentWindow, isCheckpoint } from "../window.ts";

/** How full a window is. All numbers are tokens. */
export interface Usage {
  readonly windowId: string;
  readonly contextWindow: number | null;
  readonly reserveTokens: number;
  readonly usedTokens: number | null;
}

/** What is kept free of a window that is large enough for it. */
const RESERVE_TOKENS = 16_384;
/** What is kept free of a small one; and what the host's own compaction keeps free of any. */
const RESERVE_SHARE = 1 / 5;

/** Follows how full the windows of all sessions are, and does not believe a single impossible figure. */
export class UsageMeter {
  readonly #ctx: Context;
  readonly #reserve: () => number | "host";
  readonly #beliefs = new WeakMap<Agent, UsageBelief>();

  /** @param reserve what is to be kept free; `undefined` for what suits the size of the window, and `host` where the host compacts by itself */
  constructor(ctx: Context, reserve: () => number | "host" | undefined) {
    this.#ctx = ctx;
    this.#reserve = () => reserve() ?? RESERVE_TOKENS;
  }

  /** Takes the figure that the host has now. */
  measure(agent: Agent): Usage {
    const { session } = agent;
    const { id: windowId } = currentWindow(session);
    const contextWindow = session.requestContext()?.contextWindow ?? null;
    const answer = lastAnswer(agent);
    const meter: TokenMeter | undefined = this.#ctx.get("tokenMeter");
    const measured = answer === undefined ? undefined : meter?.measure(session);
    const belief = believe(this.#beliefs.get(agent) ?? null, {
      windowId,
      id: String(answer),
      usedTokens: measured === undefined || measured.baseline.kind === "none" ? null : measured.totalTokens,
      contextWindow,
    });
    this.#beliefs.set(agent, belief);
    return { windowId, contextWindow, reserveTokens: this.#reserveOf(contextWindow), usedTokens: belief.usedTokens };
  }

  /** Tokens left above the reserve, or `null` where nobody knows. */
  remaining(agent: Agent): number | null {
    return remainingTokens(this.measure(agent));
  }

  #reserveOf(contextWindow: number | null): number {
    const reserve = this.#reserve();
    const share = Math.ceil((contextWindow ?? 0) * RESERVE_SHARE);
    if (reserve === "host") return share;
    return contextWindow === null ? reserve : Math.min(reserve, share);
  }
}

/**
 * The seq of the last answer of the window, from which a figure is; `undefined` before it, where the
 * host guesses from what it knew of the window before.
 */
function lastAnswer({ session }: Agent): number | undefined {
  const last = session.events.findLast((event) => event.type === "assistant/message" || isCheckpoint(event));
  return last?.type === "assistant/message" ? last.seq : undefined;
}
