import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { formatTokens } from "@notesoup/budget";
import { Type } from "typebox";
import { callLook, resultLook } from "../look.ts";
import { READS } from "../tool-offer.ts";
import { REMAINING_TOOL } from "../tool-names.ts";
import type { UsageMeter } from "./usage.ts";

/** Registers the tool that tells how much is left. It stands outside the result protocol: it never refuses. */
export function registerRemainingTool(pi: ExtensionAPI, meter: UsageMeter): void {
  pi.registerTool({
    name: REMAINING_TOOL,
    label: "Context left",
    description:
      "How many tokens are left in this context window before it is emptied; null where nobody knows. Ask before a long task, and when you wonder whether to write notes now.",
    parameters: Type.Object({}, { additionalProperties: false }),
    outputSchema: Type.Object(
      { remaining_tokens: Type.Unsafe<number | null>({ oneOf: [{ type: "integer" }, { type: "null" }] }) },
      { additionalProperties: false },
    ),
    promptSnippet: "Tell how many tokens are left in this context window",
    annotations: READS,
    execute: (_id, _args, _signal, _onUpdate, ctx) => {
      const remaining = meter.remaining(ctx);
      const text = remaining === null ? "unknown" : `${formatTokens(remaining)} tokens left`;
      return Promise.resolve({
        content: [{ type: "text", text }],
        structuredContent: { remaining_tokens: remaining },
        details: undefined,
      });
    },
    renderCall: (_args, theme) => callLook(REMAINING_TOOL, "", theme),
    renderResult: resultLook,
  });
}
