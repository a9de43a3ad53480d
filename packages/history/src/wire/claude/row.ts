import { asText, type JsonObject } from "../../json.ts";

/** A row of the conversation: it has an id, and hangs together with the others. */
export function rowId({ uuid }: JsonObject): string | undefined {
  return asText(uuid);
}

/** Rows of a subagent, which lie in the main file of old sessions, are on none of its branches. */
export function isSidechain({ isSidechain: isAside }: JsonObject): boolean {
  return isAside === true;
}

/** The types of rows that say something; others that have an id only hang between them. */
export function isConversation({ type }: JsonObject): boolean {
  return type === "user" || type === "assistant" || type === "system" || type === "attachment";
}

/** Where the context is emptied; the summary follows in a row of its own. */
export function isCompaction({ type, subtype }: JsonObject): boolean {
  return type === "system" && subtype === "compact_boundary";
}
