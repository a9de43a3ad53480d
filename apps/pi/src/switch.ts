import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { currentSettings } from "./settings.ts";
import { SWITCH_TYPE, switchOf } from "./window.ts";

/** Whether boots, reminders and resets are on: what a person has said on this branch, else the setting. */
export function isOn(pi: ExtensionAPI, ctx: ExtensionContext): boolean {
  return switchOf(ctx.sessionManager.getBranch()) ?? currentSettings(pi).enabled;
}

/** Switches them on or off from here on; it stands in the session, so that it holds when it is continued. */
export function switchTo(pi: ExtensionAPI, on: boolean): void {
  pi.appendEntry(SWITCH_TYPE, { on });
}
