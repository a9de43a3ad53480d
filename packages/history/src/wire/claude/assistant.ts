import { asObject, asText, type JsonObject, jsonText } from "../../json.ts";
import type { WireCall, WireItem, WireMessage } from "../wire.ts";
import { blockText, contentBlocks, contentText, isWords, nonEmpty } from "./content.ts";
import { isToolResult, toolResult } from "./tool-result.ts";

const CALLS = ["tool_use", "server_tool_use", "mcp_tool_use"];

/**
 * What the model has said and called. A message of the API is written as a row for each block, in
 * old sessions also as rows that repeat what those before have said: its id is their group.
 */
export function assistantItems(row: JsonObject, id: string, time: number | null): readonly WireItem[] {
  const message = asObject(row.message);
  const group = messageId(row) ?? id;
  const say = (text: () => string): WireMessage => ({ kind: "message", role: "assistant", time, group, text });
  if (row.isApiErrorMessage === true) return [say(() => errorText(row.error, message?.content))];
  const items: WireItem[] = [];
  let hasReasoning = false;
  for (const [index, value] of contentBlocks(message?.content).entries()) {
    const block = asObject(value);
    if (block === undefined) continue;
    const reasoning = reasoningText(block);
    const text = blockText(block);
    if (reasoning !== undefined) {
      hasReasoning = true;
      items.push(say(reasoning));
    } else if (isWords(text)) {
      items.push(say(hasReasoning ? () => `[answer]\n${text}` : () => text));
    } else if (CALLS.some((type) => type === block.type)) {
      items.push(toolCall(block, `${id}/${index}`, time));
    } else if (isToolResult(block)) {
      items.push(toolResult(block, `${id}/${index}`, time, undefined));
    }
  }
  return items;
}

/** The id of the API's message that a row is a part of. */
export function messageId({ type, message }: JsonObject): string | undefined {
  return type === "assistant" ? nonEmpty(asObject(message)?.id) : undefined;
}

/** @param ownId stands for an id that is missing: no result has it */
function toolCall({ id, name, input }: JsonObject, ownId: string, time: number | null): WireCall {
  return {
    kind: "call",
    time,
    callId: nonEmpty(id) ?? ownId,
    tool: asText(name) ?? "unknown tool",
    args: () => jsonText(input),
  };
}

/** Thinking that the provider has not shown is an empty text: it says nothing. */
function reasoningText({ type, thinking }: JsonObject): (() => string) | undefined {
  if (type === "redacted_thinking") return () => "[reasoning redacted]";
  const text = type === "thinking" ? asText(thinking) : undefined;
  return isWords(text) ? () => `[reasoning]\n${text}` : undefined;
}

function errorText(error: unknown, content: unknown): string {
  const kind = nonEmpty(error);
  const head = kind === undefined ? "[error]" : `[error: ${kind}]`;
  const text = contentText(content);
  return text === "" ? head : `${head}\n${text}`;
}
