import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import { BOOT_TYPE, CARRIED_TYPE } from "../window.ts";
import type { Words } from "./words.ts";

type Message = ContextEvent["messages"][number];

/** What belongs at the head of a window, and is no message of the session. */
export interface Head {
  readonly boot: string | undefined;
  /** What a person said that is for this window. */
  readonly words: readonly Words[];
}

/**
 * The messages of a request with what belongs at the head of its window: the boot right behind the
 * summary with which the window begins, and a person's words behind the boot. The same head gives
 * the same bytes in each request of the window.
 */
export function withHead(messages: readonly Message[], { boot, words }: Head): Message[] {
  const start = messages.findLastIndex(({ role }) => role === "compactionSummary") + 1;
  const length = messages.slice(start).findIndex((message) => !isHead(message));
  const behind = length === -1 ? messages.length : start + length;
  return [
    ...messages.slice(0, start),
    ...(boot === undefined ? [] : [hidden(BOOT_TYPE, boot)]),
    ...messages.slice(start, behind),
    ...words.map((content) => hidden(CARRIED_TYPE, content)),
    ...messages.slice(behind),
  ];
}

/** Whether a message is what a boundary has put at the head. */
function isHead(message: Message): boolean {
  return message.role === "custom" && [BOOT_TYPE, CARRIED_TYPE].includes(message.customType);
}

/** A message as Pi makes it of such an entry. It is only sent: no time is asked. */
function hidden(customType: string, content: Words): Message {
  return { role: "custom", customType, content, display: false, timestamp: 0 };
}
