import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import { resultOf } from "@notesoup/protocol";
import type { Answer } from "@notesoup/tools";

/** The form of a structured result that Pi takes: what JSON can say. */
type StructuredContent = NonNullable<AgentToolResult<undefined>["structuredContent"]>;

/**
 * An operation's answer as Pi's tool result. `structuredContent` is always there, a refusal's too:
 * a script gets it instead of the text, and a refusal resolves in it as `{ error, code }`.
 */
export function toolResult(answer: Answer<object>): AgentToolResult<undefined> {
  return {
    content: [{ type: "text", text: answer.text }],
    // Results are made of what their schemas name, and hold nothing that JSON cannot say.
    structuredContent: resultOf(answer.outcome) as StructuredContent,
    isError: !answer.outcome.ok,
    details: undefined,
  };
}
