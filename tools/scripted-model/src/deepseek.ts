import type { Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";
import type { ChatRequest } from "./openai-request.ts";
import type { ErrorStep, Lane, Step } from "./script.ts";
import { startModelOf, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";

/** DeepSeek's chat completions: OpenAI's, with an error that names its kind by a word. */
const deepseek: Dialect<ChatRequest> = {
  ...openai,
  error: (status, message) => ({
    error: { message, type: "invalid_request_error", param: null, code: `scripted_${status}` },
  }),
};

/** What DeepSeek Harness lets the title of a session cost at the most, in tokens. */
const TITLE_MAX_TOKENS = 128;

/** How many sessions of one script can get a title. */
const TITLES = 100;

/** Whether a request asks for the title of a session: it offers no tool, and has room for a few words only. */
export function isTitleRequest(request: ChatRequest): boolean {
  const { tools = [], max_tokens: maxTokens } = request;
  return tools.length === 0 && typeof maxTokens === "number" && maxTokens <= TITLE_MAX_TOKENS;
}

/** The refusal of a request that is too long for the model. */
export function contextExceeded(): ErrorStep {
  return {
    status: 400,
    error:
      "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (131000 in the messages, 9000 in the completion). Please reduce the length of the messages or completion.",
  };
}

/**
 * Starts a model as DeepSeek Harness asks one. Requests for titles are answered beside the script,
 * which need not know of them.
 */
export function startDeepseekModel(options: ScriptedModelOptions<ChatRequest>): Promise<ScriptedModel<ChatRequest>> {
  const { port, lifetimeMs, steps, lanes = [{ steps: steps ?? [] }] } = options;
  const titles: Lane<ChatRequest> = {
    match: isTitleRequest,
    steps: Array.from({ length: TITLES }, (): Step<ChatRequest> => "A title"),
  };
  return startModelOf(deepseek, {
    ...(port !== undefined && { port }),
    ...(lifetimeMs !== undefined && { lifetimeMs }),
    lanes: [titles, ...lanes],
  });
}
