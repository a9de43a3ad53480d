import type { Context } from "@deepseek-ai/cordis";
import type { CommandDefinition } from "@deepseek-ai/dsh-commands";
import { formatTokens, remainingTokens } from "@notesoup/budget";
import type { House } from "./house.ts";
import type { Resets } from "./reset/resets.ts";
import type { DshSettings } from "./settings.ts";
import { currentWindow } from "./window.ts";

/** Registers what a person can say: `/empty-brain`, and `/notesoup`, which tells how things stand. */
export function registerCommands(ctx: Context, house: House, settings: DshSettings, resets: Resets): void {
  const definitions = [emptyBrain(settings, resets), status(house, settings)];
  ctx.inject(["commands"], ({ commands }) => {
    for (const definition of definitions) commands.register(definition);
  });
}

function emptyBrain(settings: DshSettings, resets: Resets): CommandDefinition {
  return {
    name: "empty-brain",
    description: "Let the agent write its notes, empty its context window, and begin the next one with them",
    handler: async ({ agent }) => {
      if (!settings.enabled)
        return { kind: "error", text: "notesoup is off: `enabled` is false in the configuration of its row" };
      const { id, isUsed } = currentWindow(agent.session);
      if (!isUsed && agent.status === "idle")
        return { kind: "success", text: "notesoup: this window is empty already" };
      resets.closeOut(agent);
      await agent.whenIdle();
      const { id: now } = currentWindow(agent.session);
      if (now !== id) return { kind: "success", text: `notesoup: the window was emptied; ${now} begins` };
      return {
        kind: "error",
        text: "notesoup: the window was not emptied: the turn in which the notes are written was stopped, or failed",
      };
    },
  };
}

function status(house: House, settings: DshSettings): CommandDefinition {
  return {
    name: "notesoup",
    description: "Say how much of the context window is left, and whether it is emptied by itself",
    handler: ({ agent }) => {
      const usage = house.meter.measure(agent);
      const left = remainingTokens(usage);
      const text = [
        `notesoup is ${settings.enabled ? "on" : "off"}`,
        `window ${usage.windowId}`,
        left === null ? "tokens left: unknown" : `${formatTokens(left)} tokens left`,
        house.engine === undefined ? "the host compacts" : "a full window is emptied",
      ].join("; ");
      return { kind: "success", text };
    },
  };
}
