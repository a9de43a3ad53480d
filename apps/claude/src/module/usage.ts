import { believe, type UsageBelief } from "@notesoup/budget";
import type { ContextUsage, Host } from "./host.ts";
import { currentWindowId } from "./window.ts";

/** How full the window is. All numbers are tokens. */
export interface Usage extends Limits {
  readonly windowId: string;
  readonly usedTokens: number | null;
}

/** How far a window goes. */
interface Limits {
  readonly contextWindow: number;
  /** What the host keeps free: where no more than that is left, it compacts. */
  readonly reserveTokens: number;
  /** Whether the host compacts by itself. */
  readonly isCompacted: boolean;
}

let belief: UsageBelief | null = null;
/** Where the host compacts this window, of a model with so many tokens: to find that out, it counts all that it sends. */
let known: { readonly windowId: string; readonly window: number; readonly limits: Limits } | undefined;

/** Takes the figure that the host has now. A single impossible one is not believed. */
export async function measure($: Host): Promise<Usage> {
  const { context } = await $.session.usage();
  const windowId = await currentWindowId($);
  if (known?.windowId !== windowId || known.window !== context.window) {
    const { context: counted } = await $.session.usage({ breakdown: "summary" });
    known = { windowId, window: context.window, limits: limitsOf(counted) };
  }
  const { limits } = known;
  belief = believe(belief, {
    windowId,
    // The figure is that of an answer, and two answers of one size are as good as one.
    id: String(context.tokens),
    usedTokens: context.tokens ?? null,
    contextWindow: Math.max(limits.contextWindow, context.window),
  });
  return { windowId, usedTokens: belief.usedTokens, ...limits };
}

/** The window that the host compacts, and where. Where it does not by itself, the model's whole window is there. */
export function limitsOf({ window, breakdown }: ContextUsage): Limits {
  const threshold = breakdown?.autoCompactThreshold;
  if (threshold === undefined) return { contextWindow: window, reserveTokens: 0, isCompacted: false };
  const contextWindow = breakdown?.rawMaxTokens ?? window;
  return { contextWindow, reserveTokens: Math.max(0, contextWindow - threshold), isCompacted: true };
}
