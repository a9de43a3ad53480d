import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPiSandbox, printPi, readSessions } from "@notesoup/host-pi";
import { type AnswerStep, type ChatRequest, startScriptedModel, textOf, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bootsIn, messagesOf, outline } from "./boots.ts";
import { CODEMODE, printed, scripted, toolTexts } from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

const DONE = { code: 0, signal: null, stdout: "Done.\n", stderr: "" };

/** The tools that are about the window. A request carries them both, so they stay small. */
const OWN_TOOLS = ["get_context_remaining", "empty_brain"];

const remaining: ToolCall = { name: "get_context_remaining", args: {} };

/** A turn that calls tools, when the window is said to hold so many tokens. */
const at = (tokens: number, ...toolCalls: ToolCall[]): AnswerStep => ({
  toolCalls: toolCalls.length === 0 ? [remaining] : toolCalls,
  usage: { inputTokens: tokens, outputTokens: 0 },
});

/** A final answer of such a window. */
const done = (tokens: number): AnswerStep => ({ text: "Done.", usage: { inputTokens: tokens, outputTokens: 0 } });

/** What was said at the end of the turn before a request, in a word. */
function notice(request: ChatRequest): string {
  const last = request.messages.at(-1);
  const text = last?.role === "user" ? textOf(last) : "";
  if (!text.startsWith("Tokens left in this context window: ")) return "";
  return text.includes("This is the last reminder") ? "last word" : "reminder";
}

const notices = (requests: readonly ChatRequest[]): string[] => requests.map(notice);

/** The requests of the sessions in which a script is played, one prompt each. */
async function played(
  steps: readonly AnswerStep[],
  settings: Record<string, unknown> = {},
  modelFields: Record<string, unknown> = {},
): Promise<readonly ChatRequest[]> {
  await using model = await startScriptedModel({ steps });
  await using sandbox = await createPiSandbox({
    modelUrl: model.url,
    settings,
    models: [{ id: "scripted-model", ...modelFields }],
  });
  expect(await printPi(sandbox, "Go.", { args: extension.args() })).toEqual(DONE);
  expect(model.problems).toEqual([]);
  return model.requests;
}

describe("the lines of a window, of 128,000 tokens here, of which 16,384 are kept free", () => {
  it("are said once each, hidden, behind the results of a turn, never behind a final answer, and not again when the session goes on", async () => {
    await using model = await startScriptedModel({
      steps: [at(50_000), done(80_000), at(90_100), at(99_500), at(99_600), done(99_700), at(99_800), done(99_900)],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    for (const [prompt, ...args] of [["One."], ["Two.", "--continue"], ["Three.", "--continue"]] as const)
      expect(await printPi(sandbox, prompt, { args: [...extension.args(), ...args] })).toEqual(DONE);
    expect(model.problems).toEqual([]);
    expect(notices(model.requests)).toEqual(["", "", "", "reminder", "last word", "", "", ""]);
    expect(model.requests[3] && outline(model.requests[3]).slice(-4, -1)).toEqual(["Two.", "assistant", "tool"]);
    const told = textOf(model.requests[3]?.messages.at(-1) ?? { role: "user" });
    expect(told).toMatch(/^Tokens left in this context window: 21,5\d\d\. .*`empty_brain`/u);
    const [session] = await readSessions(sandbox);
    const fingerprint = (line: string): object => ({
      display: false,
      fingerprint: `${line}/128000/16384/${session?.header.id}:1`,
    });
    expect(messagesOf(session, "notesoup-notice")).toEqual([fingerprint("reminder"), fingerprint("lastWord")]);
    for (const [index, request] of model.requests.slice(1).entries()) {
      const before = model.requests[index]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  it("that a final answer crosses are said with the next prompt, before it: a chat without tools is reminded too", async () => {
    await using model = await startScriptedModel({
      steps: [done(50_000), done(90_000), done(99_500), done(99_600), done(99_700)],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const args = extension.args();
    expect(await printPi(sandbox, ["One.", "Two."], { args })).toEqual(DONE);
    // Also when the session goes on.
    expect(await printPi(sandbox, ["Three.", "Four.", "Five."], { args: [...args, "--continue"] })).toEqual(DONE);
    expect(model.problems).toEqual([]);
    const reminder = expect.stringMatching(
      /^Tokens left in this context window: 21,\d+\. When none are left, it is emptied/u,
    );
    const lastWord = expect.stringMatching(/^Tokens left in this context window: 12,\d+\. This is the last reminder/u);
    const last = model.requests.at(-1);
    expect(last && outline(last)).toEqual([
      "system",
      "boot",
      "One.",
      "assistant",
      "Two.",
      "assistant",
      reminder,
      "Three.",
      "assistant",
      lastWord,
      "Four.",
      "assistant",
      "Five.",
    ]);
    for (const [index, request] of model.requests.slice(1).entries()) {
      const before = model.requests[index]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  it("are the last one only, where both are crossed at once", async () => {
    expect(notices(await played([at(99_500), at(99_600), done(99_700)]))).toEqual(["", "last word", ""]);
  });

  it("are not crossed by a figure of more than twice the one before, until another one agrees with it", async () => {
    const requests = await played([at(20_000), at(100_000), at(21_000), at(100_000), at(100_100), done(100_200)]);
    expect(notices(requests)).toEqual(["", "", "", "", "", "last word"]);
    expect(requests.slice(1).map((request) => toolTexts(request)[0])).toEqual([
      "91,616 tokens left",
      expect.stringMatching(/^91,6\d\d tokens left$/u),
      "90,616 tokens left",
      expect.stringMatching(/^90,6\d\d tokens left$/u),
      "11,516 tokens left",
    ]);
  });

  it("with `autoReset` off, empty nothing at the end, and the last word says who decides", async () => {
    const settings = { notesoup: { autoReset: false }, compaction: { enabled: false } };
    const requests = await played([at(60_000), at(112_000), at(112_100), done(112_200)], settings);
    expect(notices(requests)).toEqual(["", "", "last word", ""]);
    expect(textOf(requests[2]?.messages.at(-1) ?? { role: "user" })).toContain("the host decides what is dropped");
    expect(requests.at(-1) && outline(requests.at(-1)!)[2]).toBe("Go.");
  });

  it("are where the settings say, those of a trusted project before the global ones, key by key; a wrong one is named once", async () => {
    await using model = await startScriptedModel({
      steps: [at(85_000), at(99_500), done(99_600), at(85_000), at(99_500), done(99_600)],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      settings: { notesoup: { reminderMarginTokens: 100, lastWordMarginTokens: 500, widget: "yes" } },
    });
    mkdirSync(join(sandbox.cwd, ".pi"));
    const ofProject = { notesoup: { reminderMarginTokens: 27_000, autoReset: 1 } };
    writeFileSync(join(sandbox.cwd, ".pi", "settings.json"), JSON.stringify(ofProject));
    const wrong = (key: string, found: string): string =>
      `notesoup: the setting notesoup.${key} was ignored: expected true or false, found ${found}\n`;
    const widget = wrong("widget", "a value of type string");
    const untrusted = await printPi(sandbox, "Go.", { args: extension.args() });
    expect(untrusted).toEqual({ ...DONE, stderr: widget });
    const trusted = await printPi(sandbox, "Go.", { args: [...extension.args(), "--approve"] });
    expect(trusted).toEqual({ ...DONE, stderr: widget + wrong("autoReset", "1") });
    expect(notices(model.requests)).toEqual(["", "", "", "", "reminder", ""]);
  });
});

describe("get_context_remaining", () => {
  it("is what is left above the reserve, which may be one for the model, directly and in a script", async () => {
    const settings = {
      ...CODEMODE,
      compaction: { reserveTokens: 9000, modelOverrides: { "scripted/scripted-model": { reserveTokens: 2000 } } },
    };
    const script = scripted("return await tools.get_context_remaining({});");
    const requests = await played([at(10_000), at(10_000, script), done(10_100)], settings, { contextWindow: 32_768 });
    expect(requests[1] && toolTexts(requests[1])).toEqual(["20,768 tokens left"]);
    expect(printed(requests[2])).toEqual({ remaining_tokens: 20_768 });
    const [request] = requests;
    const both = (request?.tools ?? []).filter(({ function: { name } }) => OWN_TOOLS.includes(name));
    expect(both).toHaveLength(2);
    expect(Buffer.byteLength(JSON.stringify(both))).toBeLessThan(1280);
    const tool = request?.tools?.find(({ function: { name } }) => name === "get_context_remaining")?.function;
    expect(tool?.description).toContain("resolves to `{ remaining_tokens }`");
    expect(tool?.parameters).toMatchObject({ properties: {}, additionalProperties: false });
  });

  it("is unknown, and null, behind a reset until an answer is counted", async () => {
    const script = scripted("return await tools.get_context_remaining({});");
    const steps = [
      at(30_000, { name: "empty_brain", args: {} }),
      at(0, remaining, script),
      at(5000, remaining),
      done(5100),
    ];
    const requests = await played(steps, CODEMODE);
    expect(bootsIn(requests[1])).toHaveLength(1);
    expect(requests[2] && toolTexts(requests[2])[0]).toBe("unknown");
    expect(printed(requests[2])).toEqual({ remaining_tokens: null });
    expect(requests[3] && toolTexts(requests[3])[0]).toBe("106,616 tokens left");
  });
});
