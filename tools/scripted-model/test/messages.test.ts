import { describe, expect, it } from "vitest";
import { overloaded, promptTooLong, startMessagesModel, type Finish } from "../src/index.ts";
import { ask, eventsOf } from "./messages-client.ts";

describe("a streamed message", () => {
  it("comes as named events, from its start over each of its blocks to its stop", async () => {
    const step = {
      thinking: "Hm, hm.",
      text: "a😀bc",
      toolCalls: [
        { name: "read", args: { path: "a.md" } },
        { id: "mine", name: "write", args: {} },
      ],
      usage: { inputTokens: 10, outputTokens: 4 },
      chunkSize: 4,
    };
    await using model = await startMessagesModel({ steps: [step] });
    const response = await ask(model);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 4 };
    const delta = (index: number, fields: object): object => ({ type: "content_block_delta", index, delta: fields });
    const start = (index: number, block: object): object => ({
      type: "content_block_start",
      index,
      content_block: block,
    });
    expect(await eventsOf(response)).toEqual([
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "scripted-model",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hm, " }),
      delta(0, { type: "thinking_delta", thinking: "hm." }),
      delta(0, { type: "signature_delta", signature: expect.stringMatching(/^.+$/u) }),
      { type: "content_block_stop", index: 0 },
      start(1, { type: "text", text: "" }),
      delta(1, { type: "text_delta", text: "a😀bc" }),
      { type: "content_block_stop", index: 1 },
      start(2, { type: "tool_use", id: "call_1", name: "read", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '{"pa' }),
      delta(2, { type: "input_json_delta", partial_json: 'th":' }),
      delta(2, { type: "input_json_delta", partial_json: '"a.m' }),
      delta(2, { type: "input_json_delta", partial_json: 'd"}' }),
      { type: "content_block_stop", index: 2 },
      start(3, { type: "tool_use", id: "mine", name: "write", input: {} }),
      delta(3, { type: "input_json_delta", partial_json: "{}" }),
      { type: "content_block_stop", index: 3 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
    expect(model.problems).toEqual([]);
  });

  it.each<[Finish, string]>([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["tool_calls", "tool_use"],
    ["content_filter", "refusal"],
  ])("that ends for the reason %s says so as %s", async (finish, reason) => {
    await using model = await startMessagesModel({ steps: [{ text: "Cut o", finish }] });
    expect(await eventsOf(await ask(model))).toContainEqual(
      expect.objectContaining({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null } }),
    );
  });

  it("carries raw arguments as they are, so that a host meets broken JSON", async () => {
    await using model = await startMessagesModel({ steps: [{ toolCalls: [{ name: "read", rawArgs: '{"path"' }] }] });
    expect(await eventsOf(await ask(model))).toContainEqual(
      expect.objectContaining({ delta: { type: "input_json_delta", partial_json: '{"path"' } }),
    );
  });

  it("has an id of its own, by which hosts know which blocks belong together", async () => {
    await using model = await startMessagesModel({ steps: ["1", "2"] });
    const [first, second] = [await eventsOf(await ask(model)), await eventsOf(await ask(model))];
    expect([first[0], second[0]]).toMatchObject([{ message: { id: "msg_1" } }, { message: { id: "msg_2" } }]);
  });

  it("that hangs has begun", async () => {
    await using model = await startMessagesModel({ steps: [{ hang: true }] });
    const reader = (await ask(model)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: message_start\n/u);
    await model.close();
    await expect(reader?.read()).rejects.toThrow("terminated");
  });

  it("that is cut has sent so many events, and then the connection breaks", async () => {
    await using model = await startMessagesModel({ steps: [{ text: "abcdef", chunkSize: 2, cutAfter: 3 }, "again"] });
    const reader = (await ask(model)).body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    const broken = (async () => {
      for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
        received += piece.value;
    })();
    await expect(broken).rejects.toThrow("terminated");
    expect(received.match(/^event: \w+$/gmu)).toEqual([
      "event: message_start",
      "event: content_block_start",
      "event: content_block_delta",
    ]);
    expect(await eventsOf(await ask(model))).toHaveLength(6);
    expect(model.problems).toEqual([]);
  });
});

describe("the usage of a message", () => {
  it("counts what was read from the cache and what was put into it apart from the rest of the input", async () => {
    const usage = { inputTokens: 120_000, cachedInputTokens: 100_000, cacheWriteInputTokens: 15_000, outputTokens: 7 };
    await using model = await startMessagesModel({ steps: [{ text: "Hello.", usage }] });
    const figures = { input_tokens: 5000, cache_creation_input_tokens: 15_000, cache_read_input_tokens: 100_000 };
    const events = await eventsOf(await ask(model));
    expect(events[0]).toMatchObject({ message: { usage: { ...figures, output_tokens: 1 } } });
    expect(events.at(-2)).toMatchObject({ type: "message_delta", usage: { ...figures, output_tokens: 7 } });
  });

  it("grows with the request and the answer where the script gives no figures", async () => {
    await using model = await startMessagesModel({ steps: ["x", "x".repeat(400)] });
    const usageOf = async (fields: object): Promise<Record<string, number>> =>
      (await eventsOf(await ask(model, { ...fields }))).at(-2)?.["usage"] as Record<string, number>;
    const small = await usageOf({});
    const large = await usageOf({ messages: [{ role: "user", content: "x".repeat(4000) }] });
    expect([small["output_tokens"], large["output_tokens"]]).toEqual([1, 100]);
    expect(large["input_tokens"]).toBeGreaterThan((small["input_tokens"] ?? 0) + 900);
  });
});

describe("a message that is not streamed", () => {
  it("comes in one piece", async () => {
    const step = { text: "Yes.", thinking: "Hm.", toolCalls: [{ name: "read", args: { path: "a.md" } }] };
    await using model = await startMessagesModel({ steps: [step] });
    const response = await ask(model, { stream: false });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Yes." },
        { type: "tool_use", id: "call_1", name: "read", input: { path: "a.md" } },
      ],
      stop_reason: "tool_use",
    });
  });

  it("cannot hold arguments that are no JSON", async () => {
    await using model = await startMessagesModel({ steps: [{ toolCalls: [{ name: "read", rawArgs: "{" }] }] });
    expect((await ask(model, { stream: false })).status).toBe(400);
    expect(model.problems).toMatchObject([{ code: "step_failed" }]);
  });
});

describe("an error", () => {
  it.each([
    ["a server that has too much to do", overloaded(), 529, "overloaded_error", "Overloaded"],
    ["a prompt that is too long", promptTooLong(), 400, "invalid_request_error", /^prompt is too long: /u],
    ["a limit that is reached", { status: 429, error: "Slow down." }, 429, "rate_limit_error", "Slow down."],
    ["any other", { status: 502, error: "Broken." }, 502, "api_error", "Broken."],
  ])("of %s has a kind that hosts know", async (_, step, status, type, message) => {
    await using model = await startMessagesModel({ steps: [step] });
    const response = await ask(model);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ type: "error", error: { type, message: expect.stringMatching(message) } });
    expect(model.problems).toEqual([]);
  });
});

describe("the count of tokens", () => {
  it("is answered beside the script, and grows with the request", async () => {
    await using model = await startMessagesModel({ steps: ["first"] });
    const count = async (content: string): Promise<number> => {
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
      const response = await fetch(`${model.url}/v1/messages/count_tokens?beta=true`, { method: "POST", body });
      return ((await response.json()) as { input_tokens: number }).input_tokens;
    };
    expect(await count("x".repeat(400))).toBe((await count("")) + 100);
    expect(model.requests).toEqual([]);
    expect(model.problems).toEqual([]);
  });
});

describe("a request that is none", () => {
  it.each([
    ["is not an object", "7"],
    ["names no model", '{"messages":[{"role":"user","content":"x"}]}'],
    ["has no messages", '{"model":"m","messages":[]}'],
    ["has a message without content", '{"model":"m","messages":[{"role":"user"}]}'],
    [
      "has a message whose content is neither a text nor a list",
      '{"model":"m","messages":[{"role":"user","content":7}]}',
    ],
  ])("is refused and reported where its body %s", async (_, body) => {
    await using model = await startMessagesModel({ steps: ["first"] });
    expect((await fetch(`${model.url}/v1/messages`, { method: "POST", body })).status).toBe(400);
    expect(model.problems).toMatchObject([{ code: "bad_request" }]);
    expect(model.requests).toEqual([]);
  });

  it("is refused and reported where nothing answers to its route", async () => {
    await using model = await startMessagesModel({ steps: [] });
    expect((await fetch(`${model.url}/v1/models`)).status).toBe(404);
    expect(model.problems).toMatchObject([
      { code: "unknown_route", message: expect.stringContaining("POST /v1/messages, /v1/messages/count_tokens") },
    ]);
  });
});
