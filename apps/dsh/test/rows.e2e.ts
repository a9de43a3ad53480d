import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { driveDsh, runHeadless, type DshSandbox, type RowPatch } from "@notesoup/host-dsh";
import { contextExceeded, startDeepseekModel, toolNames } from "@notesoup/scripted-model";
import { describe, expect, it, onTestFinished } from "vitest";
import { bootsIn, emptyBrain, list, outline, remaining, toolTexts, write } from "./calls.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

const NOTES_ALONE: readonly RowPatch[] = [
  { id: "notesoup-engine", disabled: true },
  { id: "compaction-basic", disabled: false },
];
const ENGINE_ALONE: readonly RowPatch[] = [{ id: "notesoup", disabled: true }];

describe("one row alone", () => {
  it("the notes: tools, boots and empty_brain, and the host's own compaction, behind which the boot comes again", async () => {
    await using model = await startDeepseekModel({
      steps: ["Done.", "A summary.", "Done.", { toolCalls: [emptyBrain] }, "Done."],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, patches: NOTES_ALONE });
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
    await dsh.prompt("One. ".repeat(2000));
    expect(await dsh.command("/compact")).toMatchObject({ kind: "success" });
    await dsh.prompt("Two.");
    expect(await dsh.command("/notesoup")).toMatchObject({ text: expect.stringContaining("the host compacts") });
    await dsh.prompt("Three.");
    expect([await dsh.close(), dsh.stderr, model.problems]).toEqual([0, "", []]);
    expect(outline(model.requests[2]).slice(2)).toEqual(["assistant", "boot", "Two.", "runtime"]);
    expect(outline(model.requests[4])).toEqual(["system", "boot", "runtime"]);
  });

  it("the engine: no tools and no boot at the begin, and a new window that says so", async () => {
    await using model = await startDeepseekModel({ steps: ["Done.", contextExceeded(), "Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, patches: ENGINE_ALONE });
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
    await dsh.prompt("One.");
    await dsh.prompt("Two.");
    expect([await dsh.close(), dsh.stderr, model.problems]).toEqual([0, "", []]);
    expect(model.requests[0] && toolNames(model.requests[0])).not.toContain("notes_read");
    expect(outline(model.requests[0])).toEqual(["system", "One.", "runtime"]);
    expect(outline(model.requests[2])).toEqual([
      "system",
      expect.stringContaining("not offered in this session"),
      "Two.",
      "runtime",
    ]);
  });
});

/** Runs dsh on a task that it answers, whatever is wrong with the rows. @returns what it said on standard error */
async function said(patches: readonly RowPatch[], spoil?: (sandbox: DshSandbox) => Promise<void>): Promise<string> {
  await using model = await startDeepseekModel({ steps: ["Done."] });
  await using sandbox = await rows.sandbox({ modelUrl: model.url, patches });
  await spoil?.(sandbox);
  const { stderr, ...run } = await runHeadless(sandbox, "Go.");
  expect(run, stderr).toEqual({ code: 0, signal: null, stdout: "Done.\n" });
  return stderr;
}

/** Puts a package in the way of one of the host's, for the rows alone. */
async function shadow({ dshHome }: DshSandbox, name: string, source?: string): Promise<void> {
  for (const profile of ["once", "driven"]) {
    const folder = join(dshHome, "profiles", profile, "node_modules", name);
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ name, version: "0.0.1", type: "module", main: "index.js" }),
    );
    if (source !== undefined) await writeFile(join(folder, "index.js"), source);
  }
}

describe("what is wrong is said with the row and the way on, and the host goes on", () => {
  it("a peer that is missing", async () => {
    expect(await said([], (sandbox) => shadow(sandbox, "@deepseek-ai/dsh-compaction"))).toBe(
      [
        "notesoup: row notesoup: not loaded: the host does not supply @deepseek-ai/dsh-compaction; add it to the profile, or use a version of DeepSeek Harness that has it (0.1.0-rc.8 or newer)\n",
        "notesoup: row notesoup-engine: not loaded: the host does not supply @deepseek-ai/dsh-compaction; add it to the profile, or use a version of DeepSeek Harness that has it (0.1.0-rc.8 or newer)\n",
      ].join(""),
    );
  });

  it("a peer that lacks what is needed of it", async () => {
    const stderr = await said([], (sandbox) =>
      shadow(sandbox, "@deepseek-ai/dsh-compaction", "export const nothing = 1;\n"),
    );
    expect(stderr).toMatch(/^notesoup: row notesoup: not loaded: .*@deepseek-ai\/dsh-compaction.*\n/u);
    expect(stderr).toMatch(/\nnotesoup: row notesoup-engine: not loaded: .*@deepseek-ai\/dsh-compaction.*\n$/u);
  });

  it("a second provider of compaction", async () => {
    expect(await said([{ id: "compaction-basic", disabled: false }])).toBe(
      "notesoup: row notesoup-engine: not loaded: row compaction-basic is the host's compaction already, and there can be one alone; disable that row or this one\n",
    );
  });

  it("a home that cannot be written", async () => {
    expect(await said([{ id: "notesoup", config: { home: "/dev/null/notes" } }])).toBe(
      "notesoup: row notesoup: not loaded: the notes home /dev/null/notes cannot be written (a part of its path is no folder); set `home` of the row, or NOTESOUP_HOME, to a folder that can\n",
    );
  });

  it("settings that cannot be used, which are ignored", async () => {
    const config = { home: "notes", agent: "!", reserveTokens: -1, autoReset: "yes", colour: "red" };
    expect((await said([{ id: "notesoup", config }])).trimEnd().split("\n")).toEqual(
      [
        "the setting notesoup.autoReset was ignored: expected true or false, found a value of type string",
        expect.stringMatching(/the setting notesoup\.colour was ignored: is not a setting/u),
        "the setting home was ignored: expected an absolute path",
        "the setting reserveTokens was ignored: expected a whole number of tokens, 0 or more",
        expect.stringMatching(/the setting agent was ignored/u),
      ].map((line) => (typeof line === "string" ? `notesoup: row notesoup: ${line}` : line)),
    );
  });

  it("a host that does not count tokens: what is left is unknown, and the rows do without", async () => {
    await using model = await startDeepseekModel({
      steps: [{ toolCalls: [remaining] }, contextExceeded(), "Done."],
    });
    await using sandbox = await rows.sandbox({
      modelUrl: model.url,
      patches: ["token-meter", "tool-result-pruner"].map((id) => ({ id, disabled: true })),
    });
    expect(await runHeadless(sandbox, "Go.")).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
    expect(toolTexts(model.requests[1])).toEqual(["unknown"]);
    expect(bootsIn(model.requests[2])).toHaveLength(1);
  });

  it("a call that belongs to no session", async () => {
    await using model = await startDeepseekModel({ steps: ["Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
    await dsh.prompt("Go.");
    expect(await dsh.send({ do: "call", tool: "notes_list", args: {} })).toMatchObject({
      isError: true,
      error: { info: { code: "no_session" } },
      content: [
        { type: "text", text: expect.stringMatching(/^error: no_session: row notesoup: .*; call it from one$/u) },
      ],
    });
    expect([await dsh.close(), dsh.stderr]).toEqual([0, ""]);
  });

  it("a session without a folder: a call has to name one, and the boot says that there is no project", async () => {
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: [write({ address: "@project/a", content: "x" }), list({ cwd: "sub" })] },
        (request) => {
          expect(toolTexts(request)).toEqual([
            "error: invalid_cwd: row notesoup: this session has no working directory; name an absolute cwd in the call, or start the session in a folder",
            expect.stringMatching(/^error: invalid_cwd: row notesoup: /u),
          ]);
          return { toolCalls: [write({ address: "@project/a", content: "x", cwd: folder })] };
        },
        "Done.",
      ],
    });
    const folder = await mkdtemp(join(tmpdir(), "notesoup-project-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await using sandbox = await rows.sandbox({
      modelUrl: model.url,
      // The persona of the host's own speaks of the folder, and fails without one.
      patches: [{ id: "system-prompt", config: { persona: "You are an agent." } }],
    });
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1" });
    expect(await dsh.prompt("Go.")).toEqual({ text: "Done.", reason: "completed" });
    expect([await dsh.close(), dsh.stderr, model.problems]).toEqual([0, "", []]);
    expect(toolTexts(model.requests[2])).toEqual(["created @project/a.md · 1 byte"]);
    const [boot = ""] = bootsIn(model.requests[0]);
    expect(boot).toContain("project none");
    expect(boot).toContain("## Project notes (@project/) · unreadable: invalid_identity");
  });
});

it("the rows hold nothing of another copy of the host's packages", async () => {
  const files = await import("node:fs/promises").then(({ readdir, readFile }) =>
    readdir(join(rows.folder(), "dist")).then((names) =>
      Promise.all(
        names.filter((name) => name.endsWith(".js")).map((name) => readFile(join(rows.folder(), "dist", name), "utf8")),
      ),
    ),
  );
  expect(files.join("")).toContain('from "@deepseek-ai/dsh-llm"');
  expect(files.join("")).not.toContain("class HarnessError");
});

it("switched off, the row has its tools, and neither boots nor reminders nor resets", async () => {
  await using model = await startDeepseekModel({
    steps: [{ toolCalls: [list({}), emptyBrain], usage: { inputTokens: 190_000 } }, "Done."],
  });
  await using sandbox = await rows.sandbox({
    modelUrl: model.url,
    contextWindow: 200_000,
    patches: [...NOTES_ALONE, { id: "notesoup", config: { enabled: false } }],
  });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
  await dsh.prompt("Go.");
  expect(await dsh.command("/empty-brain")).toMatchObject({
    kind: "error",
    text: expect.stringContaining("`enabled`"),
  });
  expect(await dsh.command("/notesoup")).toMatchObject({
    text: expect.stringMatching(/^notesoup is off; window s1:1; /u),
  });
  expect([await dsh.close(), dsh.stderr, model.problems]).toEqual([0, "", []]);
  expect(outline(model.requests[0])).toEqual(["system", "Go.", "runtime"]);
  expect(toolTexts(model.requests[1])).toEqual([
    "no notes found",
    "error: no_reset: notesoup is off: enabled is false in the configuration of its row",
  ]);
});
