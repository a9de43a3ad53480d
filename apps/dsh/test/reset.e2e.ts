import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DrivenDsh, driveDsh, readSessionLogs, runHeadless, type DshSandbox } from "@notesoup/host-dsh";
import {
  type ChatRequest,
  contextExceeded,
  startDeepseekModel,
  type ScriptedModel,
  textOf,
} from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bootsIn, emptyBrain, list, markersIn, outline, remaining, toolTexts, write } from "./calls.ts";
import { logged } from "./logged.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

const DONE = { code: 0, signal: null, stdout: "Done.\n", stderr: "" };

/** An answer that is said to have been made from so many tokens. */
const costing = (inputTokens: number): { usage: { inputTokens: number; outputTokens: number } } => ({
  usage: { inputTokens, outputTokens: 10 },
});

/** A session that is driven. */
async function session(sandbox: DshSandbox): Promise<DrivenDsh> {
  const dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
  return dsh;
}

/** Ends dsh, of which nothing is wrong. */
async function closed(dsh: DrivenDsh, model: ScriptedModel<ChatRequest>): Promise<void> {
  expect({ code: await dsh.close(), stderr: dsh.stderr, problems: model.problems }).toEqual({
    code: 0,
    stderr: "",
    problems: [],
  });
}

const boot = (number: number, by?: string): object => ({
  what: "boot",
  session: "s1",
  window: `s1:${number}`,
  ...(by !== undefined && { by }),
});

describe("empty_brain", () => {
  it("empties the window once all calls beside it are done, and the model goes on from its notes", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [emptyBrain, write({ address: "@project/MAP.md", content: "Say Done." }), emptyBrain] },
        { toolCalls: [remaining] },
        "Done.",
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    expect(await dsh.prompt("Go.")).toEqual({ text: "Done.", reason: "completed" });
    await dsh.prompt("More.");
    await closed(dsh, model);

    expect(model.requests.map(outline)).toEqual([
      ["system", "boot", "Go.", "runtime"],
      ["system", "boot", "runtime"],
      ["system", "boot", "runtime", "assistant", "tool"],
      ["system", "boot", "runtime", "assistant", "tool", "assistant", "More."],
    ]);
    const [second = ""] = bootsIn(model.requests[1]);
    expect(second).toContain("window s1:2");
    expect(second).toContain("| Say Done.");
    expect(second).toMatch(/## Earlier windows of this session · 1, [^]*\n- seq 0 to 5 · 6 events · /u);
    const [log] = await readSessionLogs(sandbox);
    expect(markersIn(log)).toEqual([boot(1), boot(2, "model")]);
  });

  it("is not done where the turn was stopped first", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [emptyBrain, { name: "bash", args: { command: "sleep 30", description: "Waits" } }] },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    await dsh.send({ do: "begin", text: "Go." });
    await logged(sandbox, "bash");
    await dsh.send({ do: "cancel" });
    await dsh.send({ do: "idle" });
    await dsh.prompt("More.");
    await closed(dsh, model);
    expect(outline(model.requests[1])).toEqual([
      "system",
      "boot",
      "Go.",
      "runtime",
      "assistant",
      "tool",
      "tool",
      "More.",
    ]);
  });
});

it("a new window has the instructions of the workspace again, once", async () => {
  const instructed = (request: ChatRequest | undefined): number =>
    (request?.messages ?? []).filter((message) => textOf(message).includes("Speak plainly.")).length;
  await using model = await startDeepseekModel({
    steps: [
      { toolCalls: [emptyBrain] },
      { toolCalls: [remaining] },
      contextExceeded(),
      { toolCalls: [list({})] },
      "Done.",
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  await writeFile(join(sandbox.cwd, "AGENTS.md"), "Speak plainly.");
  await using dsh = await session(sandbox);
  await dsh.prompt("Go.");
  await closed(dsh, model);
  expect(model.requests.map(instructed)).toEqual([1, 1, 1, 1, 1]);
});

describe("/empty-brain", () => {
  it("lets the model write its notes first, and then empties the window; what is said next stands in the new one", async () => {
    await using model = await startDeepseekModel({
      steps: [
        "Done.",
        { toolCalls: [write({ address: "@project/MAP.md", content: "Half way." })] },
        "Written.",
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    expect(await dsh.command("/empty-brain")).toEqual({
      kind: "success",
      text: "notesoup: the window was emptied; s1:2 begins",
    });
    expect(await dsh.command("/empty-brain")).toEqual({
      kind: "success",
      text: "notesoup: this window is empty already",
    });
    await dsh.prompt("More.");
    await closed(dsh, model);
    expect(model.requests.map(outline)).toEqual([
      ["system", "boot", "Go.", "runtime"],
      ["system", "boot", "Go.", "runtime", "assistant", "close-out"],
      ["system", "boot", "Go.", "runtime", "assistant", "close-out", "assistant", "tool"],
      ["system", "boot", "More.", "runtime"],
    ]);
    expect(bootsIn(model.requests[3])[0]).toContain("| Half way.");
  });

  it("empties nothing where a person stops its turn, and takes its words back", async () => {
    const driven: { dsh?: DrivenDsh } = {};
    await using model = await startDeepseekModel({
      steps: [
        "Done.",
        () => {
          void driven.dsh?.send({ do: "cancel" });
          return { hang: true };
        },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    driven.dsh = dsh;
    await dsh.prompt("Go.");
    expect(await dsh.command("/empty-brain")).toMatchObject({ kind: "error" });
    await dsh.prompt("More.");
    await closed(dsh, model);
    expect(outline(model.requests[2]).slice(-3)).toEqual(["close-out", "withdrawn", "More."]);
    expect(bootsIn(model.requests[2])).toHaveLength(1);
  });

  it("keeps what a person says meanwhile for the new window", async () => {
    const driven: { dsh?: DrivenDsh } = {};
    await using model = await startDeepseekModel({
      steps: [
        "Done.",
        async () => {
          await driven.dsh?.send({ do: "begin", text: "Meanwhile." });
          return "Written.";
        },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    driven.dsh = dsh;
    await dsh.prompt("Go.");
    expect(await dsh.command("/empty-brain")).toMatchObject({ kind: "success" });
    await closed(dsh, model);
    expect(outline(model.requests[1]).slice(-2)).toEqual(["assistant", "close-out"]);
    expect(outline(model.requests[2])).toEqual(["system", "boot", "Meanwhile.", "runtime"]);
  });

  it("empties nothing where its turn fails, and takes its words back", async () => {
    await using model = await startDeepseekModel({
      steps: ["Done.", { status: 401, error: "No." }, "Done."],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    expect(await dsh.command("/empty-brain")).toMatchObject({ kind: "error" });
    await dsh.prompt("More.");
    expect(model.problems).toEqual([]);
    expect(outline(model.requests[2])).toEqual([
      "system",
      "boot",
      "Go.",
      "runtime",
      "assistant",
      "close-out",
      "withdrawn",
      "More.",
    ]);
  });
});

describe("the budget", () => {
  it("reminds, says a last word, and lets the model write its notes before the window is emptied, each once a window", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [remaining], ...costing(160_000) },
        { toolCalls: [list({ limit: 1 })], ...costing(165_000) },
        { toolCalls: [list({ limit: 2 })], ...costing(172_000) },
        { toolCalls: [list({ limit: 3 })], ...costing(184_000) },
        { toolCalls: [write({ address: "@project/MAP.md", content: "Half way." })], ...costing(185_000) },
        "Done.",
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, contextWindow: 200_000 });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    await dsh.prompt("More.");
    await closed(dsh, model);

    const tail = (request: ChatRequest): string[] => outline(request).slice(-2);
    expect(model.requests.slice(0, 5).map(tail)).toEqual([
      ["Go.", "runtime"],
      ["tool", "reminder"],
      ["assistant", "tool"],
      ["tool", "last word"],
      ["tool", "close-out"],
    ]);
    expect(model.requests.slice(5).map(outline)).toEqual([
      ["system", "boot", "Go.", "runtime"],
      ["system", "boot", "Go.", "runtime", "assistant", "More."],
    ]);
    const [second = ""] = bootsIn(model.requests[5]);
    expect(second).toContain("| Half way.");
    expect(second).toMatch(/emptied in the middle of work\. .* history_read \{"seq":1\}/u);
    expect(toolTexts(model.requests[1])).toEqual([expect.stringMatching(/^23,\d{3} tokens left$/u)]);
  });

  it("does not empty a window again that has no room from its first answer on", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [list({ limit: 1 })], ...costing(184_000) },
        { toolCalls: [list({ limit: 2 })], ...costing(185_000) },
        { toolCalls: [list({ limit: 3 })], ...costing(186_000) },
        { toolCalls: [list({ limit: 4 })], ...costing(195_000) },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, contextWindow: 200_000 });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    await closed(dsh, model);
    const [log] = await readSessionLogs(sandbox);
    expect(log?.events.filter(({ type }) => type === "compaction/start")).toHaveLength(1);
    expect(outline(model.requests[4])).toEqual([
      "system",
      "boot",
      "Go.",
      "runtime",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
  });

  it("does not believe a single impossible figure, and does when a second one agrees", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [list({ limit: 1 })], ...costing(30_000) },
        { toolCalls: [list({ limit: 2 })], ...costing(190_000) },
        { toolCalls: [list({ limit: 3 })], ...costing(190_000) },
        "Done.",
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, contextWindow: 200_000 });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    await closed(dsh, model);
    expect(model.requests.map((request) => outline(request).at(-1))).toEqual(["runtime", "tool", "tool", "close-out"]);
  });

  it("with autoReset off only reminds, and the engine empties a full window", async () => {
    await using model = await startDeepseekModel({
      steps: [{ toolCalls: [remaining], ...costing(184_000) }, "Done."],
    });
    await using sandbox = await rows.sandbox({
      modelUrl: model.url,
      contextWindow: 200_000,
      patches: [{ id: "notesoup", config: { autoReset: false } }],
    });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    await closed(dsh, model);
    expect(outline(model.requests[1])).toEqual(["system", "boot", "Go.", "runtime"]);
  });
});

describe("the engine", () => {
  it("empties a window that the model refuses for its length, and says again what was asked", async () => {
    await using model = await startDeepseekModel({
      steps: ["Done.", { toolCalls: [remaining] }, contextExceeded(), "Done."],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    expect(await dsh.prompt("More.")).toEqual({ text: "Done.", reason: "completed" });
    await closed(dsh, model);
    expect(outline(model.requests[3])).toEqual(["system", "boot", "More.", "runtime"]);
    const [log] = await readSessionLogs(sandbox);
    expect(markersIn(log)).toMatchObject([boot(1), boot(2, "host"), { what: "carried" }]);
  });

  it("says a prompt that is too long for its window only where it is in the history", async () => {
    await using model = await startDeepseekModel({ steps: ["Done.", contextExceeded(), "Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    await dsh.prompt("Go.");
    await dsh.command("/compact");
    expect(await dsh.prompt("Long. ".repeat(2000))).toEqual({ text: "Done.", reason: "completed" });
    await closed(dsh, model);
    expect(outline(model.requests[2])).toEqual(["system", "boot", "runtime"]);
    expect(bootsIn(model.requests[2])[0]).toMatch(/what was asked last is history_read \{"seq":\d+\}/u);
  });

  it("does not empty a window again that has only its head: the error stands", async () => {
    await using model = await startDeepseekModel({ steps: [contextExceeded(), contextExceeded(), "Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    expect(await dsh.prompt("Go.")).toMatchObject({ reason: "error" });
    expect(model.requests).toHaveLength(2);
  });

  it("empties the window at /compact, without a turn and without a summary", async () => {
    await using model = await startDeepseekModel({ steps: ["Done.", "Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await session(sandbox);
    expect(await dsh.command("/compact")).toEqual({ kind: "success", text: "No compactable history yet." });
    await dsh.prompt("Go.");
    expect(await dsh.command("/compact")).toMatchObject({
      kind: "success",
      text: expect.stringMatching(/^Compacted 4 history items \(~\d+ tokens\)\.$/u),
    });
    await dsh.prompt("More.");
    await closed(dsh, model);
    expect(model.requests.map(outline)).toEqual([
      ["system", "boot", "Go.", "runtime"],
      ["system", "boot", "More.", "runtime"],
    ]);
  });

  it("says a subagent again what it was asked for, and gives it no boot", async () => {
    await using model = await startDeepseekModel({
      lanes: [
        {
          match: ({ messages }) => messages.some((message) => textOf(message).includes("Look around")),
          steps: [{ toolCalls: [remaining] }, contextExceeded(), "Looked."],
        },
        {
          steps: [
            {
              toolCalls: [
                {
                  name: "subagent",
                  args: { prompt: "Look around.", description: "Looks around", run_in_background: false },
                },
              ],
            },
            "Done.",
          ],
        },
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
    expect(model.problems).toEqual([]);
    const again = model.requests[3];
    expect(bootsIn(again)).toEqual([]);
    expect(outline(again)).toEqual([
      "system",
      expect.stringContaining("has been emptied"),
      expect.stringContaining("Look around."),
      "runtime",
    ]);
  });
});
