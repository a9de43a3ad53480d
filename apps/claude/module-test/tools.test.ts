import { expect, test } from "claude-code/testing";
import { outcome, standFor } from "./standing-host.ts";

test("a success is its text, and carries no mark", async ($, on) => {
  const data = { address: "a.md", outcome: "created", bytes: 2, updated_at: "2026-11-30T09:00:00.000Z" };
  standFor(on, { helper: () => outcome({ ok: true, data }) });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_write", address: "a.md", content: "hi" });
  expect(answer["result"]).toBe("created a.md · 2 bytes");
  expect("isError" in answer).toBe(false);
});

test("a refusal is its text, and an error", async ($, on) => {
  standFor(on, { helper: () => outcome({ ok: false, error: { code: "not_found", message: "there is no note" } }) });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_read", address: "a.md" });
  expect(answer["result"]).toBe("error: not_found: there is no note");
  expect(answer["isError"]).toBe(true);
});

test("a failure of the helper is its line, and an error", async ($, on) => {
  standFor(on, { helper: () => ({ kind: "failure", line: "error: invalid_arguments: notes_read: …" }) });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_read" });
  expect(answer["result"]).toBe("error: invalid_arguments: notes_read: …");
  expect(answer["isError"]).toBe(true);
});

test("the helper is told of the session by the host: its root, and not where its shell is", async ($, on) => {
  const requests = standFor(on, { helper: () => outcome({ ok: false, error: { code: "io", message: "" } }) });
  await $.tool.call({ tool: "mcp__notesoup__notes_list", glob: "**" });
  expect(requests).toEqual([
    {
      kind: "call",
      tool: "notes_list",
      args: { glob: "**" },
      session: {
        sessionId: "s1",
        baseCwd: "/project",
        model: "some-model",
        transcriptPath: "/transcripts/s1.jsonl",
        head: "row-1",
        notesHome: null,
        agent: null,
      },
    },
  ]);
});

test("what a person has set goes to the helper", { options: { notesHome: "/notes", agent: "Ada" } }, async ($, on) => {
  const requests = standFor(on, { helper: () => outcome({ ok: false, error: { code: "io", message: "" } }) });
  await $.tool.call({ tool: "mcp__notesoup__notes_list" });
  const session = requests[0]?.["session"] as Record<string, unknown>;
  expect([session["notesHome"], session["agent"]]).toEqual(["/notes", "Ada"]);
});

test("a helper that fails is an error, with what it has said of it", async ($, on) => {
  const crash = "node:internal/x:1\n\nTypeError [CODE]: it is broken\n    at here\n\nNode.js v24.0.0\n";
  standFor(on, { helper: () => null, crash });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_list" });
  expect(answer["result"]).toBe(
    "error: helper_failed: the helper of notesoup ended with 1: TypeError [CODE]: it is broken",
  );
});

test("what is left is told by the module itself", async ($, on) => {
  const requests = standFor(on, { helper: () => null, tokens: 100_000 });
  const answer = await $.tool.call({ tool: "mcp__notesoup__get_context_remaining" });
  expect(answer["result"]).toBe("67,000 tokens left");
  expect(requests).toEqual([]);
});

test("where nobody knows what is left, it says so", async ($, on) => {
  standFor(on, { helper: () => null });
  const answer = await $.tool.call({ tool: "mcp__notesoup__get_context_remaining" });
  expect(answer["result"]).toBe("unknown");
});

const done = (text: string): object => {
  const data = { address: "a.md", applied: 0, change: "none", crumpled: false, updated_at: text };
  return outcome({ ok: true, data });
};

/** The first helper dies of every call; the next one does not. */
function dyingHelper(): (request: object, helper: number) => object {
  return (_request, helper) => {
    if (helper === 1) throw new Error("socket hang up");
    return outcome({ ok: false, error: { code: "io", message: "answered by the next one" } });
  };
}

test("the helper that stays is asked where it listens", async ($, on) => {
  const requests = standFor(on, { helper: () => null, stays: () => done("2026-11-30T09:00:00.000Z") });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_update", address: "a.md", crumpled: false });
  expect(answer["result"]).toBe("unchanged a.md");
  expect(requests).toEqual([]);
});

test("a change that the helper may have made or not is not made again, and the next call works", async ($, on) => {
  standFor(on, { helper: () => null, stays: dyingHelper() });
  const update = { tool: "mcp__notesoup__notes_update", address: "a.md", crumpled: true };
  const first = await $.tool.call(update);
  expect(String(first["result"])).toContain("error: helper_ended: ");
  expect(first["isError"]).toBe(true);
  expect((await $.tool.call(update))["result"]).toBe("error: io: answered by the next one");
});

test("what changes nothing is done again where the helper has died of it", async ($, on) => {
  const again = outcome({ ok: false, error: { code: "not_found", message: "asked again" } });
  standFor(on, { helper: () => again, stays: dyingHelper() });
  const answer = await $.tool.call({ tool: "mcp__notesoup__notes_read", address: "a.md" });
  expect(answer["result"]).toBe("error: not_found: asked again");
});

test("the row of a refusal is kept as an error, and that of a success as it is", async ($, on) => {
  standFor(on, { helper: () => outcome({ ok: false, error: { code: "not_found", message: "none" } }) });
  await $.tool.call({ tool: "mcp__notesoup__notes_read", address: "a.md", tool_use_id: "refused" });
  const block = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "text" });
  const row = {
    door: "tool-result",
    origin: { kind: "tool" },
    uuid: "u1",
    message: { type: "user", role: "user", content: [block("refused"), block("other")] },
  };
  expect((await $.session.append(row)).message.content).toEqual([
    { ...block("refused"), is_error: true },
    block("other"),
  ]);
});

test("a call is allowed where nobody has forbidden it", async ($, on) => {
  standFor(on, { helper: () => outcome({ ok: false, error: { code: "io", message: "ran" } }) });
  on("tool.check", () => ({ decision: "ask" }));
  expect((await $.tool.call({ tool: "mcp__notesoup__notes_list" }))["result"]).toBe("error: io: ran");
});

test("what a person has forbidden stays forbidden", async ($, on) => {
  standFor(on, { helper: () => outcome({ ok: false, error: { code: "io", message: "ran" } }) });
  on("tool.check", () => ({ decision: "deny", reason: "a rule says so" }));
  expect((await $.tool.call({ tool: "mcp__notesoup__notes_list" }))["result"]).not.toBe("error: io: ran");
});
