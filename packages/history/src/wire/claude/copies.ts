import { asObject, asText, asTime, type JsonObject } from "../../json.ts";
import { isConversation, rowId } from "./row.ts";

/**
 * Tells which rows of a session were copied from its parent. They keep their ids and times, but are
 * given the id of the new session: only some say where they are from, the others are told by their
 * time, which is before the first thing that the session has written of itself.
 *
 * What was copied into a session that begins with the copies, without a record of its own before
 * them, and does not say where it is from, cannot be told.
 */
export class Copies {
  #parent: string | undefined;
  /** When the session's own first record was written; `null` where that is a row. */
  #begun: number | null | undefined;
  #isFork: boolean | undefined;

  /** The session that the last of the rows that say so is from: those before may be copies there as well. */
  get parent(): string | undefined {
    return this.#parent;
  }

  /** Whether the next record is a copy. */
  take(record: JsonObject): boolean {
    const isRow = rowId(record) !== undefined && isConversation(record);
    this.#begin(record, isRow);
    if (!isRow) return false;
    const origin = originOf(record);
    if (origin !== undefined) {
      this.#isFork = true;
      this.#parent = origin;
      return true;
    }
    if (this.#isFork === false) return false;
    const isOlder = this.#isOlder(record);
    // A hook of the beginning runs before the first record is written: an attachment says nothing of a fork.
    if (record.type !== "attachment") this.#isFork ??= isOlder;
    return this.#isFork === true && isOlder;
  }

  #begin({ timestamp }: JsonObject, isRow: boolean): void {
    if (this.#begun !== undefined) return;
    const time = asTime(timestamp);
    if (time !== null) this.#begun = isRow ? null : time;
  }

  #isOlder({ timestamp }: JsonObject): boolean {
    const begun = this.#begun ?? null;
    if (begun === null) return false;
    const time = asTime(timestamp);
    return time !== null && time < begun;
  }
}

function originOf({ forkedFrom, requestSessionId, sessionId }: JsonObject): string | undefined {
  const origin = asText(asObject(forkedFrom)?.sessionId) ?? asText(requestSessionId);
  return origin === asText(sessionId) ? undefined : origin;
}
