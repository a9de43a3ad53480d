import { readSessionLogs, runHeadless } from "@notesoup/host-dsh";
import { projectKey } from "@notesoup/notes";
import { type ChatRequest, lastToolText, startDeepseekModel, textOf, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import {
  CODE_MODE,
  list,
  listHistory,
  noteIn,
  read,
  readHistory,
  remaining,
  resultsIn,
  returned,
  scripted,
  search,
  TIME,
  toolTexts,
  update,
  write,
} from "./calls.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

const DONE = { code: 0, signal: null, stdout: "Done.\n", stderr: "" };

const NAMES = [
  "notes_write",
  "notes_read",
  "notes_update",
  "notes_list",
  "notes_search",
  "history_list",
  "history_read",
  "get_context_remaining",
  "empty_brain",
];

describe("a native call", () => {
  it("does what each of the tools is for, on disk and in the texts that the model gets", async () => {
    await using model = await startDeepseekModel({
      steps: [
        {
          toolCalls: [write({ address: "@project/decisions.md", content: "Use a shared library.\n", origin: "user" })],
        },
        { toolCalls: [read({ address: "@project/decisions.md" })] },
        {
          toolCalls: [
            update({
              address: "@project/decisions.md",
              edits: [{ old_text: "shared", new_text: "host-independent" }],
              rename_to: "@project/library.md",
            }),
          ],
        },
        { toolCalls: [list({ glob: "@project/**" })] },
        { toolCalls: [search({ query: "independent" })] },
        { toolCalls: [listHistory({ roles: ["user"] })] },
        { toolCalls: [readHistory({ seq: 3 })] },
        { toolCalls: [remaining] },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    expect(await runHeadless(sandbox, "Remember this.")).toEqual(DONE);
    expect(model.problems).toEqual([]);

    expect(noteIn(sandbox, "project", projectKey(sandbox.cwd), "library.md")).toMatch(
      new RegExp(`^---\norigin: user\ncreatedAt: ${TIME}\n[^]*---\nUse a host-independent library\\.\n$`, "u"),
    );
    const texts = model.requests.slice(1).map((request) => toolTexts(request)[0]);
    expect(texts).toEqual([
      "created @project/decisions.md · 22 bytes",
      expect.stringMatching(
        new RegExp(
          `^@project/decisions\\.md\norigin user · created ${TIME} · updated ${TIME}\n\nUse a shared library\\.\n$`,
          "u",
        ),
      ),
      "updated @project/library.md · 1 edit · renamed from @project/decisions.md",
      expect.stringMatching(
        new RegExp(`^project \\S+\n@project/library\\.md · 32 bytes · origin user · updated ${TIME}$`, "u"),
      ),
      expect.stringMatching(/^project \S+\n@project\/library\.md\n.*Use a host-independent library\.$/u),
      expect.stringMatching(/^seq 1 \| user \| .*\n {2}Remember this\.$/u),
      expect.stringMatching(/^seq 3 \| tool \| .* \| notes_write ok\n\n[^]*"origin":"user"/u),
      expect.stringMatching(/^[\d,]+ tokens left$/u),
    ]);
    const [log] = await readSessionLogs(sandbox);
    expect(resultsIn(log).every((result) => "isError" in result && result.isError === false)).toBe(true);
  });
});

describe("a refusal", () => {
  it("of a native call is an error with its code in the log, and one line for the model", async () => {
    await using model = await startDeepseekModel({
      steps: [
        {
          toolCalls: [
            read({ address: "@project/none" }),
            write({ address: "@nobody/a", content: "x" }),
            update({ address: "@project/none", crumpled: true }),
            list({ cwd: "nowhere" }),
            readHistory({ seq: 9999 }),
            listHistory({ session: "*", before_seq: 3 }),
          ],
        },
        { toolCalls: [read({ adress: "a" }), { name: "notes_list", rawArgs: '{"limit":' }] },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
    expect(model.problems).toEqual([]);
    expect(toolTexts(model.requests[1])).toEqual([
      'error: not_found: there is no note at "@project/none"; check the address, or write the note first',
      expect.stringMatching(/^error: unknown_scope: [^\n]+$/u),
      expect.stringMatching(/^error: not_found: [^\n]+$/u),
      expect.stringMatching(/^error: invalid_cwd: [^\n]+$/u),
      expect.stringMatching(/^error: seq_not_found: [^\n]+$/u),
      expect.stringMatching(/^error: wildcard_bounds: [^\n]+$/u),
    ]);
    expect(toolTexts(model.requests[2])).toEqual([
      expect.stringMatching(/^error: invalid_arguments: notes_read: [^\n]*"adress"[^\n]*$/u),
      expect.stringMatching(/^error: invalid_arguments: notes_list: [^\n]+$/u),
    ]);
    const [log] = await readSessionLogs(sandbox);
    expect(resultsIn(log)).toEqual([
      { tool: "notes_read", isError: true, code: "not_found" },
      { tool: "notes_write", isError: true, code: "unknown_scope" },
      { tool: "notes_update", isError: true, code: "not_found" },
      { tool: "notes_list", isError: true, code: "invalid_cwd" },
      { tool: "history_read", isError: true, code: "seq_not_found" },
      { tool: "history_list", isError: true, code: "wildcard_bounds" },
      { tool: "notes_read", isError: true, code: "invalid_arguments" },
      { tool: "notes_list", isError: true, code: "invalid_arguments" },
    ]);
  });
});

describe("in code mode", () => {
  it("a script gets what a call gives as data, a refusal too, and what it may not call fails", async () => {
    await using model = await startDeepseekModel({
      steps: [
        {
          toolCalls: [
            scripted(`
              const written = await tools.notes_write({ address: "@project/a", content: "one\\ntwo" });
              const found = await tools.notes_search({ query: "two" });
              const missing = await tools.notes_read({ address: "@project/none" });
              const nowhere = await tools.notes_list({ cwd: "nowhere" });
              const left = await tools.get_context_remaining({});
              const failures = [];
              for (const call of [() => tools.notes_read({ adress: "a" }), () => tools.empty_brain({})]) {
                await call().catch((error) => failures.push(error.message));
              }
              return { written, found, missing, nowhere, left, failures };
            `),
          ],
        },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, env: CODE_MODE });
    expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
    expect(model.problems).toEqual([]);
    const key = projectKey(sandbox.cwd);
    expect(returned(model.requests[1])).toEqual({
      written: {
        address: "@project/a.md",
        project_key: key,
        outcome: "created",
        bytes: 7,
        updated_at: expect.stringMatching(new RegExp(`^${TIME}$`, "u")),
      },
      found: {
        files: [{ address: "@project/a.md", project_key: key, matches: [{ line: 2, offset_chars: 4, text: "two" }] }],
        more: 0,
      },
      missing: {
        code: "not_found",
        error: 'there is no note at "@project/none"; check the address, or write the note first',
      },
      nowhere: { code: "invalid_cwd", error: expect.any(String) },
      left: { remaining_tokens: expect.any(Number) },
      failures: [expect.stringContaining('"adress"'), expect.stringContaining("not for scripts")],
    });
  });

  it("every tool has types for its arguments and its results, and not one is unknown", async () => {
    await using model = await startDeepseekModel({ steps: ["Done."] });
    await using sandbox = await rows.sandbox({ modelUrl: model.url, env: { DSH_TOOLS_MODE: "code" } });
    expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
    const system = model.requests[0]?.messages[0];
    const sdk = /```ts\n[^]*?```/u.exec(system === undefined ? "" : textOf(system))?.[0] ?? "";
    const declared = (map: string): string =>
      new RegExp(`interface ${map} \\{\\n[^]*?\\n\\}`, "u").exec(sdk)?.[0] ?? "";
    for (const name of NAMES) {
      const typed = new RegExp(`^ {2}${name}: (?!unknown|JsonValue|any)`, "mu");
      expect(typed.test(declared("ToolArgsMap")), `the arguments of ${name}`).toBe(true);
      expect(typed.test(declared("ToolOutputMap")), `the result of ${name}`).toBe(true);
    }
    expect(declared("ToolOutputMap")).toContain("stable name of the refusal");
  });
});

describe("several calls at once", () => {
  it("each have their own result, whether they run side by side or one after another", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `@project/n${index}`);
    await using model = await startDeepseekModel({
      steps: [
        { toolCalls: names.map((address) => write({ address, content: address })) },
        {
          toolCalls: [...names.map((address): ToolCall => read({ address })), list({ glob: "@project/**", limit: 3 })],
        },
        "Done.",
      ],
    });
    await using sandbox = await rows.sandbox({ modelUrl: model.url });
    expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
    expect(toolTexts(model.requests[1])).toEqual(names.map((name) => `created ${name}.md · 11 bytes`));
    const texts = toolTexts(model.requests[2]);
    expect(texts.slice(0, 6).map((text) => text.split("\n").at(-1))).toEqual(names);
    expect(texts[6]).toContain("+3 more");
  });
});

it("a long note is delivered in parts that concatenate to it, none of which the host cuts", async () => {
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
  await using model = await startDeepseekModel({
    steps: [
      { toolCalls: [write({ address: "long", content: body })] },
      { toolCalls: [read({ address: "long" })] },
      next,
      next,
      next,
      next,
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  expect(await runHeadless(sandbox, "Go.")).toEqual(DONE);
  expect(model.problems).toEqual([]);
  expect(delivered).toBe(body);
});
