import { fileURLToPath } from "node:url";
import { createPiSandbox, printPi, startPiRpc } from "@notesoup/host-pi";
import { type AnswerStep, startScriptedModel, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { toolTexts } from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";
import {
  bash,
  bootOf,
  bootsOf,
  COMPACTS,
  emptyBrain,
  expectClosed,
  isCloseOut,
  note,
  notified,
  resetsOf,
  said,
  SPOILER,
  theSession,
  windowsSent,
} from "./reset-play.ts";
import { MODEL_URL, WINDOWLESS } from "./windowless-model.ts";

const extension = packedExtension();

const WINDOWLESS_MODEL = ["-e", fileURLToPath(new URL("windowless-model.ts", import.meta.url))];

/** How a run of Pi ends in print mode. */
const printed = (stdout: string): object => ({ code: 0, signal: null, stdout, stderr: "" });

/** A turn, when the window is said to hold so many tokens. */
const at = (tokens: number, text: string, ...toolCalls: ToolCall[]): AnswerStep => ({
  text,
  toolCalls,
  usage: { inputTokens: tokens, outputTokens: 0 },
});

/** Settings with which nobody but notesoup looks after the window. */
const ALONE = { compaction: { enabled: false } };

/** A host that says of every window that it is full, in which the notes are. */
const FULL = 112_000;

describe("a chat without tools, where Pi compacts nothing", () => {
  const steps = [
    at(70_000, "alpha-answer"),
    at(FULL, "beta-answer"),
    at(112_100, "close-answer", note("Next: gamma.")),
    at(5000, "gamma-answer"),
    at(5100, "delta-answer"),
  ];

  it.each(["in print mode", "in RPC mode"])(
    "writes its notes when nothing is left, before the next prompt, which is for the new window: %s",
    async (mode) => {
      await using model = await startScriptedModel({ steps });
      await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: ALONE });
      const prompts = ["alpha-prompt", "beta-prompt", "gamma-prompt", "delta-prompt"];
      if (mode === "in print mode") {
        const [alpha = "", beta = "", ...rest] = prompts;
        const args = extension.args();
        expect(await printPi(sandbox, [alpha, beta], { args })).toEqual(printed("beta-answer\n"));
        expect(await printPi(sandbox, rest, { args: [...args, "--continue"] })).toEqual(printed("delta-answer\n"));
        expect(model.problems).toEqual([]);
      } else {
        await using rpc = await startPiRpc(sandbox, { args: extension.args() });
        for (const prompt of prompts) await rpc.prompt(prompt);
        await expectClosed(rpc, model);
      }

      const [first, second, ...others] = windowsSent(model.requests);
      expect(others).toEqual([]);
      expect(first?.map(isCloseOut)).toEqual([false, false, true]);
      expect(JSON.stringify(first)).not.toContain("gamma-");
      expect(second?.map(said).at(-1)).toEqual([
        "summary",
        "boot",
        "user: gamma-prompt",
        "assistant: gamma-answer",
        "user: delta-prompt",
      ]);
      expect(second && bootOf(second[0])).toContain("| Next: gamma.");
      const file = await theSession(sandbox);
      expect([resetsOf(file), bootsOf(file)]).toEqual([["budget 2"], ["1", "2"]]);
      expect(file.windows[0]).toMatch(/alpha-answer[^]*beta-answer[^]*user: gamma-prompt[^]*close-answer/u);
    },
  );

  it("with `autoReset` off is not emptied", async () => {
    await using model = await startScriptedModel({ steps: [at(FULL, "alpha-answer"), at(112_100, "beta-answer")] });
    const settings = { ...ALONE, notesoup: { autoReset: false } };
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings });
    expect(await printPi(sandbox, ["alpha-prompt", "beta-prompt"], { args: extension.args() })).toEqual(
      printed("beta-answer\n"),
    );
    expect(model.requests.map(isCloseOut)).toEqual([false, false]);
    expect(resetsOf(await theSession(sandbox))).toEqual([]);
  });
});

describe("a close-out of the budget that is stopped", () => {
  it("comes again with the next prompt, which waits for it; the prompt that was stopped is not said again", async () => {
    const hung = Promise.withResolvers<void>();
    const stops = (): { hang: true } => {
      hung.resolve();
      return { hang: true };
    };
    await using model = await startScriptedModel({
      steps: [
        at(70_000, "", bash("echo alpha-tool")),
        at(FULL, "", bash("echo beta-tool")),
        stops,
        at(112_200, "close-answer", note("Next: beta.")),
        "beta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: ALONE });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    const stopped = rpc.prompt("alpha-prompt");
    await hung.promise;
    await rpc.send({ type: "abort" });
    expect(notified((await stopped).events)).toEqual(["notesoup: the reset was given up, for the turn was stopped"]);
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(first?.map(isCloseOut)).toEqual([false, false, true, true]);
    expect(second?.map(said)).toEqual([["summary", "boot", "user: beta-prompt"]]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["budget 2"]);
  });

  it("comes again at the end of a turn of tools, too", async () => {
    const hung = Promise.withResolvers<void>();
    const stops = (): { hang: true } => {
      hung.resolve();
      return { hang: true };
    };
    await using model = await startScriptedModel({
      steps: [
        at(70_000, "", bash("echo alpha-tool")),
        at(FULL, "", bash("echo beta-tool")),
        stops,
        // Another model's figure: there is room again, and then there is none.
        at(100_000, "", bash("echo gamma-tool")),
        at(112_100, "", bash("echo delta-tool")),
        at(112_200, "close-answer", note("Next: beta.")),
        "beta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      settings: ALONE,
      models: [{ id: "scripted-model" }, { id: "larger-model", contextWindow: 200_000 }],
    });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    const stopped = rpc.prompt("alpha-prompt");
    await hung.promise;
    await rpc.send({ type: "abort" });
    await stopped;
    await rpc.send({ type: "set_model", provider: "scripted", modelId: "larger-model" });
    const run = rpc.prompt("beta-prompt");
    await rpc.waitFor(({ type, toolName }) => type === "tool_execution_start" && toolName === "bash", {
      from: rpc.events.length,
    });
    await rpc.send({ type: "set_model", provider: "scripted", modelId: "scripted-model" });
    await run;
    await expectClosed(rpc, model);
    expect(model.requests.filter(isCloseOut)).toHaveLength(2);
    expect(resetsOf(await theSession(sandbox))).toEqual(["budget 2"]);
  });
});

describe("in print mode", () => {
  it("the answer with which the work is over is printed, where a reset would be made only behind it", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [emptyBrain] }, "alpha-answer", "beta-answer", { toolCalls: [emptyBrain] }, "gamma-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const run = (prompts: readonly string[], ...more: string[]): ReturnType<typeof printPi> =>
      printPi(sandbox, prompts, { args: [...extension.args(), ...more] });
    // Pi does not take the boundary that is asked for, and there is another turn to hand it over at the end of.
    expect(await run(["/spoil 1", "alpha-prompt"], ...SPOILER)).toMatchObject({ code: 0, stdout: "alpha-answer\n" });
    // Nothing of it is left over.
    expect(await run(["beta-prompt"], "--continue")).toEqual(printed("beta-answer\n"));
    expect(await run(["gamma-prompt"], "--continue")).toEqual(printed("gamma-answer\n"));
    expect(model.problems).toEqual([]);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([4, 1]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["model 2"]);
  });
});

describe("a window of which nothing can be left", () => {
  it("for it was emptied for its tokens, and was full from its first answer on, is not emptied again, by Pi neither", async () => {
    await using model = await startScriptedModel({
      steps: [
        at(70_000, "", bash("echo alpha-tool")),
        at(FULL, "", bash("echo beta-tool")),
        at(112_100, "close-answer", note("Next: gamma.")),
        at(FULL, "", bash("echo gamma-tool")),
        at(112_200, "", bash("echo delta-tool")),
        at(112_300, "beta-answer"),
        at(112_400, "gamma-answer"),
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([3, 4]);
    expect(model.requests.filter(isCloseOut)).toHaveLength(1);
    expect(resetsOf(await theSession(sandbox))).toEqual(["budget 2"]);
  });

  it("once more for a reset that Pi has made of its own", async () => {
    await using model = await startScriptedModel({
      steps: [at(FULL, "alpha-answer"), at(FULL, "beta-answer"), at(112_100, "gamma-answer")],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    for (const prompt of ["alpha-prompt", "beta-prompt", "gamma-prompt"]) await rpc.prompt(prompt);
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([1, 2]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["host 2"]);
  });

  it.each([
    { window: "of 0 tokens, which is unknown", contextWindow: 0, left: "unknown" },
    { window: "that the reserve takes whole", contextWindow: 8192, left: "0 tokens left" },
  ])("for it is one $window, is not emptied for its tokens at all", async ({ contextWindow, left }) => {
    const remaining: ToolCall = { name: "get_context_remaining", args: {} };
    await using model = await startScriptedModel({
      steps: [at(4000, "", remaining), at(4100, "alpha-answer"), at(4200, "beta-answer")],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      settings: COMPACTS,
      models: [{ id: "scripted-model", contextWindow: contextWindow === 0 ? 128_000 : contextWindow }],
      env: { [MODEL_URL]: model.url },
    });
    const chosen = contextWindow === 0 ? [...WINDOWLESS_MODEL, ...WINDOWLESS] : [];
    await using rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...chosen] });
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("beta-prompt");
    const { events } = await rpc.prompt("/notesoup");
    await expectClosed(rpc, model);
    expect(model.requests[1] && toolTexts(model.requests[1])).toEqual([left]);
    expect(notified(events)).toEqual([
      expect.stringMatching(left === "unknown" ? /; tokens left: unknown$/u : /; 0 tokens left$/u),
    ]);
    expect(JSON.stringify(rpc.events)).not.toContain("NaN");
    expect(windowsSent(model.requests)).toHaveLength(1);
    expect(resetsOf(await theSession(sandbox))).toEqual([]);
  });
});
