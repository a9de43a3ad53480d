import { expect, test } from "claude-code/testing";
import { standFor } from "./standing-host.ts";

const batch = { tool_calls: [] };

test("each line is said once a window, beside results", async ($, on) => {
  const host = { helper: () => null, tokens: 150_000 };
  standFor(on, host);
  const said = async (): Promise<readonly string[]> =>
    (await $.classic.PostToolBatch(batch)).additionalContext?.map((text) => text.slice(0, 47)) ?? [];
  expect(await said()).toEqual(["Tokens left in this context window: 17,000. Whe"]);
  expect(await said()).toEqual([]);
  host.tokens = 160_000;
  expect(await said()).toEqual(["Tokens left in this context window: 7,000. This"]);
  expect(await said()).toEqual([]);
});

test("a single figure of more than twice the one before is not believed", async ($, on) => {
  const host = { helper: () => null, tokens: 60_000 };
  standFor(on, host);
  const left = async (): Promise<unknown> =>
    (await $.tool.call({ tool: "mcp__notesoup__get_context_remaining" }))["result"];
  expect(await left()).toBe("107,000 tokens left");
  host.tokens = 165_000;
  expect(await left()).toBe("107,000 tokens left");
  // Read again it is the same figure; another one that agrees confirms it.
  expect(await left()).toBe("107,000 tokens left");
  host.tokens = 166_000;
  expect(await left()).toBe("1,000 tokens left");
});

test("nothing is said while there is room", async ($, on) => {
  standFor(on, { helper: () => null, tokens: 20_000 });
  expect((await $.classic.PostToolBatch(batch)).additionalContext).toBeUndefined();
});

test("a subagent is not reminded of its session's window", async ($, on) => {
  standFor(on, { helper: () => null, tokens: 165_000 });
  expect(
    (await $.classic.PostToolBatch({ ...batch, agent_id: "a1", agent_type: "Explore" })).additionalContext,
  ).toBeUndefined();
});

test(
  "a margin of 0 is never said",
  { options: { reminderMarginTokens: 0, lastWordMarginTokens: 0 } },
  async ($, on) => {
    standFor(on, { helper: () => null, tokens: 165_000 });
    expect((await $.classic.PostToolBatch(batch)).additionalContext).toBeUndefined();
  },
);

test("a person is told how things stand, and the model is not asked", async ($, on) => {
  standFor(on, { helper: () => null, tokens: 100_000 });
  expect((await $.command.run({ command: "notesoup:status", args: "" })).text).toBe(
    "window s1:1; 67,000 tokens left; at its end it is emptied, and the next one begins with the notes",
  );
});
