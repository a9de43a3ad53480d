import { readdir } from "node:fs/promises";
import {
  lastPrompt,
  lastToolResults,
  offeredTools,
  overloaded,
  startMessagesModel,
  systemMessages,
  systemPrompt,
} from "@notesoup/scripted-model";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createClaudeSandbox,
  initRows,
  installPlugins,
  printClaude,
  processesIn,
  readTranscripts,
  runClaude,
  RunTimeout,
  toolResults,
} from "../src/index.ts";
import { writeProbe } from "./probe.ts";

const TOOL = "mcp__probe__probe";

describe("Claude Code, headless", () => {
  it("calls the tools of a plugin that was installed as a user does, and gives the last answer", async () => {
    await using model = await startMessagesModel({
      steps: [
        {
          thinking: "I need it twice.",
          text: "Let me see.",
          toolCalls: [
            { name: TOOL, args: { text: "one" } },
            { name: TOOL, args: { text: "two" } },
          ],
        },
        (request) =>
          lastToolResults(request)
            .map(({ text }) => text)
            .join(" "),
      ],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    expect(await installPlugins(sandbox, await writeProbe(sandbox))).toEqual(["probe@probes"]);
    const { rows, result, ...run } = await printClaude(sandbox, "Use the probe.");

    expect(run).toMatchObject({ code: 0, signal: null, stderr: "", strays: [] });
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: "It says: one It says: two" });
    expect(initRows(rows).map(({ tools }) => tools)).toEqual([expect.arrayContaining(["Read", TOOL])]);
    expect(toolResults(rows).map(({ content }) => content)).toEqual(["It says: one", "It says: two"]);
    expect(model.problems).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests.map(lastPrompt)).toEqual(["Use the probe.", "Use the probe."]);
    for (const request of model.requests) {
      expect(offeredTools(request)).toContain(TOOL);
      expect(systemPrompt(request)).not.toBe("");
      expect(systemMessages(request).join("\n")).toContain(sandbox.cwd);
    }
    // Blocks of one message come back as one message, the thought with its signature.
    expect(model.requests[1]?.messages.find(({ role }) => role === "assistant")?.content).toMatchObject([
      { type: "thinking", thinking: "I need it twice.", signature: expect.stringMatching(/^.+$/u) },
      { type: "text", text: "Let me see." },
      { type: "tool_use", id: "call_1", name: TOOL, input: { text: "one" } },
      { type: "tool_use", id: "call_2", name: TOOL, input: { text: "two" } },
    ]);
    expect(await processesIn(sandbox)).toEqual([]);
  });

  it("writes a transcript, which is found, with that of its subagent", async () => {
    const isSubagent = "Count to three.";
    await using model = await startMessagesModel({
      lanes: [
        { match: (request) => lastPrompt(request) === isSubagent, steps: ["One, two, three."] },
        {
          steps: [
            {
              toolCalls: [
                { name: "Agent", args: { description: "Count", prompt: isSubagent, run_in_background: false } },
              ],
            },
            "Counted.",
          ],
        },
      ],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    const { result } = await printClaude(sandbox, "Have it count.");
    expect(result?.result).toBe("Counted.");
    expect(model.problems).toEqual([]);
    const transcripts = await readTranscripts(sandbox);
    expect(transcripts.map(({ sessionId }) => sessionId)).toEqual([result?.session_id]);
    expect(toolResults(transcripts[0]?.rows ?? [])).toMatchObject([{ id: "call_1", toolUseResult: {} }]);
    expect(transcripts[0]?.subagents.map(({ rows }) => rows.find(({ type }) => type === "assistant"))).toMatchObject([
      { isSidechain: true, message: { content: [{ type: "text", text: "One, two, three." }] } },
    ]);
  });

  it("takes a prompt that looks like an option", async () => {
    await using model = await startMessagesModel({ steps: ["Hello."] });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    expect(await printClaude(sandbox, "--help")).toMatchObject({ code: 0, result: { result: "Hello." } });
    expect(model.requests.map(lastPrompt)).toEqual(["--help"]);
  });

  it("makes no folder beside those of the sandbox, and none for notes", async () => {
    await using model = await startMessagesModel({ steps: ["Hello."] });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    await printClaude(sandbox, "Hello?");
    expect((await readdir(sandbox.root)).toSorted()).toEqual(["config", "home", "project", "tmp"]);
    expect(await readdir(sandbox.home)).toEqual([]);
    expect(await readdir(sandbox.cwd)).toEqual([]);
  });

  it.each([
    ["is overloaded", overloaded()],
    ["is ill", { status: 500, error: "The model is ill." }],
  ])("fails where the model %s, without a second try", async (_, step) => {
    await using model = await startMessagesModel({ steps: [step] });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    const run = await printClaude(sandbox, "Hello?");
    expect(run).toMatchObject({ code: 1, strays: [], result: { is_error: true } });
    expect(model.problems).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it("asks again where an answer breaks off", async () => {
    await using model = await startMessagesModel({
      steps: [{ text: "Half an answer, and then", chunkSize: 4, cutAfter: 4 }, "A whole one."],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    expect(await printClaude(sandbox, "Hello?")).toMatchObject({ code: 0, result: { result: "A whole one." } });
    expect(model.problems).toEqual([]);
    expect(model.requests).toHaveLength(2);
  });

  it("is ended when its time is over, gives up its request, and leaves nothing that runs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const gone = Promise.withResolvers<void>();
    await using model = await startMessagesModel({
      steps: [
        (_, { signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          vi.advanceTimersByTime(20_000);
          return { hang: true };
        },
      ],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    await expect(printClaude(sandbox, "Hello?", { timeoutMs: 20_000 })).rejects.toThrow(RunTimeout);
    await gone.promise;
    expect(model.requests).toHaveLength(1);
    expect(await processesIn(sandbox)).toEqual([]);
  });
});

describe("the commands of Claude Code", () => {
  it("run to their end", async () => {
    await using model = await startMessagesModel({ steps: [] });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    const folder = await writeProbe(sandbox);
    const validated = await runClaude(sandbox, ["plugin", "validate", "--json", folder]);
    expect(validated).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(validated.stdout)).toMatchObject({ success: true });
    expect(await runClaude(sandbox, ["plugin", "test", folder])).toMatchObject({ code: 1, stdout: "" });
    expect(model.requests).toEqual([]);
  });

  it("install no plugin that the host refuses, and say why", async () => {
    await using model = await startMessagesModel({ steps: [] });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    const folder = await writeProbe(sandbox);
    await expect(installPlugins(sandbox, folder, { args: ["--no-such-option"] })).rejects.toThrow(
      /^`claude plugin install probe@probes` ended with 1\.\n.*--no-such-option/su,
    );
  });
});
