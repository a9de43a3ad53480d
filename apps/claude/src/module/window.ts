import type { BootAnswer } from "../transport/answer.ts";
import { ask } from "./helper-link.ts";
import type { Host } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { sessionFacts } from "./session-facts.ts";

/** What the window began with that the session is in. */
let current: { readonly sessionId: string; readonly boot: BootAnswer } | undefined;

/** The window's name. Where no boot could be made, nobody has counted, and the session's windows are taken for one. */
export async function currentWindowId($: Host): Promise<string> {
  const sessionId = await $.session.id();
  return current?.sessionId === sessionId ? current.boot.windowId : `${sessionId}:1`;
}

/** What the window began with. It is made once: asked for again, it is the same. */
export async function bootOfWindow($: Host, settings: PluginSettings): Promise<BootAnswer | undefined> {
  const sessionId = await $.session.id();
  if (current?.sessionId === sessionId) return current.boot;
  return makeBoot($, settings, "before");
}

/** Begins a window: what was said until now is of those before it. `undefined` where its boot cannot be made. */
export function beginWindow($: Host, settings: PluginSettings): Promise<BootAnswer | undefined> {
  return makeBoot($, settings, "here");
}

/** Forgets what the window began with: the host begins one by itself, and asks for its boot then. */
export function leaveWindow(): void {
  current = undefined;
}

async function makeBoot($: Host, settings: PluginSettings, begins: "here" | "before"): Promise<BootAnswer | undefined> {
  const session = await sessionFacts($, settings);
  const answer = await ask($, { kind: "boot", begins, session });
  if (answer.kind !== "boot") return undefined;
  current = { sessionId: session.sessionId, boot: answer };
  return answer;
}
