import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Conversation, readTranscripts, type Transcript } from "@notesoup/host-claude";
import { type MessagesRequest, type ScriptedModel, startMessagesModel, type Step } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bash, call, textsOfResults, WITH_SHELL } from "./calls.ts";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

const FIXTURES = fileURLToPath(new URL("../../../packages/history/test/fixtures/", import.meta.url));

/** A turn that lists what people have said, and one that ends it. */
const lookingBack = (): readonly Step<MessagesRequest>[] => [
  { toolCalls: [call("history_list", { roles: ["user"] })] },
  "listed",
];

/** The texts of what the last call has listed, in its order. */
function listed(model: ScriptedModel<MessagesRequest>): string[] {
  return textsOfResults(model.requests.at(-1))
    .join("\n")
    .split("\n")
    .flatMap((line) => /^ {2}(?<text>.*)$/u.exec(line)?.groups?.["text"] ?? []);
}

async function transcriptOf(id: string): Promise<Transcript> {
  const found = (await readTranscripts(plugin.sandbox)).find(({ sessionId }) => sessionId === id);
  if (found === undefined) throw new Error(`there is no transcript of ${id}`);
  return found;
}

const idOf = (claude: Conversation): string =>
  String(claude.rows.findLast(({ type }) => type === "result")?.["session_id"]);

describe("the live session", () => {
  it("has the call itself in it, pending, and what was done in the same message before it", async () => {
    await using model = await startMessagesModel({
      steps: [
        {
          toolCalls: [
            call("notes_write", { address: "a.md", content: "x" }),
            call("history_list", { roles: ["tool"] }),
            call("history_list", { roles: ["tool"] }),
          ],
        },
        "done",
      ],
    });
    await using claude = await plugin.start(model);
    await claude.prompt("go");
    const [, first = "", second = ""] = textsOfResults(model.requests[1]);
    const statusOf = (text: string): string[] =>
      Array.from(
        text.matchAll(/^seq \d+ \| tool \| \S+ \| mcp__notesoup__(?<call>\w+ \w+)/gmu),
        (match) => match[1] ?? "",
      );
    expect(statusOf(first)).toEqual(["notes_write ok", "history_list pending", "history_list pending"]);
    expect(statusOf(second)).toEqual(["notes_write ok", "history_list ok", "history_list pending"]);
  });

  it("has the seqs of its file", async () => {
    await using model = await startMessagesModel({
      steps: [
        { text: "I look", toolCalls: [bash("echo one"), bash("echo two")] },
        { toolCalls: [call("history_list", { limit: 200, query: "echo" })] },
        (request) => {
          const id = /session (?<id>[0-9a-f-]{36}) /u.exec(JSON.stringify(request.messages))?.groups?.["id"];
          return { toolCalls: [call("history_list", { limit: 200, query: "echo", session: `claude:${id}` })] };
        },
        "done",
      ],
    });
    await using claude = await plugin.start(model, { args: WITH_SHELL });
    await claude.prompt("go");
    const seqs = (text: string): string[] =>
      Array.from(text.matchAll(/\bseq (?<seq>\d+) \| (?:tool|user)/gu), (match) => match[1] ?? "");
    const [live = "", filed = ""] = model.requests.slice(2).map((request) => textsOfResults(request).join());
    expect(seqs(live).length).toBeGreaterThanOrEqual(2);
    expect(seqs(filed)).toEqual(expect.arrayContaining(seqs(live)));
  });

  it("goes on where it is continued, and is a session of its own where it is forked", async () => {
    await using model = await startMessagesModel({ steps: ["one"] });
    await using first = await plugin.start(model);
    await first.prompt("said first");
    const id = idOf(first);
    await first.close();

    await using resumedModel = await startMessagesModel({ steps: lookingBack() });
    await using resumed = await plugin.start(resumedModel, { args: ["--resume", id] });
    await resumed.prompt("said in the continued one");
    expect(listed(resumedModel)).toEqual(["said first", "said in the continued one"]);
    await resumed.close();

    await using forkedModel = await startMessagesModel({ steps: lookingBack() });
    await using forked = await plugin.start(forkedModel, { args: ["--resume", id, "--fork-session"] });
    await forked.prompt("said in the fork");
    expect(idOf(forked)).not.toBe(id);
    expect(listed(forkedModel)).toEqual(["said first", "said in the continued one", "said in the fork"]);
  });

  it("is the branch that is active, where a person has gone back", async () => {
    await using model = await startMessagesModel({ steps: ["one", "two"] });
    await using first = await plugin.start(model);
    await first.prompt("kept");
    await first.prompt("left");
    const { rows } = await transcriptOf(idOf(first));
    const answer = rows.find((row) => row.type === "assistant");
    await first.close();
    await using again = await startMessagesModel({ steps: lookingBack() });
    const args = ["--resume", idOf(first), "--resume-session-at", String(answer?.["uuid"])];
    await using back = await plugin.start(again, { args });
    await back.prompt("another way");
    expect(listed(again)).toEqual(["kept", "another way"]);
  });

  it("whose transcript has vanished is refused with a code, and the session goes on", async () => {
    await using model = await startMessagesModel({
      steps: [
        "one",
        async () => {
          const { path } = await transcriptOf(idOf(claude));
          rmSync(path);
          // Else the host would begin another one there.
          mkdirSync(path);
          return { toolCalls: [call("history_list"), call("notes_list")] };
        },
        "done",
      ],
    });
    const claude = await plugin.start(model);
    try {
      await claude.prompt("first");
      const { result } = await claude.prompt("second");
      expect(result.result).toBe("done");
      expect(textsOfResults(model.requests.at(-1))).toEqual([
        expect.stringMatching(/^! error: session_unreadable: the transcript of this session is not there any more/u),
        "no notes found",
      ]);
    } finally {
      await claude[Symbol.asyncDispose]();
    }
  });

  it("that keeps no transcript has no history, and others are there", async () => {
    await using model = await startMessagesModel({
      steps: [{ toolCalls: [call("history_list"), call("history_list", { session: "*", limit: 1 })] }, "done"],
    });
    await using claude = await plugin.start(model, { args: ["--no-session-persistence"] });
    await claude.prompt("go");
    const [own = "", all = ""] = textsOfResults(model.requests[1]);
    expect(own).toMatch(/^! error: session_(not_found|unreadable): /u);
    expect(all).toMatch(/^session claude:/u);
  });
});

describe("other sessions", () => {
  it("of Claude Code, Pi and dsh are found, each in its own place", async () => {
    const { home } = plugin.sandbox;
    const places = {
      "dsh/headless-plain-uncompressed.jsonl": ".dsh/sessions/--project--/plain001-cccc/session.jsonl",
      "pi/session-tree-bash-branch-compaction.jsonl":
        ".pi/agent/sessions/--project--/2026-11-30T12-00-00-000Z_01a22d64-b699-720f-bcb7-f9bf943aab73.jsonl",
    };
    for (const [from, to] of Object.entries(places)) {
      mkdirSync(dirname(join(home, to)), { recursive: true });
      cpSync(join(FIXTURES, from), join(home, to));
    }
    await using model = await startMessagesModel({ steps: ["one"] });
    await using before = await plugin.start(model);
    await before.prompt("a word that stands nowhere else: zanzibar");
    await before.close();

    await using lookup = await startMessagesModel({
      steps: [
        { toolCalls: [call("history_list", { session: "claude:*", query: "zanzibar", roles: ["user"] })] },
        { toolCalls: [call("history_list", { session: "dsh:*", limit: 5 })] },
        { toolCalls: [call("history_list", { session: "pi:*", limit: 5 })] },
        { toolCalls: [call("history_read", { session: idOf(before).slice(0, 8), seq: 0 })] },
        "done",
      ],
    });
    await using claude = await plugin.start(lookup);
    await claude.prompt("look");
    const [found = "", ofDsh = "", ofPi = "", read = ""] = lookup.requests
      .slice(1)
      .map((request) => textsOfResults(request).join());
    expect(found).toContain(`session claude:${idOf(before)} | seq 0 | user | `);
    expect(ofDsh).toMatch(/^session dsh:plain001-cccc \| /u);
    expect(ofPi).toMatch(/^session pi:01a22d64-b699-720f-bcb7-f9bf943aab73 \| /u);
    expect(read).toMatch(/zanzibar$/u);
  });
});
