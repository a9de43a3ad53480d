import type { ScriptedModel, ChatRequest } from "../src/index.ts";

/** The fields of a request that a test may set beside a single message of the user. */
export type ChatFields = Readonly<Record<string, unknown>>;

const DEFAULTS = { model: "scripted-model", stream: true, messages: [{ role: "user", content: "Hello." }] };

export function post(
  model: ScriptedModel<ChatRequest>,
  fields: ChatFields = {},
  signal?: AbortSignal,
): Promise<Response> {
  return postRaw(model, JSON.stringify({ ...DEFAULTS, ...fields }), signal);
}

export function postRaw(model: ScriptedModel<ChatRequest>, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.url}/chat/completions`, { method: "POST", body, ...(signal && { signal }) });
}

export interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
}

/** What a client makes of a stream: its deltas in their order, why it ended, and its figures. */
export interface Streamed {
  readonly deltas: readonly Delta[];
  readonly finish: string | undefined;
  readonly usage: unknown;
}

interface Chunk {
  readonly choices: readonly { readonly delta: Delta; readonly finish_reason: string | null }[];
  readonly usage?: unknown;
}

export async function streamed(response: Response): Promise<Streamed> {
  const records = (await response.text()).split("\n\n").filter((record) => record !== "");
  if (records.pop() !== "data: [DONE]") throw new Error("The stream does not end with [DONE].");
  const parsed = records.map((record) => JSON.parse(record.replace(/^data: /, "")) as Chunk);
  const choices = parsed.flatMap((chunk) => chunk.choices);
  return {
    deltas: choices.map((choice) => choice.delta),
    finish: choices.at(-1)?.finish_reason ?? undefined,
    usage: parsed.at(-1)?.usage,
  };
}

/** The whole text of an answer. */
export async function say(model: ScriptedModel<ChatRequest>, fields: ChatFields = {}): Promise<string> {
  const { deltas } = await streamed(await post(model, fields));
  return deltas.map((delta) => delta.content ?? "").join("");
}
