import { createPiSandbox, type PiRpc, printPi, startPiRpc } from "@notesoup/host-pi";
import { type ChatRequest, lastUserText, startScriptedModel, textOf } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { CODEMODE, printed as printedBy, scripted } from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";
import {
  atGate,
  bash,
  bootOf,
  bootsOf,
  COMPACTS,
  emptyBrain,
  expectClosed,
  type Filed,
  makeGate,
  note,
  openGate,
  resetsOf,
  said,
  sayWhileBusy,
  theSession,
  waitAtGate,
  windowsSent,
} from "./reset-play.ts";

const extension = packedExtension();

/** How a run of Pi ends in print mode. */
const printed = (stdout: string): object => ({ code: 0, signal: null, stdout, stderr: "" });

const CLOSE_OUT =
  /^(?:A person asked to empty this context window|This context window is used up); this is the last turn in it\./u;

describe("a reset that the model asks for", () => {
  it("is committed after the whole batch of tools, once for two requests, and again in the next turn", async () => {
    await using model = await startScriptedModel({
      steps: [
        {
          text: "alpha-answer",
          toolCalls: [note("Next: the harvest."), emptyBrain, bash("echo alpha-sibling"), bash("exit 3"), emptyBrain],
        },
        { text: "beta-answer", toolCalls: [emptyBrain] },
        { toolCalls: [bash("echo gamma-tool")] },
        "Done.",
        "Done again.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect(await printPi(sandbox, ["alpha-prompt", "delta-prompt"], { args: extension.args() })).toEqual(
      printed("Done again.\n"),
    );
    expect(model.problems).toEqual([]);

    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([1, 1, 3]);
    expect(windows.map(([first]) => said(first))).toEqual([
      ["boot", "user: alpha-prompt"],
      ["summary", "boot"],
      ["summary", "boot"],
    ]);
    const [, second, third] = windows;
    expect(second && bootOf(second[0])).toContain("| Next: the harvest.");
    expect(JSON.stringify(second)).not.toContain("alpha-");
    expect(JSON.stringify(third)).not.toMatch(/alpha-|beta-/u);

    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["model 2", "model 3"]);
    expect(bootsOf(file)).toEqual(["1", "2", "3"]);
    expect(file.windows).toHaveLength(3);
    for (const text of ["alpha-prompt", "alpha-answer", "alpha-sibling\n", "exited with code 3", "empty_brain · ok"])
      expect(file.windows[0]).toContain(text);
    expect(file.windows[1]).toContain("beta-answer");
    for (const text of ["gamma-tool", "Done.", "delta-prompt", "Done again."]) expect(file.windows[2]).toContain(text);
  });

  it("is asked for by itself, and by no script: it has no output for one", async () => {
    const asks = `
      const named = ALL_TOOLS.map(({ name }) => name).filter((name) => ["empty_brain", "get_context_remaining"].includes(name));
      try { return [named, await tools.empty_brain({})]; } catch (error) { return [named, error.name]; }`;
    await using model = await startScriptedModel({ steps: [{ toolCalls: [scripted(asks)] }, "alpha-answer"] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("alpha-answer\n"));
    expect(model.problems).toEqual([]);
    expect(printedBy(model.requests[1])).toEqual([["get_context_remaining"], "TypeError"]);
    const offered = model.requests[0]?.tools?.find(({ function: { name } }) => name === "empty_brain")?.function;
    expect(offered?.parameters).toMatchObject({ properties: {}, additionalProperties: false });
    expect(offered?.description).not.toContain("resolves to");
    expect(resetsOf(await theSession(sandbox))).toEqual([]);
  });

  it("lets what a person has queued wait for the new window, and delivers it once", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [waitAtGate, emptyBrain] }, "steered-answer", "followed-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    makeGate(sandbox);
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    const run = rpc.prompt("alpha-prompt");
    await atGate(rpc);
    await rpc.send({ type: "steer", message: "steer-words" });
    await rpc.send({ type: "follow_up", message: "follow-words" });
    await openGate(sandbox);
    await run;
    await expectClosed(rpc, model);

    const windows = windowsSent(model.requests);
    expect(windows.map((requests) => said(requests.at(-1) ?? requests[0]))).toEqual([
      ["boot", "user: alpha-prompt"],
      ["summary", "boot", "user: steer-words", "assistant: steered-answer", "user: follow-words"],
    ]);
    const { windows: told } = await theSession(sandbox);
    expect(told[0]).not.toMatch(/steer|follow/u);
    expect(told[1]).toMatch(/user: steer-words[^]*user: follow-words/u);
  });
});

describe("a reset that a person asks for", () => {
  it("while nobody works lets the model write its notes first, in a run that ends with the new window", async () => {
    await using model = await startScriptedModel({
      steps: ["alpha-answer", { text: "close-answer", toolCalls: [note("Next: beta.")] }, "Written.", "beta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    expect((await rpc.prompt("/empty-brain")).disposition).toBe("handled");
    const { events } = await rpc.prompt("/empty-brain");
    expect(events).toContainEqual(expect.objectContaining({ message: "notesoup: this window is empty already" }));
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);

    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(first?.map((request) => lastUserText(request))).toEqual([
      "alpha-prompt",
      expect.stringMatching(CLOSE_OUT),
      expect.stringMatching(CLOSE_OUT),
    ]);
    expect(second?.map(said)).toEqual([["summary", "boot", "user: beta-prompt"]]);
    expect(second && bootOf(second[0])).toContain("| Next: beta.");
    expect(JSON.stringify(second)).not.toMatch(/alpha-|close-/u);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["person 2"]);
    expect(bootsOf(file)).toEqual(["1", "2"]);
    expect(file.windows[0]).toMatch(/alpha-prompt[^]*alpha-answer[^]*close-answer[^]*Written\./u);
  });

  it("in a window that is full is not forestalled by Pi, and the model may end its close-out itself", async () => {
    await using model = await startScriptedModel({
      steps: [
        { text: "alpha-answer", usage: { inputTokens: 111_000, outputTokens: 10 } },
        { toolCalls: [note("Next: beta.")], usage: { inputTokens: 112_000, outputTokens: 10 } },
        { toolCalls: [emptyBrain], usage: { inputTokens: 112_100, outputTokens: 10 } },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/empty-brain");
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([3, 1]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["person 2"]);
  });

  it("keeps what is said while the notes are written from the model, for the new window", async () => {
    const written = Promise.withResolvers<PiRpc>();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        async () => {
          const pi = await written.promise;
          await pi.send({ type: "steer", message: "steer-words" });
          return { toolCalls: [note("Next: beta.")] };
        },
        "Written.",
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    written.resolve(rpc);
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/empty-brain");
    await expectClosed(rpc, model);
    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(JSON.stringify(first)).not.toContain("steer-words");
    expect(second?.map(said)).toEqual([["summary", "boot", "user: steer-words"]]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["person 2"]);
    // Where it was said it stays.
    expect(file.windows[0]).toContain("user: steer-words");
  });

  it("in the middle of work waits for the turn's end; what is queued is for the new window, where the work goes on", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [waitAtGate] }, { toolCalls: [note("Next: beta.")] }, "Written.", "beta-answer", "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    makeGate(sandbox);
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    const run = rpc.prompt("alpha-prompt");
    await atGate(rpc);
    await rpc.send({ type: "steer", message: "steer-words" });
    await rpc.send({ type: "follow_up", message: "follow-words" });
    const { over } = await sayWhileBusy(rpc, "/empty-brain");
    await sayWhileBusy(rpc, "/empty-brain");
    await openGate(sandbox);
    await Promise.all([run, over]);
    await expectClosed(rpc, model);

    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(JSON.stringify(first)).not.toMatch(/steer-words|follow-words/u);
    expect(first?.map((request) => lastUserText(request))).toEqual([
      "alpha-prompt",
      expect.stringMatching(CLOSE_OUT),
      expect.stringMatching(CLOSE_OUT),
    ]);
    expect(second?.map(said)).toEqual([["summary", "boot", "user: steer-words", "user: follow-words"]]);
    expect(JSON.stringify(second)).not.toContain("alpha-");
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["person 2"]);
    expect(file.windows[0]).toMatch(/alpha-prompt[^]*The gate is open/u);
  });
});

describe("a reset at the budget's last line", () => {
  it.each([
    { turn: "that calls tools", notes: [note("Next: beta.")] },
    { turn: "that only speaks", notes: [] },
  ])(
    "gives the model one turn for its notes, be it one $turn, and the work goes on in the new window",
    async ({ notes }) => {
      await using model = await startScriptedModel({
        steps: [
          { toolCalls: [bash("echo alpha-tool")], usage: { inputTokens: 70_000, outputTokens: 10 } },
          { toolCalls: [bash("echo alpha-second")], usage: { inputTokens: 112_000, outputTokens: 10 } },
          { text: "close-answer", toolCalls: notes, usage: { inputTokens: 112_500, outputTokens: 10 } },
          { toolCalls: [bash("echo beta-tool")] },
          "Done.",
        ],
      });
      await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
      expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("Done.\n"));
      expect(model.problems).toEqual([]);

      const [first, second, ...others] = windowsSent(model.requests);
      expect(others).toEqual([]);
      expect(first?.map((request) => lastUserText(request))).toEqual([
        "alpha-prompt",
        "alpha-prompt",
        expect.stringMatching(CLOSE_OUT),
      ]);
      expect(second?.map((request) => said(request)[1])).toEqual(["boot", "boot"]);
      if (notes.length > 0) expect(second && bootOf(second[0])).toContain("| Next: beta.");
      expect(JSON.stringify(second)).not.toMatch(/alpha-|close-/u);
      const file = await theSession(sandbox);
      expect(resetsOf(file)).toEqual(["budget 2"]);
      expect(bootsOf(file)).toEqual(["1", "2"]);
      expect(file.windows[0]).toMatch(/alpha-tool[^]*alpha-second[^]*close-answer/u);
    },
  );

  it("is not made for a figure that no second one confirms, by Pi neither", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash("echo one")], usage: { inputTokens: 20_000, outputTokens: 10 } },
        { toolCalls: [bash("echo two")], usage: { inputTokens: 120_000, outputTokens: 10 } },
        { toolCalls: [bash("echo three")], usage: { inputTokens: 22_000, outputTokens: 10 } },
        { text: "Done.", usage: { inputTokens: 23_000, outputTokens: 10 } },
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("Done.\n"));
    expect(windowsSent(model.requests)).toHaveLength(1);
    expect(resetsOf(await theSession(sandbox))).toEqual([]);
  });
});

describe("an impossible figure", () => {
  it("that is the first one of a window empties it neither for the budget nor for Pi", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash("echo one")], usage: { inputTokens: 20_000, outputTokens: 900_000 } },
        { toolCalls: [bash("echo two")], usage: { inputTokens: 21_000, outputTokens: 10 } },
        { text: "Done.", usage: { inputTokens: 22_000, outputTokens: 10 } },
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("Done.\n"));
    expect(windowsSent(model.requests)).toHaveLength(1);
    expect(resetsOf(await theSession(sandbox))).toEqual([]);
  });
});

describe("a compaction of Pi's own", () => {
  it("before a new prompt is a reset, and takes no answer away that is to be printed", async () => {
    await using model = await startScriptedModel({
      steps: [{ text: "alpha-answer", usage: { inputTokens: 112_000, outputTokens: 10 } }, "beta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("alpha-answer\n"));
    expect(await printPi(sandbox, "beta-prompt", { args: [...extension.args(), "--continue"] })).toEqual(
      printed("beta-answer\n"),
    );
    expect(model.problems).toEqual([]);
    expect(windowsSent(model.requests).map((requests) => requests.map(said))).toEqual([
      [["boot", "user: alpha-prompt"]],
      [["summary with boot", "user: beta-prompt"]],
    ]);
    expect(JSON.stringify(model.requests[1])).not.toContain("alpha-");
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2"]);
    expect(bootsOf(file)).toEqual(["1"]);
    expect(file.windows[0]).toMatch(/alpha-prompt[^]*alpha-answer/u);
  });

  it("that a person asks for is a reset, at once", async () => {
    await using model = await startScriptedModel({ steps: ["alpha-answer", "beta-answer", "gamma-answer"] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    expect((await rpc.send({ type: "compact" })).success).toBe(true);
    await rpc.prompt("beta-prompt");
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map((requests) => said(requests.at(-1) ?? requests[0]))).toEqual([
      ["boot", "user: alpha-prompt"],
      ["summary with boot", "user: beta-prompt", "assistant: beta-answer", "user: gamma-prompt"],
    ]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2"]);
    expect(bootsOf(file)).toEqual(["1"]);
    expect(file.windows[0]).toMatch(/alpha-prompt[^]*alpha-answer/u);
  });

  it("in the middle of work, which no budget prevents, is a reset that says where the task stands", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash("echo alpha-tool")], usage: { inputTokens: 112_000, outputTokens: 10 } },
        { toolCalls: [bash("echo beta-tool")] },
        "Done.",
      ],
    });
    const settings = { ...COMPACTS, notesoup: { autoReset: false } };
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings });
    expect(await printPi(sandbox, "alpha-prompt", { args: extension.args() })).toEqual(printed("Done.\n"));
    expect(model.problems).toEqual([]);
    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(first).toHaveLength(1);
    expect(second?.map((request) => said(request)[0])).toEqual(["summary with boot", "summary with boot"]);
    expect(JSON.stringify(second)).not.toContain("alpha-");
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2"]);
    expect(file.windows[0]).toMatch(/alpha-prompt[^]*alpha-tool/u);
    expect(taskOf(file, second?.[0])).toBe("alpha-prompt");
  });

  it("after an overflow is a reset that says where the task stands; a second overflow in a row is Pi's to report", async () => {
    const overflow = { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" };
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash("echo alpha-tool")] },
        overflow,
        "Recovered.",
        { toolCalls: [bash("echo beta-tool")] },
        overflow,
        overflow,
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    const { events } = await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(events.filter(({ type }) => type === "compaction_end").map(({ errorMessage }) => errorMessage)).toEqual([
      undefined,
      expect.stringMatching(/^Context overflow recovery failed after one compact-and-retry attempt\./u),
    ]);

    const windows = windowsSent(model.requests);
    expect(windows.map((requests) => said(requests.at(-1) ?? requests[0]))).toEqual([
      ["boot", "user: alpha-prompt", expect.anything(), expect.stringContaining("alpha-tool")],
      [
        "summary with boot",
        "assistant: Recovered.",
        "user: beta-prompt",
        expect.anything(),
        expect.stringContaining("beta-tool"),
      ],
      ["summary with boot"],
    ]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2", "host 3"]);
    for (const [index, prompt] of ["alpha-prompt", "beta-prompt"].entries()) {
      expect(taskOf(file, windows[index + 1]?.[0])).toBe(prompt);
      expect(file.windows[index]).toContain(prompt);
    }
  });
});

/** What a person said last before a window whose boot says where to read it. */
function taskOf({ session }: Filed, request: ChatRequest | undefined): string {
  const text = textOf(request?.messages[1] ?? { role: "none" });
  const seq = /what a person said last is history_read \{"seq":(?<seq>\d+)\}/u.exec(text)?.groups?.["seq"];
  return session.document(session.event(Number(seq)));
}
