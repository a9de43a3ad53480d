import { describe, expect, it } from "vitest";
import { lastUserText, startScriptedModel, type Step, type ChatRequest } from "../src/index.ts";
import { post, say } from "./chat.ts";

const asking = (content: string) => ({ messages: [{ role: "user", content }] });

describe("lanes", () => {
  it("are asked in their order, and the first that matches answers", async () => {
    await using model = await startScriptedModel({
      lanes: [
        { match: (request) => lastUserText(request) === "dream", steps: ["dream 1", "dream 2"] },
        { match: (request) => lastUserText(request) !== "nothing", steps: ["main 1", "main 2"] },
      ],
    });
    expect(await say(model, asking("work"))).toBe("main 1");
    expect(await say(model, asking("dream"))).toBe("dream 1");
    expect(await say(model, asking("work"))).toBe("main 2");
    expect(await say(model, asking("dream"))).toBe("dream 2");
    expect(model.problems).toEqual([]);
  });

  it("report a request that none of them matches", async () => {
    await using model = await startScriptedModel({ lanes: [{ match: () => false, steps: ["never"] }] });
    expect((await post(model)).status).toBe(400);
    expect(model.problems).toMatchObject([{ code: "no_lane", requestNumber: 1 }]);
  });

  it("report a match that throws", async () => {
    const cause = new Error("no such field");
    const match = (): boolean => {
      throw cause;
    };
    await using model = await startScriptedModel({ lanes: [{ match, steps: ["never"] }] });
    expect((await post(model)).status).toBe(400);
    expect(model.problems).toMatchObject([{ code: "step_failed", cause }]);
  });
});

describe("a script", () => {
  it("that is exhausted answers with an error that hosts do not try again, and reports it", async () => {
    await using model = await startScriptedModel({ steps: ["only"] });
    await say(model);
    const response = await post(model);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("All 1 steps of lane 0");
    expect(model.problems).toMatchObject([{ code: "script_exhausted", requestNumber: 2 }]);
  });

  it("plays errors of HTTP, which are no problem", async () => {
    await using model = await startScriptedModel({ steps: [{ status: 503, error: "overloaded" }, "again"] });
    const response = await post(model);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { message: "overloaded", code: 503 } });
    expect(await say(model)).toBe("again");
    expect(model.problems).toEqual([]);
  });
});

describe("a function step", () => {
  it("makes its step from the request and from what came before, at once or later", async () => {
    await using model = await startScriptedModel({
      steps: [
        (request) => `You said ${lastUserText(request)}`,
        async (_, { requestNumber, requests }) => ({ text: `${requestNumber} of ${requests.length}` }),
        () => () => "from a step within a step",
      ],
    });
    expect(await say(model, asking("hello"))).toBe("You said hello");
    expect(await say(model)).toBe("2 of 2");
    expect(await say(model)).toBe("from a step within a step");
  });

  it("that throws is an error of HTTP and a problem, and so are its failed assertions", async () => {
    const cause = new Error("expected 1 to be 2");
    await using model = await startScriptedModel({ steps: [() => Promise.reject(cause)] });
    const response = await post(model);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("expected 1 to be 2");
    expect(model.problems).toEqual([
      { code: "step_failed", message: "A step threw: expected 1 to be 2", requestNumber: 1, cause },
    ]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a number", 7],
    ["null", null],
    ["a status that HTTP does not know", { status: 7, error: "odd" }],
    ["arguments without a JSON form", { toolCalls: [{ name: "read", args: { n: 1n } }] }],
    ["pieces of no length", { text: "abc", chunkSize: 0 }],
    ["a cut before the beginning", { text: "abc", cutAfter: -1 }],
  ])("that gives %s is an error of HTTP and a problem", async (_, given) => {
    await using model = await startScriptedModel({ steps: [() => given as Step<ChatRequest>] });
    expect((await post(model)).status).toBe(400);
    expect(model.problems).toMatchObject([{ code: "step_failed", requestNumber: 1 }]);
  });
});
