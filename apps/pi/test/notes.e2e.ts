import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPiSandbox, printPi, readSessions, startPiRpc } from "@notesoup/host-pi";
import { projectKey } from "@notesoup/notes";
import { type ChatRequest, lastToolText, startScriptedModel, textOf, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import {
  CODEMODE,
  TIME,
  write,
  read,
  update,
  list,
  search,
  noteIn,
  toolTexts,
  scripted,
  printed,
  isToolResult,
} from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

describe("a direct call in print mode", () => {
  it("writes a note to disk and reads it again, and the model gets the texts", async () => {
    await using model = await startScriptedModel({
      steps: [
        {
          toolCalls: [
            write({
              address: "@project/decisions.md",
              content: "Use a host-independent notes library.\n",
              origin: "user",
            }),
          ],
        },
        { toolCalls: [read({ address: "@project/decisions.md" })] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect(await printPi(sandbox, "Remember this.", { args: extension.args() })).toEqual({
      code: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: "",
    });
    expect(model.problems).toEqual([]);

    expect(noteIn(sandbox, "project", projectKey(sandbox.cwd), "decisions.md")).toMatch(
      new RegExp(
        `^---\norigin: user\ncreatedAt: ${TIME}\nupdatedAt: ${TIME}\nlastAccessed: ${TIME}\naccessCount: 1\n---\nUse a host-independent notes library\\.\n$`,
        "u",
      ),
    );
    const [, afterWrite, afterRead] = model.requests;
    expect(afterWrite && toolTexts(afterWrite)).toEqual(["created @project/decisions.md · 38 bytes"]);
    expect(afterRead && toolTexts(afterRead)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^@project/decisions\\.md\norigin user · created ${TIME} · updated ${TIME}\n\nUse a host-independent notes library\\.\n$`,
          "u",
        ),
      ),
    ]);
  });

  it("offers the tools with their descriptions, and says in the system prompt when to reach for them", async () => {
    await using model = await startScriptedModel({ steps: ["Done."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await printPi(sandbox, "Hello.", { args: extension.args() });
    const [request] = model.requests;
    const tools = Object.fromEntries((request?.tools ?? []).map(({ function: tool }) => [tool.name, tool]));
    expect(tools["notes_write"]).toMatchObject({
      description: expect.stringContaining("outlives this context window"),
      parameters: { required: ["address", "content"], additionalProperties: false },
    });
    expect(tools["notes_read"]).toMatchObject({ parameters: { required: ["address"], additionalProperties: false } });
    const system = textOf(request?.messages[0] ?? { role: "system" });
    expect(system).toContain("- notes_write: Write a note that outlives this context window");
    expect(system).toContain("- notes_read: Read a note of this session, project, person, agent or model");
    expect(system).toContain("Use notes_write for decisions");
  });

  it("keeps each notebook where its identity says: session, project, person, agent, model", async () => {
    const addresses = ["todo", "@project/a", "@human/a", "@self/a", "@model/a"];
    await using model = await startScriptedModel({
      steps: [{ toolCalls: addresses.map((address) => write({ address, content: address })) }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, models: [{ id: "vendor/Some Model 4.1" }] });
    await printPi(sandbox, "Remember.", { args: extension.args() });
    const [session] = await readSessions(sandbox);
    const files = readdirSync(sandbox.notesHome, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(
      files.map((entry) => join(entry.parentPath, entry.name).slice(sandbox.notesHome.length + 1)).toSorted(),
    ).toEqual([
      "agents/pi/a.md",
      "human/a.md",
      "models/vendor-some-model-4.1/a.md",
      `pi/session/${session?.header.id}/todo.md`,
      `project/${projectKey(sandbox.cwd)}/a.md`,
    ]);
    expect(noteIn(sandbox, "pi", "session", session?.header.id ?? "", "todo.md")).toContain(
      `project: ${projectKey(sandbox.cwd)}\n`,
    );
  });

  it("marks a refusal as an error in the session, and a success not", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [write({ address: "a", content: "x" }), read({ address: "@head" })] }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect((await printPi(sandbox, "Go.", { args: extension.args() })).stderr).toBe("");
    const [session] = await readSessions(sandbox);
    const results = session?.entries.flatMap(({ message }) =>
      isToolResult(message) ? [{ tool: message.toolName, isError: message.isError }] : [],
    );
    expect(results).toEqual([
      { tool: "notes_write", isError: false },
      { tool: "notes_read", isError: true },
    ]);
  });

  it("delivers a long note in parts that concatenate to it", async () => {
    const body = "é😀\n".repeat(12_000);
    let delivered = "";
    const next = (request: ChatRequest): string | { toolCalls: ToolCall[] } => {
      const text = lastToolText(request) ?? "";
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
      const [, part = "", at] =
        /^[^\n]*\n[^\n]*\n\n(.*?)(?:\[truncated; continue at offset_chars=(\d+)\])?$/su.exec(text) ?? [];
      delivered += part;
      return at === undefined ? "Done." : { toolCalls: [read({ address: "long", offset_chars: Number(at) })] };
    };
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [write({ address: "long", content: body })] },
        { toolCalls: [read({ address: "long" })] },
        next,
        next,
        next,
        next,
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect(await printPi(sandbox, "Go.", { args: extension.args() })).toMatchObject({
      code: 0,
      stdout: "Done.\n",
      stderr: "",
    });
    // A part that ends in the middle of a line gets a line end before the notice.
    expect(delivered.replaceAll("\n", "")).toBe(body.replaceAll("\n", ""));
  });

  it("takes the agent's name from the settings, and warns of a setting that it cannot use", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [write({ address: "@self/a", content: "x" })] }, "Done.", "Done."],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      settings: { notesoup: { agent: "Code Reviewer" } },
    });
    expect((await printPi(sandbox, "Go.", { args: extension.args() })).stderr).toBe("");
    expect(existsSync(join(sandbox.notesHome, "agents", "code-reviewer", "a.md"))).toBe(true);

    writeFileSync(
      join(sandbox.agentDir, "settings.json"),
      JSON.stringify({
        ...(JSON.parse(readFileSync(join(sandbox.agentDir, "settings.json"), "utf8")) as object),
        notesoup: { agent: "日本語", agnet: "x" },
      }),
    );
    const { code, stderr } = await printPi(sandbox, "Go.", { args: extension.args() });
    expect({ code, lines: stderr.trimEnd().split("\n") }).toEqual({
      code: 0,
      lines: [
        "notesoup: the setting notesoup.agnet was ignored: is not a setting; known: agent, enabled, reminderMarginTokens, lastWordMarginTokens, autoReset, widget",
        'notesoup: the setting notesoup.agent was ignored: "日本語" has no letter of a-z and no digit to make a name of',
      ],
    });
  });
});

describe("update, list and search", () => {
  it("give the model receipts, lists and hits, and the session the diff of an update", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [write({ address: "@project/a", content: "one\ntwo\nthree\n" })] },
        { toolCalls: [update({ address: "@project/a", edits: [{ old_text: "two", new_text: "zwei" }] })] },
        { toolCalls: [update({ address: "@project/a", crumpled: true, rename_to: "@project/b" })] },
        { toolCalls: [list({})] },
        { toolCalls: [list({ crumpled: true })] },
        { toolCalls: [update({ address: "@project/b", crumpled: false })] },
        { toolCalls: [search({ query: "ZWEI" })] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect((await printPi(sandbox, "Go.", { args: extension.args() })).stderr).toBe("");
    expect(model.problems).toEqual([]);
    const [, , edited, moved, listed, crumpled, back, found] = model.requests.map((request) => toolTexts(request)[0]);
    expect(edited).toBe("updated @project/a.md · 1 edit");
    expect(moved).toMatch(/^updated @project\/b\.md · .*crumpled.* · renamed from @project\/a\.md$/u);
    expect(listed).not.toContain("@project");
    expect(crumpled).toMatch(/^@project\/b\.md .*$/mu);
    expect(back).toContain("@project/b.md");
    expect(found).toMatch(/@project\/b\.md[^]*zwei/u);
    const [session] = await readSessions(sandbox);
    const details = session?.entries.flatMap(({ message }) =>
      isToolResult(message) && message.toolName === "notes_update" ? [message.details] : [],
    );
    expect(details?.[0]).toEqual({ diff: expect.stringMatching(/^ 1 one\n-2 two\n\+2 zwei\n 3 three/u) });
  });

  it("does not hold Pi up with the diff of a change of thousands of lines", async () => {
    const content = Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join("\n");
    const change = { address: "@human/long", edits: [{ old_text: "line", new_text: "LINE" }], replace_all: true };
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [write({ address: "@human/long", content })] }, { toolCalls: [update(change)] }, "Done."],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      models: [{ id: "scripted-model", contextWindow: 10_000_000 }],
    });
    expect(await printPi(sandbox, "Go.", { args: extension.args() })).toEqual({
      code: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: "",
    });
    const [session] = await readSessions(sandbox);
    const details = session?.entries.flatMap(({ message }) =>
      isToolResult(message) && message.toolName === "notes_update" ? [message.details] : [],
    );
    expect(details).toEqual([{ diff: " 1 … 10000 lines became 10000" }]);
  });

  it("work in a script as a script writes it", async () => {
    const code = `
      await tools.notes_write({ address: "@project/a", content: "one two" });
      const updated = await tools.notes_update({ address: "@project/a", edits: [{ old_text: "two", new_text: "zwei" }] });
      const r = await tools.notes_list({ glob: "@project/**" }); if ("error" in r) return r.error;
      const found = await tools.notes_search({ query: ["zwei", "drei"] });
      return { updated, files: r.files, more: r.more, found };`;
    await using model = await startScriptedModel({ steps: [{ toolCalls: [scripted(code)] }, "Done."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("Go.");
    expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
    const project_key = projectKey(sandbox.cwd);
    const time = expect.stringMatching(new RegExp(`^${TIME}$`, "u"));
    expect(printed(model.requests[1])).toEqual({
      updated: { address: "@project/a.md", project_key, applied: 1, change: "body", crumpled: false, updated_at: time },
      files: [{ address: "@project/a.md", project_key, bytes: 8, origin: "self", updated_at: time }],
      more: 0,
      found: {
        files: [{ address: "@project/a.md", project_key, matches: [{ line: 1, offset_chars: 4, text: "one zwei" }] }],
        more: 0,
      },
    });
  });
});

describe("a script in code mode", () => {
  it("gets the structured value of a success and of a refusal, which resolves", async () => {
    const code = `
      const written = await tools.notes_write({ address: "@project/a", content: "naïve 😀" });
      const note = await tools.notes_read({ address: "@project/a", limit_chars: 7 });
      const refused = await tools.notes_read({ address: "@project/none" });
      return { written, note, refused, recovered: "error" in refused ? refused.error : null, namespace: await describeNamespace("notes") };`;
    await using model = await startScriptedModel({ steps: [{ toolCalls: [scripted(code)] }, "Done."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    expect(await printPi(sandbox, "Go.", { args: extension.args() })).toEqual({
      code: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: "",
    });
    const project_key = projectKey(sandbox.cwd);
    const time = expect.stringMatching(new RegExp(`^${TIME}$`, "u"));
    expect(printed(model.requests[1])).toEqual({
      written: { address: "@project/a.md", project_key, outcome: "created", bytes: 11, updated_at: time },
      note: {
        address: "@project/a.md",
        project_key,
        metadata: { origin: "self", created_at: time, updated_at: time },
        text: "naïve 😀",
        total_chars: 7,
        next_offset_chars: null,
      },
      refused: {
        error: 'there is no note at "@project/none"; check the address, or write the note first',
        code: "not_found",
      },
      recovered: 'there is no note at "@project/none"; check the address, or write the note first',
      namespace: expect.objectContaining({ name: "notes" }),
    });
  });

  it("is told the fields of both forms of a result", async () => {
    await using model = await startScriptedModel({ steps: ["Done."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    await printPi(sandbox, "Go.", { args: extension.args() });
    const description = model.requests[0]?.tools?.find(({ function: { name } }) => name === "notes_read")?.function
      .description;
    expect(description).toContain(
      "resolves to `{ address, project_key?, metadata, text, total_chars, next_offset_chars } | { error, code }`",
    );
  });
});

describe("RPC mode", () => {
  it("reports results and errors as events, and reads the identity anew at each call", async () => {
    await using model = await startScriptedModel({
      steps: [
        {
          toolCalls: [
            write({ address: "todo", content: "one" }),
            write({ address: "@model/a", content: "one" }),
            read({ address: "@head" }),
          ],
        },
        "Done.",
        { toolCalls: [write({ address: "@model/a", content: "two" })] },
        "Done.",
        { toolCalls: [read({ address: "todo" })] },
        { toolCalls: [write({ address: "todo", content: "three" })] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      models: [{ id: "scripted-model" }, { id: "other-model" }],
    });
    const rpc = await startPiRpc(sandbox, { args: extension.args() });

    const { events } = await rpc.prompt("Remember.");
    const ends = events.filter(({ type }) => type === "tool_execution_end");
    expect(ends.map((event) => ({ tool: event["toolName"], isError: event["isError"] }))).toEqual(
      expect.arrayContaining([
        { tool: "notes_write", isError: false },
        { tool: "notes_read", isError: true },
      ]),
    );
    await rpc.send({ type: "set_model", provider: "scripted", modelId: "other-model" });
    await rpc.prompt("Remember.");
    await rpc.send({ type: "new_session" });
    await rpc.prompt("Remember.");
    expect({ code: await rpc.close(), stderr: rpc.stderr, problems: model.problems }).toEqual({
      code: 0,
      stderr: "",
      problems: [],
    });

    expect(noteIn(sandbox, "models", "scripted-model", "a.md")).toMatch(/one$/u);
    expect(noteIn(sandbox, "models", "other-model", "a.md")).toMatch(/two$/u);
    const sessions = readdirSync(join(sandbox.notesHome, "pi", "session"));
    expect(
      sessions.map((id) => noteIn(sandbox, "pi", "session", id, "todo.md").split("\n").at(-1) ?? "").toSorted(),
    ).toEqual(["one", "three"]);
    expect(model.requests.slice(5).map(toolTexts)).toEqual([
      [expect.stringMatching(/^error: not_found: /u)],
      ["created todo.md · 5 bytes"],
    ]);
  });

  it("gives a script the structured value too", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [scripted('return await tools.notes_write({ address: "@human/a", content: "x" });')] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const rpc = await startPiRpc(sandbox, { args: extension.args() });
    await rpc.prompt("Go.");
    expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
    expect(printed(model.requests[1])).toMatchObject({ address: "@human/a.md", outcome: "created", bytes: 1 });
  });
});
