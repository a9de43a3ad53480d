import { chunks } from "./chunks.ts";
import type { AnswerContext, Dialect } from "./dialect.ts";
import { parseChatRequest, type ChatRequest } from "./openai-request.ts";
import type { Answer } from "./script.ts";

// Fixed, so that two runs of a script send the same bytes.
const CREATED = 1_700_000_000;

const CHARS_PER_TOKEN = 4;

/** OpenAI's chat completions. */
export const openai: Dialect<ChatRequest> = {
  basePath: "/v1",
  path: "/v1/chat/completions",
  parse: parseChatRequest,
  wantsStream: (request) => request.stream === true,
  stream: streamOf,
  whole: wholeOf,
  error: (status, message) => ({ error: { message, type: "scripted_error", code: status } }),
};

function frameOf({ request, requestNumber }: AnswerContext<ChatRequest>, object: string): object {
  return { id: `chatcmpl-${requestNumber}`, object, created: CREATED + requestNumber, model: request.model };
}

function streamOf(answer: Answer, context: AnswerContext<ChatRequest>): string[] {
  const frame = frameOf(context, "chat.completion.chunk");
  const choice = (delta: object, finish_reason: string | null = null): object => ({
    ...frame,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const pieces = (text: string): string[] => chunks(text, answer.chunkSize);
  const records = [
    choice({ role: "assistant", content: "" }),
    ...pieces(answer.thinking).map((reasoning_content) => choice({ reasoning_content })),
    ...pieces(answer.text).map((content) => choice({ content })),
    ...answer.toolCalls.flatMap(({ id, name, args }, index) => [
      choice({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...pieces(args).map((piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    choice({}, answer.finish),
    { ...frame, choices: [], usage: usageOf(answer, context.request) },
  ];
  return [...records.map((record) => JSON.stringify(record)), "[DONE]"].map((data) => `data: ${data}\n\n`);
}

function wholeOf(answer: Answer, context: AnswerContext<ChatRequest>): object {
  const message = {
    role: "assistant",
    content: answer.text === "" ? null : answer.text,
    ...(answer.thinking !== "" && { reasoning_content: answer.thinking }),
    ...(answer.toolCalls.length > 0 && {
      tool_calls: answer.toolCalls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: args },
      })),
    }),
  };
  return {
    ...frameOf(context, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: answer.finish }],
    usage: usageOf(answer, context.request),
  };
}

function usageOf(answer: Answer, request: ChatRequest): object {
  const { inputTokens, outputTokens, cachedInputTokens } = answer.usage;
  const written = [answer.text, answer.thinking, ...answer.toolCalls.flatMap(({ name, args }) => [name, args])].join(
    "",
  );
  const prompt_tokens = inputTokens ?? Math.ceil(JSON.stringify(request).length / CHARS_PER_TOKEN);
  const completion_tokens = outputTokens ?? Math.max(1, Math.ceil(written.length / CHARS_PER_TOKEN));
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cachedInputTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  };
}
