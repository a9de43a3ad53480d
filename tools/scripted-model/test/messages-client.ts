import type { MessagesRequest, ScriptedModel } from "../src/index.ts";

const DEFAULTS = { model: "scripted-model", stream: true, messages: [{ role: "user", content: "Hello." }] };

/** Asks a model that speaks Messages; a single message of the user if no others are given. */
export function ask(
  model: ScriptedModel<MessagesRequest>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: "POST",
    body: JSON.stringify({ ...DEFAULTS, ...fields }),
  });
}

/** An event of a stream, by the name on its first line. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a stream. Each must be named as what it holds. */
export async function eventsOf(response: Response): Promise<StreamEvent[]> {
  const records = (await response.text()).split("\n\n").filter((record) => record !== "");
  return records.map((record) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/u.exec(record) ?? [];
    const event = JSON.parse(data ?? "") as StreamEvent;
    if (event.type !== name) throw new Error(`The event ${name} holds ${event.type}.`);
    return event;
  });
}
