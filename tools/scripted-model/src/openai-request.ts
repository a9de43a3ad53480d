import { ScriptFault } from "./problem.ts";

/** A message of a chat-completions request, as far as tests look at it. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/** The body of a chat-completions request, as far as tests look at it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: object };
  }[];
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/**
 * Checks what the answer and the readers below rely on, and no more.
 *
 * @throws ScriptFault `bad_request`
 */
export function parseChatRequest(body: unknown): ChatRequest {
  if (typeof body !== "object" || body === null) throw malformed("it is not an object");
  const { model, messages } = body as Record<string, unknown>;
  if (typeof model !== "string") throw malformed("`model` is not a string");
  if (!Array.isArray(messages) || messages.length === 0)
    throw malformed("`messages` is not a list with at least one message");
  if (!messages.every(hasRole)) throw malformed("a message has no `role`");
  return body as ChatRequest;
}

function hasRole(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && typeof (message as Record<string, unknown>)["role"] === "string"
  );
}

function malformed(why: string): ScriptFault {
  return new ScriptFault("bad_request", `The body is no chat-completions request: ${why}.`);
}

/** The text of a message, its parts joined; images count as nothing. */
export function textOf(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

function lastTextOf(request: ChatRequest, role: string): string | undefined {
  const message = request.messages.findLast((candidate) => candidate.role === role);
  return message && textOf(message);
}

/** The text of the last result of a tool; `undefined` where there is none. */
export function lastToolText(request: ChatRequest): string | undefined {
  return lastTextOf(request, "tool");
}

/** The text of the last message of the user; `undefined` where there is none. */
export function lastUserText(request: ChatRequest): string | undefined {
  return lastTextOf(request, "user");
}

/** The names of the tools that the request offers, in its order. */
export function toolNames(request: ChatRequest): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name);
}
