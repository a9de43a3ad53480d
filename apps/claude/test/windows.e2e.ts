import { readTranscripts } from "@notesoup/host-claude";
import {
  type MessagesRequest,
  overloaded,
  type ScriptedModel,
  startMessagesModel,
  systemMessages,
} from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bootsIn, call, readIn, textsOfResults } from "./calls.ts";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

/** What must never be read again once its window is over. */
const SECRET = "a secret of the first window";

/** A window of 150,000 tokens, of which Claude Code keeps 33,000 free. */
const SMALL = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" };

const last = (model: ScriptedModel<MessagesRequest>): MessagesRequest | undefined => model.requests.at(-1);

describe("a boot", () => {
  it("is at the head of a session, once, with the notes that there are", async () => {
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "@project/MAP.md", content: "The parser is done." })] },
        "one",
        "two",
        "three",
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("first");
    await claude.prompt("second");
    expect(model.requests.map(bootsIn)).toEqual([["1"], ["1"], ["1"]]);
    expect(readIn(last(model))).not.toContain("| The parser is done.");
    await claude.prompt("/clear");
    await claude.prompt("third");
    expect(bootsIn(last(model))).toEqual(["1"]);
    expect(readIn(last(model))).toContain("| The parser is done.");
    expect(readIn(last(model))).toContain(
      `session ${String(claude.rows.findLast(({ type }) => type === "result")?.["session_id"])} `,
    );
  });

  it("is not for a subagent", async () => {
    const isSubagent = ({ messages }: MessagesRequest): boolean =>
      JSON.stringify(messages[0]).includes("task of the subagent");
    await using model = await startMessagesModel({
      lanes: [
        { match: isSubagent, steps: [{ toolCalls: [call("history_list", { roles: ["user"] })] }, "subagent done"] },
        {
          steps: [
            {
              toolCalls: [
                {
                  name: "Agent",
                  args: { description: "d", subagent_type: "general-purpose", prompt: "task of the subagent" },
                },
              ],
            },
            "waiting",
            "done",
          ],
        },
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("task of the session");
    await claude.waitFor((row) => row["subtype"] === "task_notification");
    const ofSubagent = model.requests.filter(isSubagent);
    expect(ofSubagent.map(bootsIn)).toEqual([[], []]);
    // It sees the session that has started it.
    expect(textsOfResults(ofSubagent[1])[0]).toMatch(/^seq 0 \| user \| [^\n]*\n {2}task of the session$/u);
  });
});

describe("a compaction", () => {
  it("by a person empties the window, and the next one begins with a boot", async () => {
    await using model = await startMessagesModel({
      steps: [
        { toolCalls: [call("notes_write", { address: "@project/a.md", content: "x" })] },
        SECRET,
        { toolCalls: [call("history_list", { query: "SECRET of the first", roles: ["assistant"] })] },
        "found",
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("first");
    const before = model.requests.length;
    await claude.prompt("/compact mind the parser");
    // No summary was asked for.
    expect(model.requests.length).toBe(before);
    await claude.prompt("second");
    const first = model.requests[before];
    expect(bootsIn(first)).toEqual(["2"]);
    expect(readIn(first)).not.toContain(SECRET);
    expect(readIn(first)).toContain("Earlier windows of this session · 1");
    expect(readIn(first)).toContain("A person said when it was emptied: mind the parser");
    expect(textsOfResults(last(model))[0]).toContain(SECRET);
    const transcript = (await readTranscripts(plugin.sandbox)).find(
      ({ sessionId }) => sessionId === claude.rows.at(-1)?.["session_id"],
    );
    expect(transcript?.rows.some((row) => row["subtype"] === "compact_boundary")).toBe(true);
    expect(JSON.stringify(transcript?.rows)).toContain(SECRET);
  });

  it("by the host in the middle of work says where the task is", async () => {
    await using model = await startMessagesModel({
      steps: [
        { text: SECRET, toolCalls: [call("notes_list")], usage: { inputTokens: 118_500 } },
        { toolCalls: [call("history_read", { seq: 0 })] },
        "done",
      ],
    });
    await using claude = await plugin.start(model, { env: SMALL });
    const { result } = await claude.prompt("the task");
    expect(result.result).toBe("done");
    const [, behind, answered] = model.requests;
    expect(bootsIn(behind)).toEqual(["2"]);
    expect(readIn(behind)).not.toContain(SECRET);
    expect(readIn(behind)).not.toContain("the task");
    expect(readIn(behind)).toContain('what a person said last is mcp__notesoup__history_read {"seq":0}');
    expect(textsOfResults(answered)[0]).toContain("the task");
  });

  it("by the host before anything was done about a prompt says that prompt again", async () => {
    await using model = await startMessagesModel({
      steps: [{ text: SECRET, usage: { inputTokens: 118_500 } }, "done"],
    });
    await using claude = await plugin.start(model, { env: SMALL });
    await claude.prompt("first");
    await claude.prompt("not answered yet");
    expect(bootsIn(last(model))).toEqual(["2"]);
    expect(readIn(last(model))).not.toContain(SECRET);
    expect(readIn(last(model))).toContain("not answered yet");
  });

  it("with autoReset off is a summary of the host's, and the next window has a boot beside it", async () => {
    await using model = await startMessagesModel({
      steps: ["one", { text: "<summary>\nthe host's own summary\n</summary>" }, "two"],
    });
    const settings = JSON.stringify({ pluginConfigs: { "notesoup@notesoup": { options: { autoReset: false } } } });
    await using claude = await plugin.start(model, { args: ["--settings", settings] });
    await claude.prompt("first");
    await claude.prompt("/compact");
    await claude.prompt("second");
    expect(readIn(last(model))).toContain("the host's own summary");
    expect(bootsIn(last(model))).toEqual(["2"]);
  });
});

describe("/notesoup:empty-brain", () => {
  it("gives the model a turn to write its notes, and empties the window then", async () => {
    await using model = await startMessagesModel({
      steps: [
        SECRET,
        { toolCalls: [call("notes_write", { address: "handover.md", content: "where it stands" })] },
        "written",
        "in the new window",
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("first");
    await claude.prompt("/notesoup:empty-brain");
    expect(readIn(model.requests[1])).toContain(
      "A person asked to empty this context window; this is the last turn in it.",
    );
    const boundary = await claude.waitFor((row) => row["subtype"] === "compact_boundary");
    // What the host does for a command without a screen is a turn of its own.
    await claude.waitFor(({ type }) => type === "result", { from: claude.rows.indexOf(boundary) });
    await claude.prompt("second");
    expect(bootsIn(last(model))).toEqual(["2"]);
    expect(readIn(last(model))).not.toContain(SECRET);
    expect(readIn(last(model))).toContain("- handover.md · 15 bytes");
  });

  it("changes nothing where a person stops its turn, and says so", async () => {
    await using model = await startMessagesModel({ steps: ["one", { hang: true }, "two"] });
    await using claude = await plugin.start(model);
    await claude.prompt("first");
    const turn = claude.prompt("/notesoup:empty-brain");
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(2);
    await claude.interrupt();
    await turn;
    await claude.waitFor((row) => row["subtype"] === "ui_log" && String(row["text"]).includes("was not emptied"));
    await claude.prompt("second");
    expect(bootsIn(last(model))).toEqual(["1"]);
    expect(readIn(last(model))).toContain("The request to empty this context window was taken back");
    expect(claude.rows.filter((row) => row["subtype"] === "compact_boundary")).toEqual([]);
  });

  it("changes nothing where its turn fails, and says so", async () => {
    await using model = await startMessagesModel({ steps: ["one", overloaded(), "two"] });
    await using claude = await plugin.start(model);
    await claude.prompt("first");
    await claude.prompt("/notesoup:empty-brain");
    await claude.waitFor((row) => row["subtype"] === "ui_log" && String(row["text"]).includes("was not emptied"));
    await claude.prompt("second");
    expect(bootsIn(last(model))).toEqual(["1"]);
  });
});

describe("what is left", () => {
  it("is said twice before the end of a window, each once, beside results", async () => {
    const at = (inputTokens: number): object => ({
      toolCalls: [call("get_context_remaining")],
      usage: { inputTokens },
    });
    await using model = await startMessagesModel({
      steps: [at(60_000), at(93_000), at(94_000), at(106_000), at(107_000), "done", at(108_000), "again"],
    });
    await using claude = await plugin.start(model, { env: SMALL });
    await claude.prompt("go");
    expect(model.requests.slice(1, 6).map((request) => textsOfResults(request).join())).toEqual([
      "57,000 tokens left",
      "24,000 tokens left",
      "23,000 tokens left",
      "11,000 tokens left",
      "10,000 tokens left",
    ]);
    const { session_id: id } = (await claude.prompt("more")).result;
    const reminders = (request: MessagesRequest | undefined): string[] =>
      request === undefined
        ? []
        : systemMessages(request).flatMap((text) => /Tokens left in this context window: [\d,]+/u.exec(text) ?? []);
    const both = ["Tokens left in this context window: 24,000", "Tokens left in this context window: 11,000"];
    expect(model.requests.map((request) => reminders(request).length)).toEqual([0, 0, 1, 1, 2, 2, 2, 2]);
    expect(reminders(last(model))).toEqual(both);
    await claude.close();

    // Continued, it has said them already.
    await using resumed = await startMessagesModel({ steps: [at(109_000), "done"] });
    await using again = await plugin.start(resumed, { args: ["--resume", id], env: SMALL });
    await again.prompt("go on");
    expect(reminders(last(resumed))).toEqual(both);
    expect(resumed.requests.map(bootsIn)).toEqual([["1"], ["1"]]);
  });
});

it("/notesoup:status says how things stand, and asks no model", async () => {
  await using model = await startMessagesModel({ steps: [{ text: "one", usage: { inputTokens: 67_000 } }] });
  await using claude = await plugin.start(model, { env: SMALL });
  await claude.prompt("first");
  const { result } = await claude.prompt("/notesoup:status");
  expect(result.result).toBe(
    `notesoup: window ${result.session_id}:1; 50,000 tokens left; at its end it is emptied, and the next one begins with the notes`,
  );
  expect(model.requests.length).toBe(1);
});
