import type { HistoryListResult } from "@notesoup/protocol";

/** A session of which something cannot be shown, and why: a code of the history, or of the operations. */
export interface UnshownSession {
  readonly session: string;
  readonly code: string;
}

type UnreadableFields = Pick<HistoryListResult, "sessions_unreadable" | "more_unreadable">;

/** How many sessions a result names that could not be read. */
const NAMED_MAX = 20;

/** How many of the sessions that could not be read a result may name. */
export function nameable(unreadable: readonly UnshownSession[]): number {
  return Math.min(unreadable.length, NAMED_MAX);
}

/** The fields of a result that names so many of them, and counts the others. */
export function unreadableFields(unreadable: readonly UnshownSession[], named: number): UnreadableFields {
  const left = unreadable.length - named;
  return {
    ...(named === 0
      ? {}
      : { sessions_unreadable: unreadable.slice(0, named).map(({ session, code }) => ({ session, code })) }),
    ...(left === 0 ? {} : { more_unreadable: left }),
  };
}
