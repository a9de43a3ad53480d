import { readFileSync, writeFileSync } from "node:fs";
import { createPiSandbox, type PiRpc, type PiSandbox, printPi, startPiRpc } from "@notesoup/host-pi";
import { type ChatRequest, startScriptedModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { listHistory, toolTexts } from "./calls.ts";
import { DRIVER } from "./history-records.ts";
import { packedExtension } from "./packed-extension.ts";
import {
  bash,
  bootOf,
  bootsOf,
  COMPACTS,
  emptyBrain,
  expectClosed,
  filed,
  note,
  resetsOf,
  said,
  theSession,
  windowsSent,
} from "./reset-play.ts";

const extension = packedExtension();

/** A run of Pi in print mode, which goes well. */
async function printed(
  sandbox: PiSandbox,
  prompt: string | readonly string[],
  stdout: string,
  more: string[] = [],
): Promise<void> {
  const args = [...extension.args(), ...more];
  expect(await printPi(sandbox, prompt, { args })).toEqual({
    code: 0,
    signal: null,
    stdout: stdout === "" ? "" : `${stdout}\n`,
    stderr: "",
  });
}

/** Cuts a session's file behind the marker of its only reset, so many characters of the next line left. */
function cutBehindMarker(path: string, chars: number): void {
  const text = readFileSync(path, "utf8");
  const marker = text.indexOf('{"type":"compaction"');
  writeFileSync(path, text.slice(0, text.indexOf("\n", marker) + 1 + chars));
}

describe("a session with a reset", () => {
  it("is continued in the same window, with no second boot", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [note("Next: beta."), emptyBrain] }, "alpha-answer", "beta-answer", "Written."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await printed(sandbox, "alpha-prompt", "alpha-answer");
    await printed(sandbox, ["beta-prompt", "/empty-brain"], "", ["--continue"]);
    expect(model.problems).toEqual([]);
    expect(windowsSent(model.requests).map((requests) => requests.map(said))).toEqual([
      [["boot", "user: alpha-prompt"]],
      [
        ["summary", "boot"],
        ["summary", "boot", "assistant: alpha-answer", "user: beta-prompt"],
        [
          "summary",
          "boot",
          "assistant: alpha-answer",
          "user: beta-prompt",
          "assistant: beta-answer",
          expect.anything(),
        ],
      ],
    ]);
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([
      ["model 2", "person 3"],
      ["1", "2", "3"],
    ]);
    expect(file.windows.slice(0, 2)).toEqual([
      expect.stringContaining("alpha-prompt"),
      expect.stringMatching(/alpha-answer[^]*beta-answer[^]*Written\./u),
    ]);
  });

  it.each([
    { where: "between the marker and the boot", chars: 0 },
    { where: "in the middle of the boot", chars: 300 },
  ])("that was killed $where gets its boot, once; what was done meanwhile is kept", async ({ chars }) => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [emptyBrain] }, "alpha-answer", "beta-answer", "gamma-answer", "delta-answer"],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await printed(sandbox, "alpha-prompt", "alpha-answer");
    const { path } = await theSession(sandbox);
    cutBehindMarker(path, chars);
    // Without the extension: nobody mends it.
    expect(await printPi(sandbox, "beta-prompt", { args: ["--continue"] })).toMatchObject({ code: 0, stderr: "" });
    await printed(sandbox, "gamma-prompt", "gamma-answer", ["--continue"]);
    await printed(sandbox, "delta-prompt", "delta-answer", ["--continue"]);
    expect(model.problems).toEqual([]);

    expect(model.requests.slice(2).map(said)).toEqual([
      ["summary", "user: beta-prompt"],
      ["summary", "user: beta-prompt", "assistant: beta-answer", "boot", "user: gamma-prompt"],
      [
        "summary",
        "user: beta-prompt",
        "assistant: beta-answer",
        "boot",
        "user: gamma-prompt",
        "assistant: gamma-answer",
        "user: delta-prompt",
      ],
    ]);
    expect(JSON.stringify(model.requests.slice(1))).not.toContain("alpha-prompt");
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([["model 2"], ["1", "2"]]);
    expect(file.windows).toEqual([
      expect.stringContaining("alpha-prompt"),
      expect.stringMatching(/beta-answer[^]*gamma-answer[^]*delta-answer/u),
    ]);
  });

  it("is forked and cloned with a boot of the new session's own, whoever made the reset", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [emptyBrain] },
        "alpha-answer",
        "beta-answer",
        "clone-answer",
        "fork-answer",
        "after-compact-answer",
        "last-answer",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: COMPACTS });
    await using rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("alpha-prompt");
    await rpc.prompt("beta-prompt");
    expect((await rpc.send({ type: "clone" })).success).toBe(true);
    await rpc.prompt("clone-prompt");
    const { data = {} } = await rpc.send({ type: "get_fork_messages" });
    const [, beta] = data["messages"] as { entryId: string; text: string }[];
    expect(beta?.text).toBe("beta-prompt");
    expect((await rpc.send({ type: "fork", entryId: beta?.entryId })).success).toBe(true);
    await rpc.prompt("fork-prompt");
    expect((await rpc.send({ type: "compact" })).success).toBe(true);
    await rpc.prompt("after-compact-prompt");
    expect((await rpc.send({ type: "clone" })).success).toBe(true);
    await rpc.prompt("last-prompt");
    await expectClosed(rpc, model);

    const [first, cloned, forked, last, ...others] = await filed(sandbox);
    expect(others).toEqual([]);
    expect(model.requests.slice(3).map(said)).toEqual([
      [
        "summary",
        "boot",
        "assistant: alpha-answer",
        "user: beta-prompt",
        "assistant: beta-answer",
        "boot",
        "user: clone-prompt",
      ],
      ["summary", "boot", "assistant: alpha-answer", "boot", "user: fork-prompt"],
      ["summary with boot", "user: after-compact-prompt"],
      [
        "summary with boot",
        "user: after-compact-prompt",
        "assistant: after-compact-answer",
        "boot",
        "user: last-prompt",
      ],
    ]);
    const sessions = model.requests.map((request) => /^session (?<id>\S+)/mu.exec(bootOf(request))?.groups?.["id"]);
    expect(sessions).toEqual([first, first, first, cloned, forked, forked, last].map((file) => file?.id));
    for (const file of [first, cloned, forked, last]) {
      const own = (file?.entries ?? []).filter(
        ({ customType, details }) =>
          customType === "notesoup-boot" && (details as { session: string }).session === file?.id,
      );
      expect(own).toHaveLength(file === first ? 2 : 1);
      expect(file?.windows[0]).toContain("alpha-prompt");
    }
  });

  it("of 40 windows is short in each of them, and has every one of them on record", async () => {
    const COUNT = 40;
    const bounds = (request: ChatRequest): object[] =>
      [...bootOf(request).matchAll(/^- seq (?<first>\d+) to (?<last>\d+) · /gmu)].map(({ groups }) => ({
        after_seq: Number(groups?.["first"]) - 1,
        before_seq: Number(groups?.["last"]) + 1,
        roles: ["assistant", "tool"],
      }));
    await using model = await startScriptedModel({
      steps: [
        ...Array.from({ length: COUNT - 1 }, (_, index) => ({
          text: `answer-${index + 1}.`,
          toolCalls: [bash(`echo tool-$((${index} + 1)).`), emptyBrain],
        })),
        (request) => ({ toolCalls: bounds(request).map(listHistory) }),
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await printed(sandbox, "alpha-prompt", "Done.");
    expect(model.problems).toEqual([]);
    const windows = windowsSent(model.requests);
    expect(windows.map(({ length }) => length)).toEqual([...Array.from({ length: COUNT - 1 }, () => 1), 2]);
    for (const [index, [first]] of windows.entries())
      expect(said(first)).toEqual(index === 0 ? ["boot", "user: alpha-prompt"] : ["summary", "boot"]);

    // The last window is the first in the boot.
    const listed = toolTexts(model.requests.at(-1) ?? { model: "", messages: [] }).toReversed();
    expect(listed).toHaveLength(COUNT - 1);
    for (const [index, text] of listed.entries()) {
      expect(text.match(/answer-\d+\./gu)).toEqual([`answer-${index + 1}.`]);
      expect(text.match(/(?<=^ {2}|\\n)tool-\d+\./gmu) ?? text).toEqual([`tool-${index + 1}.`]);
    }
    const file = await theSession(sandbox);
    expect(file.windows).toHaveLength(COUNT);
    expect(bootsOf(file)).toEqual(Array.from({ length: COUNT }, (_, index) => String(index + 1)));
    for (const [index, text] of file.windows.slice(0, -1).entries()) expect(text).toContain(`\ntool-${index + 1}.\n`);
  });
});

describe("a jump over a reset", () => {
  it("in either direction, with a summary or without, carries nothing over it", async () => {
    await using model = await startScriptedModel({
      lanes: [
        {
          match: ({ messages }) => JSON.stringify(messages.at(-1)).includes("<conversation>"),
          steps: ["A summary of what was left."],
        },
        {
          steps: [
            "alpha-answer",
            { text: "alpha-last", toolCalls: [emptyBrain] },
            "beta-answer",
            "gamma-answer",
            "delta-answer",
            "epsilon-answer",
            "zeta-answer",
            "eta-answer",
            { text: "theta-answer", toolCalls: [emptyBrain] },
            "iota-answer",
          ],
        },
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...DRIVER] });
    await rpc.prompt("alpha-prompt");
    const before = await leafOf(rpc);
    await rpc.prompt("Go on.");
    const behind = await leafOf(rpc);
    await rpc.prompt(`/goto ${before}`);
    await rpc.prompt("gamma-prompt");
    const gamma = await leafOf(rpc);
    await rpc.prompt(`/goto ${behind}`);
    await rpc.prompt("delta-prompt");
    await rpc.prompt(`/goto ${gamma} summarize`);
    await rpc.prompt("epsilon-prompt");
    await rpc.prompt(`/goto ${behind} summarize`);
    await rpc.prompt("zeta-prompt");
    // To a boot is before it: the window gets another one.
    await rpc.prompt(`/goto ${await lastBoot(rpc)}`);
    await rpc.prompt("eta-prompt");
    // Another window after the same one has another name.
    await rpc.prompt(`/goto ${gamma}`);
    await rpc.prompt("theta-prompt");
    await expectClosed(rpc, model);

    const sent = model.requests.map(said);
    const first = ["boot", "user: alpha-prompt", "assistant: alpha-answer"];
    const second = ["summary", "boot", "assistant: beta-answer"];
    const overReset = expect.stringMatching(/The branch that was left goes over a reset of the context\./u);
    const ofBranch = expect.stringContaining("A summary of what was left.");
    expect(sent.filter((messages) => !messages.at(-1)?.includes("<conversation>"))).toEqual([
      first.slice(0, 2),
      [...first, "user: Go on."],
      second.slice(0, 2),
      [...first, "user: gamma-prompt"],
      [...second, "user: delta-prompt"],
      [...first, "user: gamma-prompt", "assistant: gamma-answer", overReset, "user: epsilon-prompt"],
      [...second, ofBranch, "user: zeta-prompt"],
      ["summary", "boot", "user: eta-prompt"],
      [...first, "user: gamma-prompt", "assistant: gamma-answer", "user: theta-prompt"],
      ["summary", "boot"],
    ]);
    // What Pi lets the model sum up is what was said on the branch that is left, and nothing from before it.
    const summed = sent.filter((messages) => messages.at(-1)?.includes("<conversation>"));
    expect(summed).toHaveLength(1);
    expect(JSON.stringify(summed)).toMatch(/gamma-answer.*epsilon-answer/u);
    expect(JSON.stringify(summed)).not.toMatch(/alpha-|beta-|delta-/u);
    const file = await theSession(sandbox);
    expect([resetsOf(file), bootsOf(file)]).toEqual([
      ["model 2", "model 3"],
      ["1", "2", "2", "3"],
    ]);
    const text = readFileSync(file.path, "utf8");
    for (const name of ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"])
      expect(text).toContain(`${name}-answer`);
  });
});

async function leafOf(rpc: PiRpc): Promise<string> {
  const { data } = await rpc.send({ type: "get_entries" });
  return String(data?.["leafId"]);
}

/** The last boot of the session. */
async function lastBoot(rpc: PiRpc): Promise<string> {
  const { data = {} } = await rpc.send({ type: "get_entries" });
  const entries = data["entries"] as { id: string; customType?: string }[];
  return String(entries.findLast(({ customType }) => customType === "notesoup-boot")?.id);
}
