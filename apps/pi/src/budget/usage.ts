import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { believe, remainingTokens, type UsageBelief } from "@notesoup/budget";
import { countedAnswer, currentWindow } from "../window.ts";

/** Pi's own default of what it keeps free (`compaction.reserveTokens`). */
const DEFAULT_RESERVE_TOKENS = 16_384;

/** How full the window is. All numbers are tokens. */
export interface Usage {
  readonly windowId: string;
  readonly contextWindow: number | null;
  readonly reserveTokens: number;
  readonly usedTokens: number | null;
}

/** Follows how full the window of a session is, and does not believe a single impossible figure. */
export class UsageMeter {
  readonly #pi: ExtensionAPI;
  #belief: UsageBelief | null = null;

  constructor(pi: ExtensionAPI) {
    this.#pi = pi;
  }

  /** Takes the figure that Pi has now. */
  measure(ctx: ExtensionContext): Usage {
    const branch = ctx.sessionManager.getBranch();
    const { id: windowId } = currentWindow(branch, ctx.sessionManager.getSessionId());
    const usage = ctx.getContextUsage();
    const contextWindow = usage?.contextWindow ?? ctx.model?.contextWindow ?? null;
    const answer = countedAnswer(branch);
    this.#belief = believe(this.#belief, {
      windowId,
      id: answer ?? "",
      // Before the first answer Pi guesses, and what is guessed is no measure of what is reported.
      usedTokens: answer === undefined ? null : (usage?.tokens ?? null),
      contextWindow,
    });
    const reserveTokens = reserveTokensOf(this.#pi.getSettings().compaction, ctx.model);
    return { windowId, contextWindow, reserveTokens, usedTokens: this.#belief.usedTokens };
  }

  /**
   * Whether to empty the window helps. Not where it was emptied for its tokens already, and had no room
   * from its first answer on: its head alone is more than there is, and that of the next one would be.
   */
  hasRoom(ctx: ExtensionContext): boolean {
    const { sessionManager } = ctx;
    const { firstFigure, reset } = currentWindow(sessionManager.getBranch(), sessionManager.getSessionId());
    if (reset?.by !== "budget" && reset?.by !== "host") return true;
    return remainingTokens({ ...this.measure(ctx), usedTokens: firstFigure }) !== 0;
  }

  /** Tokens left above the reserve, or `null` where nobody knows. */
  remaining(ctx: ExtensionContext): number | null {
    return remainingTokens(this.measure(ctx));
  }
}

/** What Pi's settings say of compaction, as far as it matters here. */
interface CompactionSettings {
  readonly reserveTokens?: number;
  readonly modelOverrides?: Readonly<Record<string, { readonly reserveTokens?: number }>>;
}

/** What Pi keeps free of a model's window: as it says for that model, else for all. */
export function reserveTokensOf(
  settings: CompactionSettings | undefined,
  model: { readonly provider: string; readonly id: string } | undefined,
): number {
  const ofModel = model && settings?.modelOverrides?.[`${model.provider}/${model.id}`];
  return ofModel?.reserveTokens ?? settings?.reserveTokens ?? DEFAULT_RESERVE_TOKENS;
}
