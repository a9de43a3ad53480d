import type { ToolDefinition } from "@deepseek-ai/dsh-tools";
import { formatTokens } from "@notesoup/budget";
import type { UsageMeter } from "../budget/usage.ts";
import { REMAINING_TOOL } from "../tool-names.ts";
import { agentOf, finalizeContent } from "./offer.ts";

/** The tool that tells how much is left. It stands outside the result protocol. */
export function remainingTool(meter: UsageMeter): ToolDefinition {
  return {
    name: REMAINING_TOOL,
    description:
      "How many tokens are left in this context window before it is emptied; null where nobody knows. Ask before a long task, and when you wonder whether to write notes now.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    output: {
      schema: {
        type: "object",
        properties: { remaining_tokens: { oneOf: [{ type: "integer" }, { type: "null" }] } },
        required: ["remaining_tokens"],
        additionalProperties: false,
      },
      render: (_args, value) => [{ type: "text", text: textOf(value) }],
    },
    isConcurrencySafe: () => true,
    execute: (_args, exec) => Promise.resolve({ remaining_tokens: meter.remaining(agentOf(exec)) }),
    finalizeContent,
    presentCall: () => ({ card: "generic", title: REMAINING_TOOL, kind: "read" }),
  };
}

function textOf(value: unknown): string {
  const { remaining_tokens: remaining } = value as { readonly remaining_tokens: number | null };
  return remaining === null ? "unknown" : `${formatTokens(remaining)} tokens left`;
}
