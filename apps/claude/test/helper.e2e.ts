import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Conversation, processesIn, type RunningProcess } from "@notesoup/host-claude";
import { startMessagesModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { call, textsOfResults } from "./calls.ts";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

/** The helpers of this plugin that run in the sandbox. */
async function helpers(): Promise<readonly RunningProcess[]> {
  return (await processesIn(plugin.sandbox)).filter(({ command }) => command.includes("dist/helper.mjs"));
}

/** Waits until no helper runs, for as long as a host needs to find out that its session is over. */
async function assertNoHelper(): Promise<void> {
  await expect.poll(helpers, { timeout: 10_000 }).toEqual([]);
}

/** A session whose helper runs. */
async function sessionWithHelper(claude: Conversation): Promise<RunningProcess> {
  await claude.prompt("begin");
  const [helper, ...others] = await helpers();
  if (helper === undefined || others.length > 0) throw new Error("there is not one helper");
  return helper;
}

describe("the helper", () => {
  it("is one for the whole session, and is gone when that ends", async () => {
    await using model = await startMessagesModel({
      steps: [{ toolCalls: [call("notes_list")] }, "one", { toolCalls: [call("notes_list")] }, "two", "three"],
    });
    await using claude = await plugin.start(model);
    const helper = await sessionWithHelper(claude);
    await claude.prompt("again");
    await claude.prompt("/clear");
    await claude.prompt("and again");
    expect((await helpers()).map(({ pid }) => pid)).toEqual([helper.pid]);
    expect(await claude.close()).toBe(0);
    await assertNoHelper();
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "is gone where the host is ended by %s",
    async (signal) => {
      await using model = await startMessagesModel({ steps: [{ toolCalls: [call("notes_list")] }, "one"] });
      await using claude = await plugin.start(model);
      await sessionWithHelper(claude);
      await claude.kill(signal);
      await assertNoHelper();
    },
  );

  it("that is killed in the middle of a call: that call is answered, and the next one works", async () => {
    const pids: number[] = [];
    const stopped = { toolCalls: [call("notes_update", { address: "@project/a.md", crumpled: true })] };
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "@project/a.md", content: "x" })] },
        "begun",
        async () => {
          // It takes the call, and does not answer it.
          for (const { pid } of await helpers()) {
            process.kill(pid, "SIGSTOP");
            pids.push(pid);
          }
          return stopped;
        },
        { toolCalls: [call("notes_read", { address: "@project/a.md" })] },
        "done",
      ],
    });
    await using claude = await plugin.start(model);
    await sessionWithHelper(claude);
    const turn = claude.prompt("go");
    await claude.waitFor((row) => row.type === "assistant" && JSON.stringify(row).includes("notes_update"));
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect((await turn).result.result).toBe("done");
    const [ended, next] = model.requests.slice(3).map((request) => textsOfResults(request).join());
    // Whether the host had sent the call when the helper died, nobody can tell; answered it is.
    expect(ended).toMatch(/^(! error: helper_ended: |updated @project\/a\.md · )/u);
    expect(next).toMatch(/^@project\/a\.md\n/u);
    expect((await helpers()).map(({ pid }) => pid)).not.toEqual(pids);
  });

  it("is one for each call where none can stay", async () => {
    // Too long for a socket's path.
    const tmp = join(plugin.sandbox.root, "t".repeat(120));
    mkdirSync(tmp, { recursive: true });
    await using model = await startMessagesModel({
      steps: [
        {
          toolCalls: [call("notes_write", { address: "a.md", content: "x" }), call("notes_read", { address: "a.md" })],
        },
        "done",
      ],
    });
    await using claude = await plugin.start(model, { env: { TMPDIR: tmp } });
    await claude.prompt("go");
    expect(textsOfResults(model.requests[1])).toEqual(["created a.md · 1 byte", expect.stringMatching(/^a\.md\n/u)]);
    expect(await helpers()).toEqual([]);
  });

  it("answers with JSON and nothing else, whatever is printed in its process", async () => {
    const noise = join(plugin.sandbox.root, "noise.mjs");
    writeFileSync(
      noise,
      'process.stdout.write("noise at the start\\n{}\\n");\nsetImmediate(() => console.log("more noise"));\nprocess.on("exit", () => process.stdout.write("noise at the end"));\n',
    );
    for (const tmp of [plugin.sandbox.tmp, join(plugin.sandbox.root, "t".repeat(121))]) {
      mkdirSync(tmp, { recursive: true });
      await using model = await startMessagesModel({
        steps: [
          {
            toolCalls: [
              call("notes_write", { address: "a.md", content: "x" }),
              call("notes_read", { address: "none.md" }),
            ],
          },
          "done",
        ],
      });
      const env = { NODE_OPTIONS: `--import=${noise}`, TMPDIR: tmp };
      await using claude = await plugin.start(model, { env });
      await claude.prompt("go");
      expect(textsOfResults(model.requests[1])).toEqual([
        "created a.md · 1 byte",
        expect.stringMatching(/^! error: not_found: /u),
      ]);
    }
  });
});

describe("without Node", () => {
  /** A PATH with all that the system has, but no Node. */
  function pathWithoutNode(): string {
    const folder = join(plugin.sandbox.root, "no-node");
    mkdirSync(folder, { recursive: true });
    for (const program of ["sh", "bash", "cat", "ls", "git"])
      symlinkSync(join("/usr/bin", program), join(folder, program));
    return folder;
  }

  it("a person is told once, each call says so, and the session goes on", async () => {
    await using model = await startMessagesModel({
      steps: [{ toolCalls: [call("notes_list"), call("get_context_remaining")] }, "done"],
    });
    await using claude = await plugin.start(model, { env: { PATH: pathWithoutNode() } });
    const { result } = await claude.prompt("go");
    const told = claude.rows.filter((row) => row["subtype"] === "ui_log").map((row) => row["text"]);
    expect(told).toEqual([expect.stringContaining("there is no node on the PATH of Claude Code")]);
    expect(textsOfResults(model.requests[1])).toEqual([
      expect.stringMatching(/^! error: node_not_found: there is no node on the PATH of Claude Code, [^\n]*$/u),
      expect.stringMatching(/ tokens left$/u),
    ]);
    expect([result.result, model.problems]).toEqual(["done", []]);
  });

  it("with one that is too old, each call says so", async () => {
    const folder = join(plugin.sandbox.root, "old-node");
    mkdirSync(folder, { recursive: true });
    // What an older one would do with the first lines of the helper.
    const preload = join(folder, "old.cjs");
    writeFileSync(
      preload,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });\n',
    );
    await using model = await startMessagesModel({ steps: [{ toolCalls: [call("notes_list")] }, "done"] });
    await using claude = await plugin.start(model, { env: { NODE_OPTIONS: `--require=${preload}` } });
    await claude.prompt("go");
    expect(textsOfResults(model.requests[1])).toEqual([
      expect.stringMatching(/^! error: node_too_old: the node on the PATH of Claude Code is 20\.20\.2, /u),
    ]);
  });
});
