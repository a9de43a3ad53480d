import { createPiSandbox, startPiRpc } from "@notesoup/host-pi";
import { startScriptedModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";
import { toolTexts } from "./calls.ts";
import {
  atGate,
  bootsOf,
  COMPACTS,
  emptyBrain,
  expectClosed,
  isCloseOut,
  makeGate,
  note,
  notified,
  openGate,
  resetsOf,
  said,
  sayWhileBusy,
  SPOILER,
  theSession,
  waitAtGate,
  windowsSent,
} from "./reset-play.ts";

const extension = packedExtension();

const STOPPED = "notesoup: the reset was given up, for the turn was stopped";
const DISCARDED = "notesoup: the window was not emptied, for Pi did not take the boundary; try /empty-brain again";

describe("a reset that is not agreed to", () => {
  it("for a close-out is stopped or fails, or the tools of the turn that asks are stopped, is none; the next one is", async () => {
    const hung = Promise.withResolvers<void>();
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        () => {
          hung.resolve();
          return { hang: true };
        },
        { status: 400, error: "The provider is not well." },
        { toolCalls: [emptyBrain, waitAtGate] },
        "beta-answer",
        { toolCalls: [note("Next: gamma.")] },
        "Written.",
        "gamma-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    makeGate(sandbox);
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");

    const stopped = rpc.prompt("/empty-brain");
    await hung.promise;
    await rpc.send({ type: "abort" });
    expect(notified((await stopped).events)).toEqual([STOPPED]);

    expect(notified((await rpc.prompt("/empty-brain")).events)).toEqual([STOPPED]);

    const from = rpc.events.length;
    const asked = rpc.prompt("Empty your brain.");
    await atGate(rpc, from);
    await rpc.send({ type: "abort" });
    expect(notified((await asked).events)).toEqual([STOPPED]);

    expect(notified((await rpc.prompt("beta-prompt")).events)).toEqual([]);
    expect(resetsOf({ id: "", entries: (await theSession(sandbox)).entries })).toEqual([]);
    await rpc.prompt("/empty-brain");
    await rpc.prompt("gamma-prompt");
    await expectClosed(rpc, model);

    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([7, 1]);
    const [first, second] = windows;
    // What was asked for in vain is not asked for any more.
    expect(first?.map(isCloseOut)).toEqual([false, true, true, false, false, true, true]);
    // What was said in vain does not keep from being heard what is said later.
    expect(first && said(first[4] ?? first[0]).at(-1)).toBe("user: beta-prompt");
    expect(second?.map(said)).toEqual([["summary", "boot", "user: gamma-prompt"]]);
    expect(JSON.stringify(second)).not.toMatch(/alpha-|beta-/u);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["person 2"]);
    expect(bootsOf(file)).toEqual(["1", "2"]);
    expect(file.windows[0]).toMatch(/alpha-answer[^]*Empty your brain\.[^]*beta-answer[^]*Written\./u);
  });

  it("is not given up for an error that Pi mends: a request that is made again, an overflow", async () => {
    await using model = await startScriptedModel({
      steps: [
        "alpha-answer",
        { status: 503, error: "The provider is busy." },
        "Written.",
        "beta-answer",
        { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" },
        "gamma-answer",
      ],
    });
    const settings = { ...COMPACTS, retry: { enabled: true, baseDelayMs: 1 } };
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    expect(notified((await rpc.prompt("/empty-brain")).events)).toEqual([]);
    await rpc.prompt("beta-prompt");
    expect(notified((await rpc.prompt("/empty-brain")).events)).toEqual([]);
    await expectClosed(rpc, model);
    expect(windowsSent(model.requests).map(({ length }) => length)).toEqual([3, 2, 1]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["person 2", "host 3"]);
    for (const [index, name] of ["alpha", "beta", "gamma"].entries()) expect(file.windows[index]).toContain(`${name}-`);
  });

  it("while notesoup is off is refused, and one from before is forgotten; on again, it is made", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [emptyBrain, waitAtGate] },
        "alpha-answer",
        { toolCalls: [emptyBrain] },
        "beta-answer",
        "gamma-answer",
        { toolCalls: [emptyBrain] },
        "delta-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    makeGate(sandbox);
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    const run = rpc.prompt("alpha-prompt");
    await atGate(rpc);
    await sayWhileBusy(rpc, "/notesoup off");
    await openGate(sandbox);
    await run;
    await rpc.prompt("beta-prompt");
    await rpc.prompt("/empty-brain");
    await rpc.prompt("/notesoup on");
    await rpc.prompt("gamma-prompt");
    await rpc.prompt("delta-prompt");
    await expectClosed(rpc, model);

    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([6, 1]);
    expect(model.requests[3] && toolTexts(model.requests[3])).toEqual([
      "notesoup is switched off in this session: the window was not emptied",
    ]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["model 2"]);
    expect(bootsOf(file)).toEqual(["1", "2"]);
    expect(file.windows[0]).toMatch(/alpha-answer[^]*beta-answer[^]*gamma-answer/u);
  });
});

describe("a boundary that another extension spoils", () => {
  it("is handed to Pi once more at the end of the next turn, and then given up", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [emptyBrain] },
        "alpha-answer",
        "beta-answer",
        { toolCalls: [emptyBrain] },
        { toolCalls: [note("Next.")] },
        "gamma-answer",
        "Written.",
        { toolCalls: [note("Next: delta.")] },
        "delta-answer",
        "Written.",
        "Written again.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...SPOILER] });
    const told: (readonly [spoiled: number, notified: readonly string[]])[] = [];
    const say = async (prompt: string): Promise<void> => {
      const { events } = await rpc.prompt(prompt);
      told.push([events.filter(({ type }) => type === "extension_error").length, notified(events)]);
    };
    await rpc.prompt("/spoil 1");
    await say("alpha-prompt");
    await say("beta-prompt");
    await rpc.prompt("/spoil 2");
    await say("gamma-prompt");
    await rpc.prompt("/spoil 1");
    await say("/empty-brain");
    await say("delta-prompt");
    // Who asks again does not wait for a turn.
    await rpc.prompt("/spoil 1");
    await say("/empty-brain");
    await say("/empty-brain");
    expect(told).toEqual([
      [1, []],
      [0, []],
      [2, [DISCARDED]],
      [1, []],
      [0, []],
      [1, []],
      [0, []],
    ]);
    await expectClosed(rpc, model);

    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([2, 6, 3]);
    expect(windows[1]?.map(said)[0]).toEqual(["summary", "boot", "user: beta-prompt"]);
    // The close-out is over, whatever became of its boundary.
    expect(windows[1]?.map(isCloseOut)).toEqual([false, false, false, false, true, false]);
    // The prompt of which the work is not done goes with it.
    expect(windows[2]?.map(said)[0]).toEqual(["summary", "boot", "user: delta-prompt"]);
    const file = await theSession(sandbox);
    expect(resetsOf(file)).toEqual(["model 2", "person 3", "person 4"]);
    expect(bootsOf(file)).toEqual(["1", "2", "3", "4"]);
    for (const [index, name] of ["alpha", "beta", "delta"].entries()) expect(file.windows[index]).toContain(`${name}-`);
  });
});
