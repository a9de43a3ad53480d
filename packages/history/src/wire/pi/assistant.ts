import { asObject, asText, type JsonObject, jsonText } from "../../json.ts";
import type { WireCall, WireItem } from "../wire.ts";
import { blockText, contentBlocks } from "./content.ts";

/** What the model has said, if anything, and then its calls: each is an event (History, "Events"). */
export function assistantItems(message: JsonObject, entryId: string, time: number | null): readonly WireItem[] {
  const blocks = contentBlocks(message.content);
  const items: WireItem[] = [];
  if (blocks.some(saysSomething) || endLines(message).length > 0) {
    items.push({ kind: "message", role: "assistant", time, text: () => assistantText(message) });
  }
  for (const [index, value] of blocks.entries()) {
    const block = asObject(value);
    if (block?.type === "toolCall") items.push(toolCall(block, entryId, index, time));
  }
  return items;
}

function toolCall(block: JsonObject, entryId: string, index: number, time: number | null): WireCall {
  return {
    kind: "call",
    time,
    // Where it is missing, one that no result has.
    callId: asText(block.id) ?? `${entryId}/${index}`,
    tool: asText(block.name) ?? "unknown tool",
    args: () => jsonText(block.arguments),
  };
}

/** The reasoning, the answer and how it ended, each where it is there; the answer is marked where a reasoning stands before it. */
function assistantText(message: JsonObject): string {
  const blocks = contentBlocks(message.content);
  const reasoning = reasoningText(blocks);
  const answer = blocks.map(blockText).filter(isWords).join("\n");
  const marked = reasoning !== "" && answer !== "" ? `[answer]\n${answer}` : answer;
  return [reasoning, marked, endLines(message).join("\n")].filter((part) => part !== "").join("\n\n");
}

function reasoningText(blocks: readonly unknown[]): string {
  const visible = blocks.map(thinkingText).filter(isWords);
  if (visible.length > 0) return `[reasoning]\n${visible.join("\n")}`;
  return blocks.some(isRedacted) ? "[reasoning redacted]" : "";
}

/** The thinking of a block, where the provider has shown it. */
function thinkingText(value: unknown): string | undefined {
  const block = asObject(value);
  return block?.type === "thinking" && !isRedacted(block) ? asText(block.thinking) : undefined;
}

function isRedacted(value: unknown): boolean {
  const block = asObject(value);
  return block?.type === "thinking" && block.redacted === true;
}

function saysSomething(block: unknown): boolean {
  return isWords(blockText(block)) || isWords(thinkingText(block)) || isRedacted(block);
}

/** Only white space of ASCII is none: in a text that was read as bytes, nothing else can be told. */
function isWords(text: string | undefined): text is string {
  return text !== undefined && /[^\t\n\r ]/u.test(text);
}

/** How a message ended that did not end well. */
function endLines({ errorMessage, stopReason }: JsonObject): string[] {
  const lines: string[] = [];
  const error = asText(errorMessage) ?? "";
  if (error !== "") lines.push(`[error: ${error}]`);
  else if (stopReason === "error") lines.push("[error]");
  if (stopReason === "aborted") lines.push("[aborted]");
  return lines;
}
