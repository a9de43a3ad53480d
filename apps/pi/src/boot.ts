import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { renderBoot, takeBootSnapshot } from "@notesoup/boot";
import { openLiveSession, type SessionWindow } from "@notesoup/history";
import { liveSessionOf } from "./history/live-session.ts";
import { liveContext } from "./notes/live-context.ts";
import { isOn } from "./switch.ts";
import { BOOT_TOOLS } from "./tool-names.ts";
import { BOOT_TYPE, type BootDetails, type BootEntry, currentWindow } from "./window.ts";

/**
 * The text with which a window begins. What is read of the session is read before anything is
 * awaited.
 *
 * @param window the window that begins
 * @param begins whether everything until now is of the windows before it
 */
export async function bootText(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  window: string,
  begins: "here" | "before",
): Promise<string> {
  const { identity } = liveContext(pi, ctx);
  const windows = earlierWindows(openLiveSession(liveSessionOf(ctx.sessionManager)).windows, begins);
  const snapshot = await takeBootSnapshot({ identity, capturedAt: Date.now(), session: { windowId: window, windows } });
  return renderBoot(snapshot, { tools: BOOT_TOOLS });
}

function earlierWindows(windows: readonly SessionWindow[], begins: "here" | "before"): readonly SessionWindow[] {
  return begins === "here" ? windows : windows.slice(0, -1);
}

/**
 * Sees to it that the window has this session's boot, once: at the start of a session, and where a
 * crash, a fork or a jump to another branch has left a window without one. To be called while
 * nobody works.
 *
 * @throws what keeps the boot from being made
 */
export async function ensureBoot(pi: ExtensionAPI, ctx: ExtensionContext): Promise<void> {
  const boot = await missingBoot(pi, ctx);
  if (boot === undefined) return;
  const { content, ...details } = boot;
  const message = { customType: BOOT_TYPE, content, display: false, details: details satisfies BootDetails };
  pi.sendMessage(message, { triggerTurn: false });
}

/**
 * The same while somebody works, where a message would only come behind the turn: the boot is kept
 * as an entry, of which each request of the window is given the text.
 *
 * @throws what keeps the boot from being made
 */
export async function ensureBootEntry(pi: ExtensionAPI, ctx: ExtensionContext): Promise<void> {
  const boot = await missingBoot(pi, ctx);
  if (boot !== undefined) pi.appendEntry(BOOT_TYPE, boot);
}

/** The boot that the window does not have. */
async function missingBoot(pi: ExtensionAPI, ctx: ExtensionContext): Promise<BootEntry | undefined> {
  if (!isOn(pi, ctx)) return undefined;
  const session = ctx.sessionManager.getSessionId();
  const window = currentWindow(ctx.sessionManager.getBranch(), session);
  if (window.hasBoot) return undefined;
  const content = await bootText(pi, ctx, window.id, "before");
  // Somebody else may have come to it meanwhile.
  if (currentWindow(ctx.sessionManager.getBranch(), session).hasBoot) return undefined;
  return { session, window: window.id, content };
}
