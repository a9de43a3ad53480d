import { fileURLToPath } from "node:url";
import { createPiSandbox, printPi, type RpcOptions, startPiRpc } from "@notesoup/host-pi";
import { startScriptedModel, textOf } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";
import {
  bash,
  bootOf,
  bootsOf,
  COMPACTS,
  emptyBrain,
  expectClosed,
  note,
  notified,
  resetsOf,
  said,
  theSession,
  windowsSent,
} from "./reset-play.ts";
import { type Rivalry, VICTIM } from "./reset-rival.ts";

const extension = packedExtension();

const RIVAL = ["-e", fileURLToPath(new URL("reset-rival.ts", import.meta.url))];
const rival = (rivalry: Rivalry): string => `/rival ${rivalry}`;

/** How Pi is run where boots can be made to fail. */
const options = (): RpcOptions => ({
  args: [...extension.args(), ...RIVAL],
  env: { [VICTIM]: extension.folder() },
});

const noBoot = (what: string): string =>
  `notesoup: ${what}: the header is gone; mend that and speak again, or go on without by /notesoup off`;
const NO_BOOT_OF_NEXT = noBoot("the window was not emptied, for the next one would have no boot");

describe("a window that another extension begins in the middle of work", () => {
  it.each([
    { turn: "of tools", order: "first", toolCalls: [bash("echo alpha-tool")] },
    { turn: "of tools", order: "last", toolCalls: [bash("echo alpha-tool")] },
    { turn: "that only speaks", order: "last", toolCalls: [] },
  ])(
    "has its boot in the first request, behind a turn $turn, be that extension loaded $order",
    async ({ order, toolCalls }) => {
      await using model = await startScriptedModel({
        steps: [
          { toolCalls: [note("Next: beta.")] },
          { text: "alpha-answer", toolCalls },
          { text: "beta-answer", toolCalls: [bash("echo beta-tool")] },
          "gamma-answer",
          "delta-answer",
        ],
      });
      await using sandbox = await createPiSandbox({ modelUrl: model.url });
      const args = order === "first" ? [...RIVAL, ...extension.args()] : [...extension.args(), ...RIVAL];
      await using rpc = await startPiRpc(sandbox, { args });
      const first = rpc.prompt("alpha-prompt");
      await rpc.waitFor(({ type, toolName }) => type === "tool_execution_end" && toolName === "notes_write");
      await rpc.waitFor(({ type }) => type === "turn_end");
      await rpc.send({ type: "prompt", message: rival("empties") });
      await first;
      await expectClosed(rpc, model);
      // The window goes on with the same boot in another process.
      const ended = await printPi(sandbox, "delta-prompt", { args: [...extension.args(), "--continue"] });
      expect(ended).toEqual({ code: 0, signal: null, stdout: "delta-answer\n", stderr: "" });

      const [before, window, ...others] = windowsSent(model.requests);
      expect(others).toEqual([]);
      expect(before).toHaveLength(2);
      expect(window?.map((request) => said(request).slice(0, 2))).toEqual([
        ["summary", "boot"],
        ["summary", "boot"],
        ["summary", "boot"],
      ]);
      expect(window && said(window[0])).toHaveLength(2);
      expect(window && bootOf(window[0])).toMatch(
        / · window \S+:2 · [^]*\| Next: beta\.[^]*Earlier windows of this session · 1,/u,
      );
      expect(JSON.stringify(window)).not.toContain("alpha-");
      const file = await theSession(sandbox);
      expect([resetsOf(file), bootsOf(file)]).toEqual([["rival its own"], ["1", "2"]]);
      expect(file.windows[0]).toMatch(/alpha-prompt[^]*alpha-answer/u);
    },
  );

  it("hears what a person said for the window of ours that it ends at once, and is not emptied once more", async () => {
    const steered = Promise.withResolvers<Awaited<ReturnType<typeof startPiRpc>>>();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        async () => {
          const pi = await steered.promise;
          await pi.send({ type: "steer", message: "steer-words" });
          return { toolCalls: [note("Next: beta.")] };
        },
        async () => {
          await (await steered.promise).send({ type: "prompt", message: rival("empties") });
          return "Written.";
        },
        { toolCalls: [bash("echo beta-tool")] },
        "beta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...RIVAL] });
    steered.resolve(rpc);
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/empty-brain");
    await expectClosed(rpc, model);
    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([3, 2]);
    expect(windows[1] && said(windows[1][0])).toEqual(["summary", "boot", "user: steer-words"]);
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([
      ["person 2", "rival its own"],
      ["1", "2", "3"],
    ]);
  });

  it("is the same one where something of it is kept: it has lost its boot, and gets another in the next request", async () => {
    await using model = await startScriptedModel({
      steps: [{ text: "alpha-answer", toolCalls: [bash("echo alpha-tool")] }, "beta-answer", "gamma-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...RIVAL] });
    await rpc.prompt(rival("keeps"));
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);
    const [, ...behind] = model.requests;
    expect(behind.map(said)).toEqual([
      ["summary", "boot", expect.stringContaining("alpha-answer"), expect.stringContaining("alpha-tool")],
      [
        "summary",
        "boot",
        expect.stringContaining("alpha-answer"),
        expect.stringContaining("alpha-tool"),
        "assistant: beta-answer",
        "user: gamma-prompt",
      ],
    ]);
    expect(windowsSent(model.requests)).toHaveLength(2);
    expect(bootsOf(await theSession(sandbox))).toEqual(["1", "1"]);
  });
});

describe("a boot that another extension takes away", () => {
  it("is made again in the first request of the window", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [emptyBrain] }, { toolCalls: [bash("echo beta-tool")] }, "beta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, options());
    await rpc.prompt(rival("drops"));
    await rpc.prompt("alpha-prompt");
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([1, 2]);
    expect(model.requests[1] && said(model.requests[1])).toEqual(["summary", "boot"]);
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([["model 2"], ["1", "2"]]);
  });

  it("and that cannot be made again stops the turn, and says how to go on", async () => {
    await using model = await startScriptedModel({ steps: [{ toolCalls: [emptyBrain] }, "beta-answer"] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, options());
    await rpc.prompt(rival("drops-all"));
    const { events } = await rpc.prompt("alpha-prompt");
    expect(notified(events)).toEqual([noBoot("this window has no boot")]);
    expect(model.requests).toHaveLength(1);
    await rpc.prompt("/mend");
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(model.requests[1] && said(model.requests[1])).toEqual(["summary", "boot", "user: beta-prompt"]);
  });
});

describe("a boot of the next window that cannot be made", () => {
  it("keeps the window from being emptied by the model, and stops the turn; mended, it is emptied", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [emptyBrain] }, { toolCalls: [emptyBrain] }, "gamma-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, options());
    await rpc.prompt("/break");
    // The boot of the first window is there already.
    const { events } = await rpc.prompt("alpha-prompt");
    expect(notified(events)).toEqual([NO_BOOT_OF_NEXT]);
    expect(model.requests).toHaveLength(1);
    await rpc.prompt("/mend");
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([2, 1]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["model 2"]);
  });

  it("keeps a compaction from being made, for which Pi would send all that was said", async () => {
    await using model = await startScriptedModel({ steps: ["alpha-answer", "beta-answer"] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, options());
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/break");
    const from = rpc.events.length;
    expect(await rpc.send({ type: "compact" })).toMatchObject({ success: false, error: "Compaction cancelled" });
    expect(notified(rpc.events.slice(from))).toEqual([NO_BOOT_OF_NEXT]);
    expect(model.requests).toHaveLength(1);
    await rpc.prompt("/mend");
    expect(await rpc.send({ type: "compact" })).toMatchObject({ success: true });
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(model.requests.map(said)).toEqual([
      ["boot", "user: alpha-prompt"],
      ["summary with boot", "user: beta-prompt"],
    ]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["host 2"]);
  });

  it("ends a run that overflows, with nothing sent to be summed up; mended, the work goes on in a new window", async () => {
    const overflow = { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" };
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [bash("echo alpha-tool")] }, overflow, overflow, "beta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, options());
    await rpc.prompt("/break");
    expect(notified((await rpc.prompt("alpha-prompt")).events)).toEqual([NO_BOOT_OF_NEXT]);
    expect(model.requests).toHaveLength(2);
    await rpc.prompt("/mend");
    await rpc.prompt("beta-prompt");
    await expectClosed(rpc, model);
    expect(model.requests[3] && said(model.requests[3])).toEqual(["summary with boot"]);
    expect(textOf(model.requests[3]?.messages.at(-1) ?? { role: "none" })).toContain("what a person said last is");
    for (const { messages } of model.requests) expect(JSON.stringify(messages)).not.toContain("<conversation>");
    expect(resetsOf(await theSession(sandbox))).toEqual(["host 2"]);
  });
});
