import { asObject, asText, asTime, type JsonObject } from "../../json.ts";
import type { SessionHeader, WireReading, WireRecord } from "../wire.ts";
import { EntryTree } from "./entry-tree.ts";
import { itemsOf } from "./items.ts";

/** Reads the records of one file: a header, and entries that form a tree. */
export class PiReading implements WireReading {
  readonly #tree = new EntryTree();
  #header: SessionHeader | undefined;

  get header(): SessionHeader {
    return this.#header ?? {};
  }

  take(record: JsonObject): WireRecord {
    if (record.type === "session") {
      this.#header ??= headerOf(record);
      this.#tree.add(undefined, undefined);
      return { items: [] };
    }
    const isNew = this.#tree.add(asText(record.id), asText(record.parentId));
    const items = itemsOf(record);
    if (!isNew) return { items: items.map(() => undefined) };
    return {
      items,
      startsWindow: retainsNothing(record),
      endsTurn: endsTurn(record),
      isCopy: isCopy(record, this.header),
    };
  }

  branch(head?: string | null): (record: number) => boolean {
    return this.#tree.branch(head);
  }
}

function headerOf(record: JsonObject): SessionHeader {
  return {
    id: asText(record.id),
    cwd: asText(record.cwd),
    createdAt: asTime(record.timestamp) ?? undefined,
    parent: asText(record.parentSession),
  };
}

/** A compaction that names itself as the first entry that is kept keeps none; `null` is how one is asked for. */
function retainsNothing({ type, id, firstKeptEntryId }: JsonObject): boolean {
  return type === "compaction" && (firstKeptEntryId === null || (id !== undefined && firstKeptEntryId === id));
}

/** Pi asks the model, and lets a person speak, only when every call before has its result. */
function endsTurn({ type, message }: JsonObject): boolean {
  const role = type === "message" ? asObject(message)?.role : undefined;
  return role === "user" || role === "assistant";
}

/** A clone repeats its parent's entries with their ids and times, which are not behind its own beginning. */
function isCopy({ timestamp }: JsonObject, { parent, createdAt }: SessionHeader): boolean {
  if (parent === undefined || createdAt === undefined) return false;
  const time = asTime(timestamp);
  return time !== null && time <= createdAt;
}
