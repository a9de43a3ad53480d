import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  lastToolResults,
  type MessagesRequest,
  textsIn,
  type ToolCall,
  type ToolResult,
} from "@notesoup/scripted-model";
import { toolName } from "../src/transport/tool-names.ts";

/** A time as notes have it, for an expression. */
export const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

type Tool = Parameters<typeof toolName>[0];

/** A provider gives no id twice; a session that is continued has those of several models. */
function newId(): string {
  return `toolu_${randomUUID()}`;
}

/** A call of one of the plugin's tools, as a model makes it. */
export function call(tool: Tool, args: object = {}): ToolCall {
  return { id: newId(), name: toolName(tool), args };
}

/** A call of the host's own shell. */
export function bash(command: string): ToolCall {
  return { id: newId(), name: "Bash", args: { command } };
}

/** Where the shell may be used without a person being asked. */
export const WITH_SHELL = ["--allowedTools", "Bash"];

/** The results that a request brings with its last message that has any. */
export function resultsIn(request: MessagesRequest | undefined): ToolResult[] {
  return request === undefined ? [] : lastToolResults(request);
}

/** Their texts, an error's with a mark before it. */
export function textsOfResults(request: MessagesRequest | undefined): string[] {
  return resultsIn(request).map(({ text, isError }) => (isError ? `! ${text}` : text));
}

/** All that the model reads of the conversation in a request, one text behind the other. */
export function readIn(request: MessagesRequest | undefined): string {
  return (request?.messages ?? []).flatMap(({ content }) => [...textsIn(content), ...resultTexts(content)]).join("\n");
}

function resultTexts(content: MessagesRequest["messages"][number]["content"]): string[] {
  return typeof content === "string"
    ? []
    : content.flatMap((block) => {
        const inner = block["content"];
        if (block.type !== "tool_result" || inner === undefined) return [];
        return textsIn(inner as MessagesRequest["messages"][number]["content"]);
      });
}

/** The boots in a request, by the windows that they name. */
export function bootsIn(request: MessagesRequest | undefined): string[] {
  return Array.from(
    readIn(request).matchAll(/^session \S+ · window \S+:(?<window>\d+) · /gmu),
    (match) => match[1] ?? "",
  );
}

/** The file of a note, wherever it lies in a session's notes. */
export function noteIn(env: Readonly<Record<string, string>>, name: string): string {
  const home = env["NOTESOUP_HOME"] ?? "";
  const [path, ...others] = globSync(`**/${name}`, { cwd: home });
  if (path === undefined || others.length > 0)
    throw new Error(`${others.length + (path === undefined ? 0 : 1)} notes are named ${name}`);
  return readFileSync(join(home, path), "utf8");
}
