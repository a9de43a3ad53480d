import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { SessionEntry } from "../window.ts";
import type { Said } from "./words.ts";

type Message = ContextEvent["messages"][number];

/**
 * What a person said behind an entry of the branch: while a window is being closed, it waits for the
 * next one.
 *
 * @param mark the last entry before the close-out; absent where there is none
 */
export function saidBehind(branch: readonly SessionEntry[], mark: string | null | undefined): Said[] {
  if (mark === undefined) return [];
  const start = branch.findIndex(({ id }) => id === mark);
  // A jump to another branch may have left the mark.
  if (mark !== null && start === -1) return [];
  return branch.slice(start + 1).flatMap(saidIn);
}

/** What a person said in these entries of the branch, in the order of their ids. An id that is not there is nothing. */
export function saidAt(branch: readonly SessionEntry[], ids: readonly string[]): Said[] {
  return ids.flatMap((wanted) => branch.filter(({ id }) => id === wanted).flatMap(saidIn));
}

function saidIn(entry: SessionEntry): Said[] {
  return entry.type === "message" && entry.message.role === "user"
    ? [{ id: entry.id, content: entry.message.content }]
    : [];
}

/** The messages of a request without the last so many of a person's. */
export function without(messages: readonly Message[], waiting: number): Message[] {
  let left = waiting;
  return messages
    .toReversed()
    .filter(({ role }) => role !== "user" || left-- <= 0)
    .toReversed();
}
