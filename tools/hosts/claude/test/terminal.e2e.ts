import { lastPrompt, startMessagesModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { createClaudeSandbox, openTerminal, processesIn, readTranscripts } from "../src/index.ts";

it("Claude Code on a terminal asks a new user nothing, answers, takes commands, and ends when it is told to", async () => {
  await using model = await startMessagesModel({ steps: ["The first answer.", "The second answer."] });
  await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
  await using terminal = await openTerminal(sandbox);
  await terminal.shows("\n$");
  await terminal.enter("Hello?");
  await terminal.shows("claude: The first answer.");
  await terminal.enter("/clear");
  await terminal.shows("you: /clear");
  await terminal.enter("And again?");
  await terminal.shows("claude: The second answer.");
  await terminal.enter("/exit");
  expect(await terminal.ended()).toBe(0);
  expect(model.problems).toEqual([]);
  expect(model.requests.map(lastPrompt)).toEqual(["Hello?", "And again?"]);
  expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("The first answer.");
  expect(await readTranscripts(sandbox)).toHaveLength(2);
  expect(await processesIn(sandbox)).toEqual([]);
});

it("Claude Code ends when its terminal is closed in the middle of an answer", async () => {
  await using model = await startMessagesModel({ steps: [{ hang: true }] });
  await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
  await using terminal = await openTerminal(sandbox);
  await terminal.shows("\n$");
  await terminal.enter("Hang.");
  await terminal.shows("you: Hang.");
  await terminal.kill();
  expect(await processesIn(sandbox)).toEqual([]);
  expect(model.problems).toEqual([]);
});
