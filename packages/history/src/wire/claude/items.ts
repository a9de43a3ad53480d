import { asObject, asText, asTime, type JsonObject } from "../../json.ts";
import type { WireItem, WireMessage } from "../wire.ts";
import { assistantItems } from "./assistant.ts";
import { attachmentItems } from "./attachment.ts";
import { isWords } from "./content.ts";
import { isCompaction, rowId } from "./row.ts";
import { userItems } from "./user.ts";

/** What a row says. Rows without an id, and those of types that are not known, are the host's own bookkeeping. */
export function itemsOf(row: JsonObject): readonly WireItem[] {
  const id = rowId(row);
  if (id === undefined) return [];
  const time = asTime(row.timestamp);
  switch (row.type) {
    case "user":
      return userItems(row, id, time);
    case "assistant":
      return assistantItems(row, id, time);
    case "attachment":
      return attachmentItems(row, time);
    case "system":
      return systemItems(row, time);
    default:
      return [];
  }
}

/** A row of the host itself. Without words it is a measurement. */
function systemItems(row: JsonObject, time: number | null): readonly WireMessage[] {
  if (isCompaction(row)) return [{ kind: "message", role: "context", time, text: () => compactionText(row) }];
  const content = asText(row.content);
  return isWords(content) ? [{ kind: "message", role: "context", time, text: () => content }] : [];
}

function compactionText({ compactMetadata }: JsonObject): string {
  const trigger = asText(asObject(compactMetadata)?.trigger);
  return trigger === undefined ? "[compaction]" : `[compaction: ${trigger}]`;
}
