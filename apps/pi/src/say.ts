import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Tells a person something: on the screen, or on standard error where there is none. */
export function say(ctx: ExtensionContext, line: string, kind: "info" | "warning"): void {
  if (ctx.hasUI) ctx.ui.notify(line, kind);
  else console.error(line);
}
