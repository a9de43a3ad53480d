import { asObject, asText, asTime, type JsonObject, jsonText } from "../../json.ts";
import type { WireItem, WireMessage } from "../wire.ts";
import { assistantItems } from "./assistant.ts";
import { bashExecutionItems } from "./bash-execution.ts";
import { contentText } from "./content.ts";
import { toolResult } from "./tool-result.ts";

/**
 * What an entry says. What changes a setting, a label or what the model is sent of the past is no
 * event: the entry that it is about stays what it was.
 */
export function itemsOf(entry: JsonObject): readonly WireItem[] {
  const { type, timestamp } = entry;
  const message = type === "message" ? asObject(entry.message) : undefined;
  const time = asTime(timestamp) ?? asTime(message?.timestamp);
  switch (type) {
    case "message":
      return message === undefined ? [] : messageItems(message, asText(entry.id) ?? "", time);
    case "custom_message":
      return [words("context", time, () => contentText(entry.content))];
    case "branch_summary":
      return [words("context", time, () => headed("[branch summary]", asText(entry.summary)))];
    case "compaction":
      return [words("context", time, () => headed("[compaction]", asText(entry.summary)))];
    case "custom":
      return [words("context", time, () => headed(`[${asText(entry.customType) ?? "custom"}]`, jsonText(entry.data)))];
    default:
      return [];
  }
}

/** @param entryId makes the ids of executions that have none of their own */
function messageItems(message: JsonObject, entryId: string, time: number | null): readonly WireItem[] {
  switch (message.role) {
    case "user":
      return [words("user", time, () => contentText(message.content))];
    case "assistant":
      return assistantItems(message, entryId, time);
    case "toolResult":
      return [toolResult(message, entryId, time)];
    case "bashExecution":
      return bashExecutionItems(message, entryId, time);
    // Messages of extensions were of these roles before they became entries of their own.
    case "custom":
    case "hookMessage":
      return [words("context", time, () => contentText(message.content))];
    default:
      return [];
  }
}

function words(role: WireMessage["role"], time: number | null, text: () => string): WireMessage {
  return { kind: "message", role, time, text };
}

function headed(head: string, text: string | undefined): string {
  return text === undefined ? head : `${head}\n${text}`;
}
