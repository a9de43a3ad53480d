import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DshSandbox, LogEvent, SessionLog } from "@notesoup/host-dsh";
import { type ChatRequest, lastToolText, textOf, type ToolCall } from "@notesoup/scripted-model";

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
export const remaining: ToolCall = { name: "get_context_remaining", args: {} };
export const emptyBrain: ToolCall = { name: "empty_brain", args: {} };

/** Variables with which dsh offers its code mode beside the tools; Node warns of what that is made with. */
export const CODE_MODE = { DSH_TOOLS_MODE: "both", NODE_NO_WARNINGS: "1" };

/** A call that runs a script and prints what it returns, as JSON. */
export const scripted = (code: string): ToolCall => ({
  name: "run_code",
  args: {
    code: `console.log("<json>" + JSON.stringify(await (async () => { ${code} })()) + "</json>");`,
    description: "Tries what a script can do",
  },
});

/** What such a script returned, as the next request tells it. */
export const returned = (request: ChatRequest | undefined): unknown => {
  const text = (request && lastToolText(request)) ?? "";
  const json = /<json>(?<json>.*)<\/json>/su.exec(text)?.groups?.["json"];
  if (json === undefined) throw new Error(`The script returned nothing: ${text}`);
  return JSON.parse(json);
};

/** The text of a note's file, by its path in the sandbox's notes home. */
export const noteIn = (sandbox: DshSandbox, ...path: string[]): string =>
  readFileSync(join(sandbox.notesHome, ...path), "utf8");

/** The texts of the tool results that a request brought since the model last spoke. */
export function toolTexts(request: ChatRequest | undefined): string[] {
  const messages = request?.messages ?? [];
  const from = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(from + 1)
    .filter(({ role }) => role === "tool")
    .map(textOf);
}

/** How a boot begins. */
const BOOT = "# Your memory, as of ";
const RUNTIME = "Current runtime context.";

/** A request as who says what, in short: a boot is `boot`, what the host tells of where it runs `runtime`, a result `tool`. */
export function outline(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).map((message) => {
    const text = textOf(message);
    if (text.startsWith(BOOT)) return "boot";
    if (text.startsWith(RUNTIME)) return "runtime";
    if (text.startsWith("Tokens left in this context window"))
      return text.includes("last reminder") ? "last word" : "reminder";
    if (text.includes("this is the last turn in it")) return "close-out";
    if (text.startsWith("A request to empty this context window stood here")) return "withdrawn";
    return message.role === "user" ? text : message.role;
  });
}

/** The texts of the boots in a request. */
export function bootsIn(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).map(textOf).filter((text) => text.startsWith(BOOT));
}

/** What our own messages in a log say of themselves. */
export function markersIn(log: SessionLog | undefined): object[] {
  return (log?.events ?? []).flatMap((event) => markerOf(event) ?? []);
}

function markerOf({ type, data }: LogEvent): object | undefined {
  const source = data?.["source"];
  if (type !== "user/message" || typeof source !== "object" || source === null || !("notesoup" in source))
    return undefined;
  return source.notesoup as object;
}

/** The results of tools in a log: which tool, whether it failed, and by which code. */
export function resultsIn(log: SessionLog | undefined): object[] {
  const events = log?.events ?? [];
  const names = new Map(
    events.filter(({ type }) => type === "tool/call").map(({ data }) => [data?.["callId"], data?.["name"]]),
  );
  return events
    .filter(({ type }) => type === "tool/result")
    .map(({ data }) => {
      const message = data?.["message"] as { content: readonly { toolCallId: string; isError: boolean }[] };
      const [block] = message.content;
      const code = (data?.["error"] as { code: string } | undefined)?.code;
      return { tool: names.get(block?.toolCallId), isError: block?.isError, ...(code !== undefined && { code }) };
    });
}
