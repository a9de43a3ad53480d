import { chunks } from "./chunks.ts";
import type { AnswerContext, Dialect } from "./dialect.ts";
import { parseMessagesRequest, type MessagesRequest } from "./messages-request.ts";
import type { Answer, ErrorStep, Finish } from "./script.ts";
import { startModelOf, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";

const CHARS_PER_TOKEN = 4;

// Hosts send a thought back with its signature, and a thought without one is left out.
const SIGNATURE = "c2NyaXB0ZWQ=";

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Anthropic's Messages. */
const messages: Dialect<MessagesRequest> = {
  basePath: "",
  path: "/v1/messages",
  parse: parseMessagesRequest,
  wantsStream: (request) => request.stream === true,
  stream: streamOf,
  whole: wholeOf,
  error: (status, message) => ({ type: "error", error: { type: ERROR_TYPES[status] ?? "api_error", message } }),
  besides: { "/v1/messages/count_tokens": (body) => ({ input_tokens: tokensOf(JSON.stringify(body)) }) },
};

/** Starts a model that speaks Anthropic's Messages. Its URL is what `ANTHROPIC_BASE_URL` takes. */
export function startMessagesModel(
  options: ScriptedModelOptions<MessagesRequest>,
): Promise<ScriptedModel<MessagesRequest>> {
  return startModelOf(messages, options);
}

/** The refusal of a request that is too long for the model. */
export function promptTooLong(): ErrorStep {
  return { status: 400, error: "prompt is too long: 210000 tokens > 200000 maximum" };
}

/** The refusal of a server that has too much to do. */
export function overloaded(): ErrorStep {
  return { status: 529, error: "Overloaded" };
}

function streamOf(answer: Answer, context: AnswerContext<MessagesRequest>): string[] {
  const usage = usageOf(answer, context.request);
  const events = [
    { type: "message_start", message: frameOf(context, { content: [], usage: { ...usage, output_tokens: 1 } }) },
    ...blocksOf(answer).flatMap(({ opening, deltas }, index) => [
      { type: "content_block_start", index, content_block: opening },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** A block as its stream begins, and what is sent of it then. */
interface StreamedBlock {
  readonly opening: object;
  readonly deltas: readonly object[];
}

function blocksOf({ thinking, text, toolCalls, chunkSize }: Answer): StreamedBlock[] {
  const pieces = (whole: string): string[] => chunks(whole, chunkSize);
  const blocks: StreamedBlock[] = toolCalls.map(({ id, name, args }) => ({
    opening: { type: "tool_use", id, name, input: {} },
    deltas: pieces(args).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  }));
  if (text !== "") {
    blocks.unshift({
      opening: { type: "text", text: "" },
      deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    });
  }
  if (thinking !== "") {
    blocks.unshift({
      opening: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
        { type: "signature_delta", signature: SIGNATURE },
      ],
    });
  }
  return blocks;
}

function wholeOf(answer: Answer, context: AnswerContext<MessagesRequest>): object {
  const content = [
    ...(answer.thinking === "" ? [] : [{ type: "thinking", thinking: answer.thinking, signature: SIGNATURE }]),
    ...(answer.text === "" ? [] : [{ type: "text", text: answer.text }]),
    ...answer.toolCalls.map(({ id, name, args }) => ({
      type: "tool_use",
      id,
      name,
      input: JSON.parse(args) as unknown,
    })),
  ];
  return {
    ...frameOf(context, { content, usage: usageOf(answer, context.request) }),
    stop_reason: STOP_REASONS[answer.finish],
  };
}

function frameOf({ request, requestNumber }: AnswerContext<MessagesRequest>, fields: object): object {
  return {
    id: `msg_${requestNumber}`,
    type: "message",
    role: "assistant",
    model: request.model,
    stop_reason: null,
    stop_sequence: null,
    ...fields,
  };
}

function usageOf(answer: Answer, request: MessagesRequest): object {
  const { inputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0, outputTokens } = answer.usage;
  const written = [answer.text, answer.thinking, ...answer.toolCalls.flatMap(({ name, args }) => [name, args])];
  const input = inputTokens ?? tokensOf(JSON.stringify(request));
  return {
    // Here, unlike elsewhere, the cached tokens are not among those of the input.
    input_tokens: Math.max(0, input - cachedInputTokens - cacheWriteInputTokens),
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens ?? Math.max(1, tokensOf(written.join(""))),
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
