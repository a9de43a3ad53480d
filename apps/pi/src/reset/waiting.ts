import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { SessionEntry } from "../window.ts";
import type { Words } from "./boundary.ts";

type Message = ContextEvent["messages"][number];

/**
 * What a person said behind an entry of the branch: while a window is being closed, it waits for the
 * next one.
 *
 * @param mark the last entry before the close-out; absent where there is none
 */
export function saidBehind(branch: readonly SessionEntry[], mark: string | null | undefined): Words[] {
  if (mark === undefined) return [];
  const start = branch.findIndex(({ id }) => id === mark);
  // A jump to another branch may have left the mark.
  if (mark !== null && start === -1) return [];
  return branch
    .slice(start + 1)
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "user" ? [entry.message.content] : []));
}

/** The messages of a request without the last so many of a person's. */
export function without(messages: readonly Message[], waiting: number): Message[] {
  let left = waiting;
  return messages
    .toReversed()
    .filter(({ role }) => role !== "user" || left-- <= 0)
    .toReversed();
}
