import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import { resultOf } from "@notesoup/protocol";
import type { Answer, UpdateAnswer } from "@notesoup/tools";
import { changeDiff } from "./change-diff.ts";

/** The form of a structured result that Pi takes: what JSON can say. */
type StructuredContent = NonNullable<AgentToolResult<undefined>["structuredContent"]>;

/** What Pi's own interface may show beside the text, and keeps in the session. */
export interface NotesDetails {
  /** The change of an update, in Pi's form of a diff. */
  readonly diff: string;
}

/**
 * An operation's answer as Pi's tool result. `structuredContent` is always there, a refusal's too:
 * a script gets it instead of the text, and a refusal resolves in it as `{ error, code }`.
 */
export function toolResult(answer: Answer<object> | UpdateAnswer): AgentToolResult<NotesDetails | undefined> {
  const change = "change" in answer ? answer.change : undefined;
  return {
    content: [{ type: "text", text: answer.text }],
    // Results are made of what their schemas name, and hold nothing that JSON cannot say.
    structuredContent: resultOf(answer.outcome) as StructuredContent,
    isError: !answer.outcome.ok,
    details: change && { diff: changeDiff(change) },
  };
}
