import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { showStatus, statusLine } from "./budget/status.ts";
import type { UsageMeter } from "./budget/usage.ts";
import { say } from "./say.ts";
import { isOn, switchTo } from "./switch.ts";
import { currentWindow, isKept } from "./window.ts";

const WORDS = ["on", "off", "status"] as const;

/** For who switches something and says nothing else. */
const NOT_KEPT = "; Pi keeps this session, and that with it, once something is said in it";

/** Registers what a person can say: `/empty-brain`, and `/notesoup` with `on`, `off` or `status`. */
export function registerCommands(
  pi: ExtensionAPI,
  meter: UsageMeter,
  askForReset: (ctx: ExtensionContext) => void,
): void {
  pi.registerCommand("empty-brain", {
    description: "Let the agent write its notes, empty its context window, and begin the next one with them",
    handler: async (_args, ctx) => {
      if (!isOn(pi, ctx)) return say(ctx, "notesoup is off in this session; /notesoup on switches it on", "info");
      const { isUsed } = currentWindow(ctx.sessionManager.getBranch(), ctx.sessionManager.getSessionId());
      if (!isUsed && ctx.isIdle()) return say(ctx, "notesoup: this window is empty already", "info");
      askForReset(ctx);
      await ctx.waitForIdle();
    },
  });

  pi.registerCommand("notesoup", {
    description: "Switch boots, reminders and resets on or off in this session, or say how they stand",
    getArgumentCompletions: (prefix) =>
      WORDS.filter((word) => word.startsWith(prefix)).map((word) => ({ value: word, label: word })),
    // What is switched on has its boot before the next thing that is said.
    handler: async (args, ctx) => {
      const word = args.trim() === "" ? "status" : args.trim();
      if (word !== "status" && word !== "on" && word !== "off")
        return say(ctx, `notesoup: ${JSON.stringify(word)} is not known; say ${WORDS.join(", ")}`, "info");
      if (word === "status") return say(ctx, statusLine(pi, ctx, meter), "info");
      switchTo(pi, word === "on");
      showStatus(pi, ctx, meter);
      say(ctx, `${statusLine(pi, ctx, meter)}${isForgotten(ctx) ? NOT_KEPT : ""}`, "info");
    },
  });
}

/** Whether this process may end before Pi has written the session, and what was switched in it, to a file. */
function isForgotten({ mode, sessionManager }: ExtensionContext): boolean {
  return mode === "print" && sessionManager.getSessionFile() !== undefined && !isKept(sessionManager.getEntries());
}
