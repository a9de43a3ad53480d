import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { initRows, toolResults } from "@notesoup/host-claude";
import { startMessagesModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bash, call, noteIn, resultsIn, textsOfResults, TIME, WITH_SHELL } from "./calls.ts";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

describe("every tool", () => {
  it("is there from the first request on, is done without a question, and answers as a string", async () => {
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "@project/a.md", content: "# Tea\nGreen." })] },
        { toolCalls: [call("notes_read", { address: "@project/a.md" })] },
        {
          toolCalls: [
            call("notes_update", { address: "@project/a.md", edits: [{ old_text: "Green", new_text: "Black" }] }),
          ],
        },
        { toolCalls: [call("notes_list", { glob: "@project/**" })] },
        { toolCalls: [call("notes_search", { query: "black" })] },
        { toolCalls: [call("history_list", { query: "remember the tea", roles: ["user"] })] },
        { toolCalls: [call("history_read", { seq: 0 })] },
        { toolCalls: [call("get_context_remaining")] },
        "done",
      ],
    });
    await using claude = await plugin.start(model);
    const { result, rows } = await claude.prompt("remember the tea");
    expect([result.subtype, result.result, model.problems]).toEqual(["success", "done", []]);
    const offered = initRows(rows)[0]?.tools.filter((name) => name.startsWith("mcp__notesoup__"));
    expect(offered?.length).toBe(8);
    expect((model.requests[0]?.tools ?? []).flatMap(({ name }) => name ?? [])).toEqual(
      expect.arrayContaining(offered ?? []),
    );

    const answers = model.requests.slice(1).map((request) => textsOfResults(request).join());
    expect(answers).toEqual([
      "created @project/a.md · 12 bytes",
      expect.stringMatching(
        new RegExp(`^@project/a\\.md\norigin self · created ${TIME} · updated ${TIME}\n\n# Tea\nGreen\\.$`, "u"),
      ),
      "updated @project/a.md · 1 edit",
      expect.stringMatching(
        new RegExp(`^project \\S+\n@project/a\\.md · 12 bytes · origin self · updated ${TIME}$`, "u"),
      ),
      expect.stringContaining("line 2 · offset 6 · Black."),
      expect.stringMatching(/^seq 0 \| user \| /u),
      expect.stringMatching(/^seq 0 \| user \| [^]*remember the tea$/u),
      expect.stringMatching(/^[\d,]+ tokens left$/u),
    ]);
    // A success carries no mark, in the stream too.
    expect(toolResults(rows).map(({ content, isError }) => [typeof content, isError])).toEqual(
      Array.from({ length: 8 }, () => ["string", undefined]),
    );
  });
});

describe("a refusal", () => {
  it("is an error with one line, on the wire and in the stream; what the tool does not take is one too", async () => {
    await using model = await startMessagesModel({
      steps: [
        {
          toolCalls: [
            call("notes_read", { address: "none.md" }),
            call("notes_read"),
            call("notes_read", { address: 3 }),
            call("notes_read", { address: "a.md", other: 1, tool: "x" }),
            call("notes_list", { glob: "a\\b" }),
            call("history_read", { seq: 4711 }),
            call("history_list", { session: "none-of-these" }),
            call("get_context_remaining", { x: 1 }),
          ],
        },
        "done",
      ],
    });
    await using claude = await plugin.start(model);
    const { rows } = await claude.prompt("go");
    expect(textsOfResults(model.requests[1]).map((text) => text.replace(/(?<=^! error: \w+: ).*$/u, "…"))).toEqual([
      "! error: not_found: …",
      "! error: invalid_arguments: …",
      "! error: invalid_arguments: …",
      "! error: invalid_arguments: …",
      "! error: invalid_glob: …",
      "! error: seq_not_found: …",
      "! error: session_not_found: …",
      "! error: invalid_arguments: …",
    ]);
    expect(textsOfResults(model.requests[1])[3]).toContain('no parameter is named "other", "tool"');
    expect(toolResults(rows).map(({ isError }) => isError)).toEqual(Array.from({ length: 8 }, () => true));
  });
});

describe("calls at once", () => {
  it("of one message and of a subagent lose nothing", async () => {
    const edit = (name: string): object => ({
      address: "@project/list.md",
      edits: [{ old_text: "end", new_text: name }],
    });
    const append = (names: readonly string[]): ReturnType<typeof call>[] =>
      names.map((name) => call("notes_update", edit(`${name}\nend`)));
    await using model = await startMessagesModel({
      lanes: [
        {
          match: ({ messages }) =>
            JSON.stringify(messages).includes("task of the subagent") &&
            !JSON.stringify(messages).includes("task of the session"),
          steps: [{ toolCalls: append(["s1", "s2", "s3"]) }, "the subagent has done it"],
        },
        {
          steps: [
            { toolCalls: [call("notes_write", { address: "@project/list.md", content: "end" })] },
            {
              toolCalls: [
                {
                  name: "Agent",
                  args: { description: "d", subagent_type: "general-purpose", prompt: "task of the subagent" },
                },
                ...append(["m1", "m2", "m3"]),
              ],
            },
            "waiting",
            "done",
          ],
        },
      ],
    });
    const env = plugin.env(model);
    await using claude = await plugin.start(model, { env });
    await claude.prompt("task of the session");
    await claude.waitFor((row) => row["subtype"] === "task_notification", { what: "the end of the subagent" });
    const names = noteIn(env, "list.md").split("\n").slice(-7);
    expect(names.toSorted()).toEqual(["end", "m1", "m2", "m3", "s1", "s2", "s3"]);
  });
});

describe("the session's root", () => {
  it("is what calls are about, wherever the shell has gone", async () => {
    mkdirSync(join(plugin.sandbox.cwd, "deep", "er"), { recursive: true });
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "@project/root.md", content: "" })] },
        { toolCalls: [bash("cd deep/er && pwd")] },
        { toolCalls: [bash("pwd")] },
        {
          toolCalls: [
            call("notes_list", { glob: "@project/**" }),
            call("notes_list", { glob: "@project/**", cwd: "deep/er" }),
          ],
        },
        { toolCalls: [call("notes_list", { glob: "@project/**", cwd: "er" })] },
        "done",
      ],
    });
    await using claude = await plugin.start(model, { args: WITH_SHELL });
    await claude.prompt("go");
    const [, , moved, again, refused] = model.requests.slice(1).map(textsOfResults);
    expect(moved).toEqual([join(plugin.sandbox.cwd, "deep", "er")]);
    // A relative cwd stands in the root too. It is no part of a repository, and so a project of its own.
    expect(again).toEqual([expect.stringContaining("@project/root.md · 0 bytes"), "no notes found"]);
    expect(refused?.[0]).toMatch(/^! error: invalid_cwd: /u);
  });
});

describe("a result", () => {
  it("of 32 KiB comes whole", async () => {
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "long.md", content: "ä".repeat(40_000) })] },
        { toolCalls: [call("notes_read", { address: "long.md" })] },
        "done",
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("go");
    const [text = ""] = resultsIn(model.requests[2]).map((result) => result.text);
    expect(Buffer.byteLength(text)).toBeGreaterThan(32_700);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
    expect(text).toMatch(/\[truncated; continue at offset_chars=\d+\]$/u);
  });
});

describe("bad input", () => {
  it("a home that cannot be written is refused with a code, and the session goes on", async () => {
    await using model = await startMessagesModel({
      steps: [{ toolCalls: [call("notes_write", { address: "a.md", content: "x" }), call("notes_list")] }, "done"],
    });
    const file = join(plugin.sandbox.root, "a-file");
    writeFileSync(file, "");
    await using claude = await plugin.start(model, { env: { NOTESOUP_HOME: join(file, "notes") } });
    const { result } = await claude.prompt("go");
    expect([result.result, model.problems]).toEqual(["done", []]);
    expect(textsOfResults(model.requests[1])[0]).toMatch(/^! error: io: /u);
  });

  it("settings that cannot be used are named to a person, or by the calls that need them", async () => {
    await using model = await startMessagesModel({ steps: [{ toolCalls: [call("notes_list")] }, "done"] });
    const options = { notesHome: "relative/notes", agent: "Ada", reminderMarginTokens: 5 };
    const settings = JSON.stringify({ pluginConfigs: { "notesoup@notesoup": { options } } });
    await using claude = await plugin.start(model, { args: ["--settings", settings] });
    await claude.prompt("go");
    expect(textsOfResults(model.requests[1])[0]).toMatch(/^! error: invalid_home: .*"relative\/notes"/u);
  });
});

describe("settings", () => {
  it("say where the notes lie, and whose they are", async () => {
    await using model = await startMessagesModel({
      steps: [{ toolCalls: [call("notes_write", { address: "@self/a.md", content: "mine" })] }, "done"],
    });
    const notesHome = join(plugin.sandbox.root, "notes of a person");
    const settings = JSON.stringify({
      pluginConfigs: { "notesoup@notesoup": { options: { notesHome, agent: "Ada L" } } },
    });
    await using claude = await plugin.start(model, { args: ["--settings", settings] });
    await claude.prompt("go");
    expect(textsOfResults(model.requests[1])).toEqual(["created @self/a.md · 4 bytes"]);
    expect(existsSync(join(notesHome, "agents", "ada-l", "a.md"))).toBe(true);
  });
});
