import { describe, expect, it } from "vitest";
import { startScriptedModel } from "../src/index.ts";
import { post, streamed } from "./chat.ts";

describe("a streamed answer", () => {
  it("comes as server-sent events that end with [DONE]", async () => {
    await using model = await startScriptedModel({ steps: ["Hello."] });
    const response = await post(model);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect((await streamed(response)).finish).toBe("stop");
    expect(model.problems).toEqual([]);
  });

  it("splits its text into pieces of code points and never within a character", async () => {
    await using model = await startScriptedModel({ steps: [{ text: "a😀bc", chunkSize: 2 }] });
    const { deltas } = await streamed(await post(model));
    expect(deltas.map((delta) => delta.content)).toEqual(["", "a😀", "bc", undefined]);
  });

  it("sends thoughts before the text", async () => {
    await using model = await startScriptedModel({ steps: [{ thinking: "Hm.", text: "Yes." }] });
    const { deltas } = await streamed(await post(model));
    expect(deltas.slice(1, 3)).toEqual([{ reasoning_content: "Hm." }, { content: "Yes." }]);
  });

  it("streams the arguments of each tool call under its index", async () => {
    const toolCalls = [
      { name: "read", args: { path: "a.md" } },
      { id: "mine", name: "write", args: {} },
    ];
    await using model = await startScriptedModel({ steps: [{ toolCalls, chunkSize: 8 }] });
    const { deltas, finish } = await streamed(await post(model));
    expect(deltas.flatMap((delta) => delta.tool_calls ?? [])).toEqual([
      { index: 0, id: "call_1", type: "function", function: { name: "read", arguments: "" } },
      { index: 0, function: { arguments: '{"path":' } },
      { index: 0, function: { arguments: '"a.md"}' } },
      { index: 1, id: "mine", type: "function", function: { name: "write", arguments: "" } },
      { index: 1, function: { arguments: "{}" } },
    ]);
    expect(finish).toBe("tool_calls");
  });

  it("sends raw arguments as they are, so that a host meets broken JSON", async () => {
    await using model = await startScriptedModel({ steps: [{ toolCalls: [{ name: "read", rawArgs: '{"path"' }] }] });
    const { deltas } = await streamed(await post(model));
    expect(deltas.flatMap((delta) => delta.tool_calls ?? []).at(-1)?.function.arguments).toBe('{"path"');
  });

  it("makes up a new id for every tool call of a script", async () => {
    const call = { toolCalls: [{ name: "read" }] };
    await using model = await startScriptedModel({ steps: [call, call] });
    const idOfNext = async (): Promise<string | undefined> =>
      (await streamed(await post(model))).deltas.flatMap((delta) => delta.tool_calls ?? [])[0]?.id;
    expect(await idOfNext()).toBe("call_1");
    expect(await idOfNext()).toBe("call_2");
  });

  it("ends for the reason that the script gives", async () => {
    await using model = await startScriptedModel({ steps: [{ text: "Cut o", finish: "length" }] });
    expect((await streamed(await post(model))).finish).toBe("length");
  });
});

describe("the usage of an answer", () => {
  it("is what the script says, in the last chunk", async () => {
    const usage = { inputTokens: 120_000, cachedInputTokens: 100_000, outputTokens: 7 };
    await using model = await startScriptedModel({ steps: [{ text: "Hello.", usage }] });
    expect((await streamed(await post(model))).usage).toEqual({
      prompt_tokens: 120_000,
      completion_tokens: 7,
      total_tokens: 120_007,
      prompt_tokens_details: { cached_tokens: 100_000 },
    });
  });

  it("grows with the request and the answer where the script gives no figures", async () => {
    await using model = await startScriptedModel({ steps: ["x", "x".repeat(400)] });
    const small = (await streamed(await post(model))).usage as Record<string, number>;
    const large = (await streamed(await post(model, { messages: [{ role: "user", content: "x".repeat(4000) }] })))
      .usage as Record<string, number>;
    expect(small["completion_tokens"]).toBe(1);
    expect(large["completion_tokens"]).toBe(100);
    expect(large["prompt_tokens"]).toBeGreaterThan((small["prompt_tokens"] ?? 0) + 900);
  });
});

describe("an answer that is not streamed", () => {
  it("comes in one piece, with text, thoughts, tool calls and usage", async () => {
    const step = {
      text: "Yes.",
      thinking: "Hm.",
      toolCalls: [{ name: "read", args: { path: "a.md" } }],
      usage: { inputTokens: 3, outputTokens: 4 },
    };
    await using model = await startScriptedModel({ steps: [step] });
    const response = await post(model, { stream: false });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      model: "scripted-model",
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Yes.",
            reasoning_content: "Hm.",
            tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.md"}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
  });

  it("has no text rather than an empty one where it only calls tools", async () => {
    await using model = await startScriptedModel({ steps: [{ toolCalls: [{ name: "read" }] }] });
    expect(await (await post(model, { stream: false })).json()).toMatchObject({
      choices: [{ message: { content: null } }],
    });
  });
});
