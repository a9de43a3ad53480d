import { expect, it } from "vitest";
import { contextExceeded, isTitleRequest, startDeepseekModel } from "../src/index.ts";

/** Posts a request as DeepSeek Harness does. */
function ask(url: string, body: object): Promise<Response> {
  return fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

const messages = [{ role: "user", content: "Hi." }];
const TITLE = { model: "m", messages, max_tokens: 64 };
const WORK = { model: "m", messages, max_tokens: 64, tools: [{ type: "function", function: { name: "t" } }] };

it("a request for a title offers no tool and has room for a few words only", () => {
  expect(isTitleRequest(TITLE)).toBe(true);
  expect(isTitleRequest(WORK)).toBe(false);
  expect(isTitleRequest({ model: "m", messages, max_tokens: 8192 })).toBe(false);
  expect(isTitleRequest({ model: "m", messages })).toBe(false);
});

it("titles are answered beside the script, which stands where it stood", async () => {
  await using model = await startDeepseekModel({ steps: ["One.", "Two."] });
  const texts: unknown[] = [];
  for (const body of [TITLE, WORK, TITLE, WORK]) {
    const answer = (await (await ask(model.url, body)).json()) as { choices: { message: { content: string } }[] };
    texts.push(answer.choices[0]?.message.content);
  }
  expect(texts).toEqual(["A title", "One.", "A title", "Two."]);
  expect(model.problems).toEqual([]);
});

it("the refusal of a request for its length is one of HTTP, in the provider's words", async () => {
  await using model = await startDeepseekModel({ steps: [contextExceeded()] });
  const response = await ask(model.url, WORK);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining("maximum context length") },
  });
  expect(model.problems).toEqual([]);
});
