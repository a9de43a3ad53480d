import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { formatTokens, remainingTokens } from "@notesoup/budget";
import { currentSettings } from "../settings.ts";
import { isOn } from "../switch.ts";
import type { UsageMeter } from "./usage.ts";

const KEY = "notesoup";

/** Keeps the footer true, and the widget of who asked for one. */
export function registerStatus(pi: ExtensionAPI, meter: UsageMeter): void {
  const show = (ctx: ExtensionContext): void => showStatus(pi, ctx, meter);
  pi.on("session_start", (_event, ctx) => show(ctx));
  pi.on("turn_end", (_event, ctx) => show(ctx));
  pi.on("agent_settled", (_event, ctx) => show(ctx));
  pi.on("model_select", (_event, ctx) => show(ctx));
  pi.on("session_tree", (_event, ctx) => show(ctx));
  pi.on("session_compact", (_event, ctx) => show(ctx));
}

/** Shows what is left. */
export function showStatus(pi: ExtensionAPI, ctx: ExtensionContext, meter: UsageMeter): void {
  if (!ctx.hasUI) return;
  const text = isOn(pi, ctx) ? `notesoup · ${left(meter.remaining(ctx))}` : "notesoup · off";
  ctx.ui.setStatus(KEY, text);
  if (currentSettings(pi).widget) ctx.ui.setWidget(KEY, [text]);
}

/** What is left, in words. */
function left(remaining: number | null): string {
  return remaining === null ? "tokens left: unknown" : `${formatTokens(remaining)} tokens left`;
}

/** What `/notesoup status` says. */
export function statusLine(pi: ExtensionAPI, ctx: ExtensionContext, meter: UsageMeter): string {
  const usage = meter.measure(ctx);
  return `notesoup is ${isOn(pi, ctx) ? "on" : "off"}; window ${usage.windowId}; ${left(remainingTokens(usage))}`;
}
