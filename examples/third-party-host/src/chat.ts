/** A model that speaks OpenAI's chat completions. */
export interface Model {
  readonly url: string;
  readonly name: string;
  readonly apiKey: string;
}

/** A message of a conversation. */
export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?:
    | readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
    | null;
}

/** What the model is told of a tool; `parameters` is a JSON schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** What comes of asking the model. */
interface Completion {
  readonly message: Message;
  /** Of the whole conversation, with this message; 0 where the server does not count. */
  readonly totalTokens: number;
}

/** Asks the model for the next message of a conversation. */
export async function complete(
  { url, name, apiKey }: Model,
  messages: readonly Message[],
  tools: readonly OfferedTool[],
): Promise<Completion> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model: name,
      messages,
      tools: tools.map((tool) => ({ type: "function", function: tool })),
    }),
  });
  if (!response.ok) throw new Error(`The model answered with ${response.status}: ${await response.text()}`);
  const { choices, usage } = (await response.json()) as {
    readonly choices: readonly [{ readonly message: Message }];
    readonly usage?: { readonly total_tokens: number } | null;
  };
  return { message: choices[0].message, totalTokens: usage?.total_tokens ?? 0 };
}
