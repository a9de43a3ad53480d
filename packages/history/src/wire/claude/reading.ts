import { asList, asObject, asText, asTime, type JsonObject } from "../../json.ts";
import { KeyTable } from "../../key-table.ts";
import type { SessionHeader, WireItem, WireReading, WireRecord } from "../wire.ts";
import { messageId } from "./assistant.ts";
import { nonEmpty } from "./content.ts";
import { Copies } from "./copies.ts";
import { itemsOf } from "./items.ts";
import { isCompaction, isConversation, isSidechain, rowId } from "./row.ts";
import { RowTree } from "./row-tree.ts";
import { isToolResult } from "./tool-result.ts";
import { isInterruption } from "./user.ts";

/** Reads the rows of one session's main file. */
export class ClaudeReading implements WireReading {
  readonly #tree = new RowTree();
  readonly #copies = new Copies();
  /** The record that has made a call, by the call's id. */
  readonly #calls = new KeyTable();
  #id: string | undefined;
  #cwd: string | undefined;
  #createdAt: number | undefined;

  get header(): SessionHeader {
    return { id: this.#id, cwd: this.#cwd, createdAt: this.#createdAt, parent: this.#copies.parent };
  }

  take(record: JsonObject): WireRecord {
    this.#id ??= asText(record.sessionId);
    this.#cwd ??= asText(record.cwd);
    this.#createdAt ??= asTime(record.timestamp) ?? undefined;
    const isCopy = this.#copies.take(record);
    const items = itemsOf(record);
    const id = rowId(record);
    if (id === undefined || isSidechain(record)) {
      this.#tree.skip();
      return { items: items.map(() => undefined) };
    }
    const number = this.#tree.size;
    if (!this.#add(id, record)) return { items: items.map(() => undefined) };
    return {
      items: items.map((item) => (this.#isRepeated(item, number) ? undefined : item)),
      startsWindow: isCompaction(record),
      endsTurn: endsTurn(record),
      isCopy,
    };
  }

  branch(head?: string | null): (record: number) => boolean {
    return this.#tree.branch(head);
  }

  #add(id: string, row: JsonObject): boolean {
    return this.#tree.add({
      id,
      parent: parentOf(row),
      isConversation: isConversation(row),
      message: messageId(row),
      resultOf: resultOf(row),
      attachedTo: this.#callAt(row),
    });
  }

  /** The record with the call that an attachment was added at. */
  #callAt({ attachment }: JsonObject): number | undefined {
    const id = nonEmpty(asObject(attachment)?.toolUseID);
    // What a plugin adds to its own tool's result is named after the call.
    return id === undefined ? undefined : this.#calls.get(id.replace(/-context$/u, ""));
  }

  /**
   * Whether an item is a call that its message has made in a row before. The same id in another
   * message is another call: providers are there that count their calls anew in each.
   */
  #isRepeated(item: WireItem, number: number): boolean {
    if (item.kind !== "call") return false;
    const before = this.#calls.get(item.callId);
    if (before !== undefined && this.#tree.isSameMessage(before, number)) return true;
    this.#calls.set(item.callId, number);
    return false;
  }
}

/** Behind a compaction, the conversation goes on where the row before it was. */
function parentOf({ parentUuid, logicalParentUuid }: JsonObject): string | null | undefined {
  const parent = asText(parentUuid) ?? asText(logicalParentUuid);
  return parent ?? (parentUuid === null ? null : undefined);
}

/** The row with the call that a row has a result of: its parent, where it does not say or is not there. */
function resultOf({ type, message, sourceToolAssistantUUID, parentUuid }: JsonObject): readonly string[] {
  if (type !== "user" || !asList(asObject(message)?.content).some(isToolResult)) return [];
  return [asText(sourceToolAssistantUUID), asText(parentUuid)].filter((id) => id !== undefined);
}

/** Rows that are written when the model has stopped. */
function endsTurn(row: JsonObject): boolean {
  const { type, subtype } = row;
  return (type === "system" && (subtype === "turn_duration" || subtype === "stop_hook_summary")) || isInterruption(row);
}
