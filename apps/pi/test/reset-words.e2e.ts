import { readFileSync, writeFileSync } from "node:fs";
import { createPiSandbox, type PiRpc, type PiSandbox, printPi, startPiRpc } from "@notesoup/host-pi";
import { type ChatRequest, startScriptedModel, type Step, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";
import {
  bash,
  bootsOf,
  COMPACTS,
  expectClosed,
  isCloseOut,
  note,
  notified,
  resetsOf,
  said,
  sayWhileBusy,
  SPOILER,
  theSession,
  windowsSent,
} from "./reset-play.ts";

const extension = packedExtension();

const STOPPED = "notesoup: the reset was given up, for the turn was stopped";
const OVERFLOW = { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" };

/** What a person says while notes are being written, in the order in which it is said. */
const WORDS = ["words-one", "words-two"];
const SAID = WORDS.map((words) => `user: ${words}`);

/** A running Pi for the steps of a script, which begin to be played before it is there. */
class Talk {
  readonly #rpc = Promise.withResolvers<PiRpc>();

  async start(sandbox: PiSandbox, more: readonly string[] = []): Promise<PiRpc> {
    const rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...more] });
    // Both are said at once, and not one after each turn.
    await rpc.send({ type: "set_steering_mode", mode: "all" });
    this.#rpc.resolve(rpc);
    return rpc;
  }

  /** A turn of the close-out in which a note is written, and in which a person speaks. */
  writes(): Step<ChatRequest> {
    return async () => {
      const rpc = await this.#rpc.promise;
      for (const message of WORDS) await rpc.send({ type: "steer", message });
      return { toolCalls: [note("Next: beta.")] };
    };
  }

  /** A step during whose request something else happens. */
  while(happens: (rpc: PiRpc) => Promise<unknown>, then: Step<ChatRequest>): Step<ChatRequest> {
    return async () => {
      await happens(await this.#rpc.promise);
      return then;
    };
  }
}

/** Goes on with the session in another process. */
async function goOn(sandbox: PiSandbox, prompt: string): Promise<void> {
  const ended = await printPi(sandbox, prompt, { args: [...extension.args(), "--continue"] });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
}

/** How often what a person said is in a request. */
const heard = (request: ChatRequest | undefined): number[] =>
  WORDS.map((words) => JSON.stringify(request).split(words).length - 1);

describe("what a person says while notes are written", () => {
  it.each<{ readonly turn: string; readonly toolCalls: readonly ToolCall[] }>([
    { turn: "the last one", toolCalls: [] },
    { turn: "one that calls tools", toolCalls: [bash("echo one-more")] },
  ])("is heard at once where notesoup is switched off in that turn, be it $turn", async ({ toolCalls }) => {
    const talk = new Talk();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        talk.writes(),
        talk.while((rpc) => sayWhileBusy(rpc, "/notesoup off"), { text: "Written.", toolCalls }),
        "beta-answer",
        "gamma-answer",
        "delta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await talk.start(sandbox);
    await rpc.prompt("alpha-prompt");
    expect((await rpc.prompt("/empty-brain")).disposition).toBe("handled");
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);
    // Also when the session goes on.
    await goOn(sandbox, "delta-prompt");
    expect(model.problems).toEqual([]);

    const requests = model.requests;
    expect(requests.map(heard)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(requests[3] && said(requests[3]).slice(-2)).toEqual(SAID);
    expect(requests.map(isCloseOut)).toEqual([false, true, true, false, false, false]);
    expect(windowsSent(requests)).toHaveLength(1);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual([]);
    expect(file.windows[0]).toMatch(/Written\.[^]*beta-answer[^]*gamma-answer/u);
  });

  it("is heard in the new window where the turn overflows, with where the task before it stands", async () => {
    const talk = new Talk();
    await using model = await startScriptedModel({
      steps: ["alpha-answer", talk.writes(), OVERFLOW, "beta-answer", "gamma-answer", "delta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await talk.start(sandbox);
    await rpc.prompt("alpha-prompt");
    expect(notified((await rpc.prompt("/empty-brain")).events)).toEqual([]);
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);
    await goOn(sandbox, "delta-prompt");
    expect(model.problems).toEqual([]);

    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(first?.map(heard)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(second?.map(said).at(-1)).toEqual([
      "summary with boot",
      ...SAID,
      "assistant: beta-answer",
      "user: gamma-prompt",
      "assistant: gamma-answer",
      "user: delta-prompt",
    ]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2"]);
    // What is said again is not what the task before it was.
    const seq = /what a person said last is history_read \{"seq":(?<seq>\d+)\}/u.exec(
      JSON.stringify(second?.[0]).replaceAll("\\", ""),
    );
    expect(file.session.document(file.session.event(Number(seq?.groups?.["seq"])))).toBe("alpha-prompt");
    expect(file.windows[0]).toMatch(/user: words-one[^]*user: words-two/u);
  });

  it("is heard in the new window where a person compacts it in that turn, and is told that it was emptied", async () => {
    const talk = new Talk();
    const compacted = Promise.withResolvers<unknown>();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        talk.writes(),
        talk.while(async (rpc) => compacted.resolve(rpc.send({ type: "compact" })), { hang: true }),
        "gamma-answer",
        "delta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await talk.start(sandbox);
    await rpc.prompt("alpha-prompt");
    const from = rpc.events.length;
    await rpc.prompt("/empty-brain");
    expect(await compacted.promise).toMatchObject({ success: true });
    expect(notified(rpc.events.slice(from))).toEqual([
      STOPPED,
      "notesoup: the window was emptied by the compaction in its place",
    ]);
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);
    await goOn(sandbox, "delta-prompt");
    expect(model.problems).toEqual([]);

    const [first, second, ...others] = windowsSent(model.requests);
    expect(others).toEqual([]);
    expect(first?.map(heard)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(second?.map(said)).toEqual([
      ["summary with boot", ...SAID, "user: gamma-prompt"],
      ["summary with boot", ...SAID, "user: gamma-prompt", "assistant: gamma-answer", "user: delta-prompt"],
    ]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["host 2"]);
    expect(file.windows[0]).toMatch(/alpha-answer[^]*user: words-one[^]*user: words-two/u);
  });

  it("is heard in the same window where the turn is stopped, and is not said again in the next one", async () => {
    const talk = new Talk();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        talk.writes(),
        talk.while((rpc) => rpc.send({ type: "abort" }), { hang: true }),
        "gamma-answer",
        "Written.",
        "delta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await talk.start(sandbox);
    await rpc.prompt("alpha-prompt");
    expect(notified((await rpc.prompt("/empty-brain")).events)).toEqual([STOPPED]);
    await rpc.prompt("gamma-prompt");
    await rpc.prompt("/empty-brain");
    await rpc.prompt("delta-prompt");
    await expectClosed(rpc, model);
    expect(model.requests.map(heard)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["person 2"]);
  });

  it("is heard in the same window where Pi does not take the boundary, which is handed over again behind it", async () => {
    const talk = new Talk();
    await using model = await startScriptedModel({
      steps: ["alpha-answer", talk.writes(), "Written.", "gamma-answer", "delta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await talk.start(sandbox, SPOILER);
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/spoil 1");
    await rpc.prompt("/empty-brain");
    await rpc.prompt("gamma-prompt");
    await rpc.prompt("delta-prompt");
    await expectClosed(rpc, model);
    expect(model.requests.map(heard)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([4, 1]);
    expect(resetsOf(await theSession(sandbox))).toEqual(["person 2"]);
  });

  it.each([
    { where: "before the words", line: 0, chars: 0 },
    { where: "in the middle of the first words", line: 0, chars: 60 },
    { where: "between the words", line: 1, chars: 0 },
  ])("is heard once in the new window where Pi was killed $where", async ({ line, chars }) => {
    const talk = new Talk();
    await using model = await startScriptedModel({
      steps: ["alpha-answer", talk.writes(), "Written.", "beta-answer", "gamma-answer", "delta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await talk.start(sandbox);
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("/empty-brain");
    await expectClosed(rpc, model);
    const { path } = await theSession(sandbox);
    cutAtWords(path, line, chars);
    for (const prompt of ["gamma-prompt", "delta-prompt"]) await goOn(sandbox, prompt);
    expect(model.problems).toEqual([]);
    expect(model.requests.slice(4).map(said)).toEqual([
      ["summary", "boot", ...SAID, "user: gamma-prompt"],
      ["summary", "boot", ...SAID, "user: gamma-prompt", "assistant: gamma-answer", "user: delta-prompt"],
    ]);
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([["person 2"], ["1", "2"]]);
  });
});

/** Cuts a session's file before one of the messages in which words are said again, so many characters of it left. */
function cutAtWords(path: string, line: number, chars: number): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const [first, ...others] = lines.flatMap((text, index) => (text.includes("notesoup-carried") ? [index] : []));
  expect([first, ...others]).toHaveLength(WORDS.length);
  const at = (first ?? 0) + line;
  writeFileSync(path, `${lines.slice(0, at).join("\n")}\n${(lines[at] ?? "").slice(0, chars)}`);
}
