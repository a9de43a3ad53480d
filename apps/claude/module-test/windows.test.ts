import { expect, test } from "claude-code/testing";
import { standFor } from "./standing-host.ts";

const boot = (windows: number): object => ({
  kind: "boot",
  text: `# Memory of window ${windows}`,
  windowId: `s1:${windows}`,
  lastPromptSeq: 7,
});

/** A helper whose every boot is that of another window. */
function countingHelper(): () => object {
  let windows = 0;
  return () => boot(++windows);
}

const message = { role: "user", text: "said before", toolUses: [] };

test("a window begins with its boot, made once", async ($, on) => {
  const requests = standFor(on, { helper: countingHelper() });
  on("prompt.context", (_$: unknown, event: object) => event);
  const first = await $.prompt.context({ blocks: [{ name: "currentDate", text: "today" }] });
  expect(first.blocks).toEqual([
    { name: "currentDate", text: "today" },
    { name: "notesoup", text: "# Memory of window 1" },
  ]);
  expect((await $.prompt.context({ blocks: [] })).blocks).toEqual([{ name: "notesoup", text: "# Memory of window 1" }]);
  expect(requests.length).toBe(1);
});

test("a window for which no boot can be made begins without", async ($, on) => {
  standFor(on, { helper: () => ({ kind: "failure", line: "error: invalid_home: …" }) });
  on("prompt.context", (_$: unknown, event: object) => event);
  expect((await $.prompt.context({ blocks: [] })).blocks).toEqual([]);
});

test("a compaction leaves nothing of what was said, and the window behind it has a boot of its own", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  on("prompt.context", (_$: unknown, event: object) => event);
  await $.prompt.context({ blocks: [] });
  const compacted = await $.session.compact({ trigger: "manual", messages: [message] });
  expect(compacted["messages"]).toEqual([
    {
      role: "user",
      text: "The context window before this one was emptied; what was said in it is in the history.",
      toolUses: [],
    },
  ]);
  expect((await $.prompt.context({ blocks: [] })).blocks).toEqual([{ name: "notesoup", text: "# Memory of window 2" }]);
});

test("one in the middle of work says where the task is", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  const results = { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "t", text: "r" }] };
  const { messages } = await $.session.compact({ trigger: "auto", messages: [message, results] });
  const [first, ...others] = messages as { text: string }[];
  expect(first?.text).toContain('mcp__notesoup__history_read {"seq":7}');
  expect(others).toEqual([]);
});

test("what was said and not answered yet is said in the new window", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  const unanswered = { role: "user", text: "please", toolUses: [], handle: "h2" };
  const { messages } = await $.session.compact({ trigger: "auto", messages: [message, unanswered] });
  expect((messages as object[]).slice(1)).toEqual([unanswered]);
});

test("what a person says with a compaction goes into the new window", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  const { messages } = await $.session.compact({
    trigger: "manual",
    instructions: " the parser ",
    messages: [message],
  });
  expect((messages as { text: string }[])[0]?.text).toContain("A person said when it was emptied: the parser");
});

test("a subagent's compaction is the host's", async ($, on) => {
  const requests = standFor(on, { helper: countingHelper() });
  on("session.compact", () => ({ messages: [message] }));
  const compacted = await $.session.compact({ trigger: "auto", agentId: "a1", messages: [message] });
  expect(compacted["messages"]).toEqual([message]);
  expect(requests).toEqual([]);
});

test("nothing is computed ahead for a summary that is never used", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  const compacted = await $.session.compact({ trigger: "precompute", messages: [message] });
  expect(compacted["skip"]).toBe("notesoup begins the next window without a summary");
});

test("where the boot cannot be made, the host sums up", async ($, on) => {
  standFor(on, { helper: () => ({ kind: "failure", line: "error: internal: …" }) });
  on("ui.log", () => ({ value: undefined }));
  on("session.compact", () => ({ messages: [message] }));
  const compacted = await $.session.compact({ trigger: "manual", messages: [message] });
  expect(compacted["messages"]).toEqual([message]);
});

test("with autoReset off, the host sums up", { options: { autoReset: false } }, async ($, on) => {
  standFor(on, { helper: countingHelper() });
  on("session.compact", () => ({ messages: [message] }));
  expect((await $.session.compact({ trigger: "auto", messages: [message] }))["messages"]).toEqual([message]);
});

test("a subagent is not told what its session began with", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  on("prompt.context", (_$: unknown, event: object) => event);
  on("prompt.attachment", (_$: unknown, event: { text: string }) => ({ text: event.text }));
  await $.prompt.context({ blocks: [] });
  const alone = "# notesoup\n# Memory of window 1\n\nThis is ambient context.";
  const raise = (text: string, agentId?: string): Promise<{ readonly text: string | null }> =>
    $.prompt.attachment({ type: "context_sections", text, origin: { kind: "engine" }, ...(agentId && { agentId }) });
  expect(await raise(alone)).toEqual({ text: alone });
  expect(await raise(alone, "a1")).toEqual({ text: null });
  expect(await raise(`# other\nwords\n\n${alone}`, "a1")).toEqual({
    text: "# other\nwords\n\n\n\nThis is ambient context.",
  });
});

test("behind a compaction in the middle of a turn, the boot of that turn gives way to the window's", async ($, on) => {
  standFor(on, { helper: countingHelper() });
  on("prompt.context", (_$: unknown, event: object) => event);
  on("prompt.attachment", (_$: unknown, event: { text: string }) => ({ text: event.text }));
  await $.prompt.context({ blocks: [] });
  await $.session.compact({ trigger: "auto", messages: [message] });
  const stale = { type: "context_sections", text: "# notesoup\n# Memory of window 1", origin: { kind: "engine" } };
  expect(await $.prompt.attachment(stale)).toEqual({ text: "# notesoup\n# Memory of window 2" });
});
