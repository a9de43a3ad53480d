import type { SessionFile } from "@notesoup/host-pi";
import { type ChatRequest, textOf } from "@notesoup/scripted-model";

/** How a boot begins. */
const HEAD = "# Your memory, as of ";

/** A request as who says what, in short: a boot is `boot`, a result `tool`. */
export function outline({ messages }: ChatRequest): string[] {
  return messages.map((message) => {
    const text = textOf(message);
    if (text.startsWith(HEAD)) return "boot";
    return message.role === "user" ? text : message.role;
  });
}

/** The texts of the boots in a request. */
export function bootsIn(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).map(textOf).filter((text) => text.startsWith(HEAD));
}

/** What our own messages of a type in a session's file say beside their text. */
export function messagesOf(session: SessionFile | undefined, customType: string): object[] {
  return (session?.entries ?? [])
    .filter((entry) => entry.type === "custom_message" && entry["customType"] === customType)
    .map(({ display, details }) => ({ display, ...(details as object) }));
}
