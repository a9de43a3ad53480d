import { ScriptFault } from "./problem.ts";

/** A block of a message, as far as tests look at it: a text, a thought, a call of a tool or its result. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly [field: string]: unknown;
}

/** A message of a Messages request. Claude Code puts messages of the role `system` between the others. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
  readonly [field: string]: unknown;
}

/** The body of a Messages request, as far as tests look at it. */
export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly system?: string | readonly ContentBlock[];
  readonly tools?: readonly {
    readonly name?: string;
    readonly description?: string;
    readonly input_schema?: object;
    readonly [field: string]: unknown;
  }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** The result of a tool, as a request brings it back. */
export interface ToolResult {
  /** The id of the call. */
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Checks what the answer and the readers below rely on, and no more.
 *
 * @throws ScriptFault `bad_request`
 */
export function parseMessagesRequest(body: unknown): MessagesRequest {
  if (typeof body !== "object" || body === null) throw malformed("it is not an object");
  const { model, messages } = body as Record<string, unknown>;
  if (typeof model !== "string") throw malformed("`model` is not a string");
  if (!Array.isArray(messages) || messages.length === 0)
    throw malformed("`messages` is not a list with at least one message");
  if (!messages.every(isMessage)) throw malformed("a message has no `role`, or no `content` that is a text or a list");
  return body as MessagesRequest;
}

function isMessage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { role, content } = value as Record<string, unknown>;
  return typeof role === "string" && (typeof content === "string" || Array.isArray(content));
}

function malformed(why: string): ScriptFault {
  return new ScriptFault("bad_request", `The body is no Messages request: ${why}.`);
}

/** The texts of a message or of the system prompt, each by itself; other blocks count as nothing. */
export function textsIn(content: string | readonly ContentBlock[]): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
}

/** The system prompt, its blocks as paragraphs; empty where there is none. */
export function systemPrompt({ system = [] }: MessagesRequest): string {
  return textsIn(system).join("\n\n");
}

/** All that was put into the conversation in the role of the system, behind the system prompt. */
export function systemMessages({ messages }: MessagesRequest): string[] {
  return messages.filter(({ role }) => role === "system").flatMap(({ content }) => textsIn(content));
}

/** What the user said last, without what the host put beside it; `undefined` where the user said nothing. */
export function lastPrompt({ messages }: MessagesRequest): string | undefined {
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => textsIn(content))
    .findLast((text) => !text.startsWith("<system-reminder>"));
}

/** The results that the request brings with its last message that has any, in its order. */
export function lastToolResults({ messages }: MessagesRequest): ToolResult[] {
  return messages.map(({ content }) => toolResultsIn(content)).findLast((results) => results.length > 0) ?? [];
}

function toolResultsIn(content: string | readonly ContentBlock[]): ToolResult[] {
  if (typeof content === "string") return [];
  return content
    .filter(({ type }) => type === "tool_result")
    .map((block) => ({
      id: String(block["tool_use_id"]),
      text: textsIn((block["content"] ?? []) as Message["content"]).join(""),
      isError: block["is_error"] === true,
    }));
}

/** The names of the tools that the request offers, in its order. */
export function offeredTools({ tools = [] }: MessagesRequest): string[] {
  return tools.flatMap(({ name }) => name ?? []);
}
