import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { callLook, resultLook } from "../look.ts";
import { CHANGES } from "../tool-offer.ts";
import { EMPTY_BRAIN_TOOL } from "../tool-names.ts";

/**
 * Registers the tool with which the model empties its own window. Not for scripts: it ends the turn's
 * context, which a script cannot foresee. It stands outside the result protocol.
 *
 * @param ask asks for the reset; what it answers keeps it from being done
 */
export function registerEmptyBrain(pi: ExtensionAPI, ask: (ctx: ExtensionContext) => string | undefined): void {
  pi.registerTool({
    name: EMPTY_BRAIN_TOOL,
    label: "Empty brain",
    description:
      "Empty your context window at the end of this turn, and go on in a new one that begins with your notes. Write down what must survive first: the rest is only in history. Reach for it when a piece of work is done, and when you are reminded that little is left.",
    parameters: Type.Object({}, { additionalProperties: false }),
    exposure: "model-only",
    promptSnippet: "Empty your context window and go on from your notes",
    promptGuidelines: ["Use empty_brain after you have written down what must survive, never before."],
    annotations: CHANGES,
    execute: (_id, _args, _signal, _onUpdate, ctx) => {
      const refusal = ask(ctx);
      return Promise.resolve({
        content: [
          {
            type: "text",
            text: refusal ?? "The window is emptied when this turn ends; the next one begins with your notes.",
          },
        ],
        isError: refusal !== undefined,
        details: undefined,
      });
    },
    renderCall: (_args, theme) => callLook(EMPTY_BRAIN_TOOL, "", theme),
    renderResult: resultLook,
  });
}
