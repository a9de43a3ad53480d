import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startScriptedModel } from "../src/index.ts";
import { post, postRaw, say } from "./chat.ts";

/** The reader of an answer of which the first piece has come. */
async function opened(response: Response): Promise<{ first: string; reader: ReadableStreamDefaultReader<Uint8Array> }> {
  if (response.body === null) throw new Error("The answer has no body.");
  const reader = response.body.getReader();
  const { value } = await reader.read();
  return { first: new TextDecoder().decode(value), reader };
}

describe("the server", () => {
  it("listens on the loopback only, and names the URL that a host is configured with", async () => {
    await using model = await startScriptedModel({ steps: [] });
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });

  it("takes the port that it is given, and fails where that is taken", async () => {
    await using model = await startScriptedModel({ steps: [] });
    const port = Number(new URL(model.url).port);
    await expect(startScriptedModel({ steps: [], port })).rejects.toThrow("EADDRINUSE");
    await model.close();
    await using second = await startScriptedModel({ steps: [], port });
    expect(second.url).toBe(model.url);
  });

  it("records the body of every request in order", async () => {
    await using model = await startScriptedModel({ steps: ["1", "2"] });
    await say(model, { temperature: 0.5 });
    await say(model, { temperature: 0.7 });
    expect(model.requests.map((request) => request["temperature"])).toEqual([0.5, 0.7]);
  });
});

describe("a request that is none", () => {
  it.each([
    ["is not JSON", "{", "bad_json"],
    ["is not an object", "7", "bad_request"],
    ["names no model", '{"messages":[{"role":"user"}]}', "bad_request"],
    ["has no messages", '{"model":"m"}', "bad_request"],
    ["has no message", '{"model":"m","messages":[]}', "bad_request"],
    ["has a message without a role", '{"model":"m","messages":[{}]}', "bad_request"],
  ])("is refused and reported where its body %s, and plays no step", async (_, body, code) => {
    await using model = await startScriptedModel({ steps: ["first"] });
    expect((await postRaw(model, body)).status).toBe(400);
    expect(model.problems).toMatchObject([{ code }]);
    expect(model.requests).toEqual([]);
    expect(await say(model)).toBe("first");
  });

  it.each([
    ["GET", "/chat/completions"],
    ["POST", "/completions"],
  ])("is refused and reported where nothing answers to %s %s", async (method, path) => {
    await using model = await startScriptedModel({ steps: ["first"] });
    expect((await fetch(model.url + path, { method })).status).toBe(404);
    expect(model.problems).toMatchObject([
      { code: "unknown_route", message: expect.stringContaining(`${method} /v1${path}`) },
    ]);
  });
});

describe("a step that hangs", () => {
  it("sends headers and the first piece, and nothing until the client goes away", async () => {
    const gone = Promise.withResolvers<void>();
    await using model = await startScriptedModel({
      steps: [
        (_, { signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          return { hang: true };
        },
        "next",
      ],
    });
    const client = new AbortController();
    const response = await post(model, {}, client.signal);
    const { first, reader } = await opened(response);
    expect(response.status).toBe(200);
    expect(first).toContain('"role":"assistant"');
    const rest = reader.read();
    client.abort();
    await expect(rest).rejects.toThrow("aborted");
    await gone.promise;
    expect(await say(model)).toBe("next");
    expect(model.problems).toEqual([]);
  });

  it("sends only headers where the answer is not streamed", async () => {
    await using model = await startScriptedModel({ steps: [{ hang: true }] });
    const client = new AbortController();
    const response = await post(model, { stream: false }, client.signal);
    expect(response.status).toBe(200);
    client.abort();
    await expect(response.text()).rejects.toThrow("aborted");
  });
});

describe("a client that goes away", () => {
  it("while a step is made gets no answer, and the next one does", async () => {
    const begun = Promise.withResolvers<void>();
    await using model = await startScriptedModel({
      steps: [
        async (_, { signal }) => {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return "too late";
        },
        "next",
      ],
    });
    const client = new AbortController();
    const response = post(model, {}, client.signal);
    await begun.promise;
    client.abort();
    await expect(response).rejects.toThrow("aborted");
    expect(await say(model)).toBe("next");
    expect(model.problems).toEqual([]);
  });
});

describe("the end of a server", () => {
  it("ends an open hang, and closing twice is closing once", async () => {
    const model = await startScriptedModel({ steps: [{ hang: true }] });
    const { reader } = await opened(await post(model));
    const rest = reader.read();
    const closed = Promise.all([model.close(), model.close()]);
    await expect(rest).rejects.toThrow("terminated");
    await closed;
    await expect(post(model)).rejects.toThrow("fetch failed");
  });

  it("comes by itself when its lifetime is over, and is reported", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const model = await startScriptedModel({ steps: [{ hang: true }], lifetimeMs: 5000 });
    const { reader } = await opened(await post(model));
    const rest = reader.read();
    vi.advanceTimersByTime(4999);
    expect(model.problems).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect(rest).rejects.toThrow("terminated");
    await expect(post(model)).rejects.toThrow("fetch failed");
    expect(model.problems).toEqual([{ code: "lifetime_over", message: "The model was not closed within 5000 ms." }]);
  });
});
