import type { TurnEndEvent } from "@earendil-works/pi-coding-agent";

/** What a message can say. */
export type Words = Extract<TurnEndEvent["entries"][number], { type: "custom_message" }>["content"];

/** What a person said, and the entry in which it stands. */
export interface Said {
  readonly id: string;
  readonly content: Words;
}
