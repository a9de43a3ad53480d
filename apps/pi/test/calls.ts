import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PiSandbox } from "@notesoup/host-pi";
import { type ChatRequest, lastToolText, textOf, type ToolCall } from "@notesoup/scripted-model";

/** Settings with which Pi offers its code mode. */
export const CODEMODE = { defaultTools: ["+codemode"] };

/** A time as notes have it, for an expression. */
export const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

/** Calls of the tools, as a model makes them. */
export const write = (args: object): ToolCall => ({ name: "notes_write", args });
export const read = (args: object): ToolCall => ({ name: "notes_read", args });
export const update = (args: object): ToolCall => ({ name: "notes_update", args });
export const list = (args: object): ToolCall => ({ name: "notes_list", args });
export const search = (args: object): ToolCall => ({ name: "notes_search", args });
export const listHistory = (args: object): ToolCall => ({ name: "history_list", args });
export const readHistory = (args: object): ToolCall => ({ name: "history_read", args });

/** The text of a note's file, by its path in the sandbox's notes home. */
export const noteIn = (sandbox: PiSandbox, ...path: string[]): string =>
  readFileSync(join(sandbox.notesHome, ...path), "utf8");

/** The texts of the tool results that a request brought since the model last spoke. */
export function toolTexts({ messages }: ChatRequest): string[] {
  const from = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(from + 1)
    .filter(({ role }) => role === "tool")
    .map(textOf);
}

/** A call that runs a script and prints what it returns as JSON. */
export const scripted = (code: string): ToolCall => ({
  name: "codemode",
  args: { code: `text("<json>" + JSON.stringify(await (async () => { ${code} })()) + "</json>");` },
});

/** What such a script returned, as the next request tells it. */
export const printed = (request: ChatRequest | undefined): unknown =>
  JSON.parse(/<json>(?<json>.*)<\/json>/su.exec((request && lastToolText(request)) ?? "")?.groups?.["json"] ?? "null");

/** Whether a message of a session is the result of a tool. */
export function isToolResult(message: unknown): message is {
  readonly toolName: string;
  readonly isError: boolean;
  readonly details?: unknown;
} {
  return typeof message === "object" && message !== null && "role" in message && message.role === "toolResult";
}
