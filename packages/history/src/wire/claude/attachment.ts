import { asObject, asText, type JsonObject } from "../../json.ts";
import type { WireMessage } from "../wire.ts";
import { contentText, hasWords, namedJson } from "./content.ts";
import { queuedPrompt } from "./user.ts";

/**
 * What the host has put into the context. The text is the one that the model was sent, where the row
 * has it: older rows have only what it was made of.
 */
export function attachmentItems(row: JsonObject, time: number | null): readonly WireMessage[] {
  const attachment = asObject(row.attachment);
  if (attachment === undefined) return [];
  if (attachment.type === "queued_command") return queuedPrompt(attachment, time);
  const { rendered } = row;
  if (Array.isArray(rendered)) {
    const contents = rendered.map((part) => asObject(part)?.content);
    return contents.some(hasWords) ? [context(time, () => contents.map(contentText).join("\n"))] : [];
  }
  return saysNothing(attachment) ? [] : [context(time, () => plainText(attachment))];
}

function context(time: number | null, text: () => string): WireMessage {
  return { kind: "message", role: "context", time, text };
}

/** The host's copy of the system prompt, a hook that has added no context, and a context of no parts. */
function saysNothing({ type, content, context: parts }: JsonObject): boolean {
  if (type === "prompt_snapshot" || content === "") return true;
  const named = type === "session_context" ? asObject(parts) : undefined;
  return named !== undefined && Object.keys(named).length === 0;
}

function plainText(attachment: JsonObject): string {
  const { type, ...rest } = attachment;
  const name = asText(type) ?? "attachment";
  const texts = Array.isArray(rest.content) ? rest.content : [rest.content];
  const isText = texts.length > 0 && texts.every((text) => typeof text === "string");
  return isText ? `[${name}]\n${texts.join("\n")}` : namedJson(name, rest);
}
