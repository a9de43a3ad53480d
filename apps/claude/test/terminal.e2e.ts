import { join } from "node:path";
import { openTerminal, processesIn } from "@notesoup/host-claude";
import { type MessagesRequest, startMessagesModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { bootsIn, call, readIn } from "./calls.ts";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

it("a person at a terminal: a call, how things stand, an empty window, and an orderly end", async () => {
  await using model = await startMessagesModel({
    steps: [
      { toolCalls: [call("notes_write", { address: "@project/a.md", content: "x" })] },
      "the note is written",
      "nothing more to write",
      "in the new window",
    ],
  });
  await using claude = await openTerminal(plugin.sandbox, { env: plugin.env(model) });
  const type = async (line: string, shown: string): Promise<void> => {
    claude.press(line);
    await claude.shows(line);
    claude.press("\r");
    await claude.shows(shown);
  };
  await claude.shows("Claude Code");
  await type("remember this secret", "the note is written");
  await type("/notesoup:status", "tokens left; at its end it is emptied");
  await type("/notesoup:empty-brain", "Conversation compacted");
  await claude.shows("The context window before this one was emptied");
  await type("and now", "in the new window");
  const last: MessagesRequest | undefined = model.requests.at(-1);
  expect(bootsIn(last)).toEqual(["2"]);
  expect(readIn(last)).not.toContain("remember this secret");
  expect(model.problems).toEqual([]);
  claude.press("/exit");
  await claude.shows("/exit");
  claude.press("\r");
  expect(await claude.ended()).toBe(0);
  await expect.poll(() => processesIn(plugin.sandbox), { timeout: 10_000 }).toEqual([]);
});

it("a person whose Claude Code finds no Node is told so at once", async () => {
  await using model = await startMessagesModel({ steps: [] });
  const PATH = join(plugin.sandbox.root, "nothing-here");
  await using claude = await openTerminal(plugin.sandbox, { env: { ...plugin.env(model), PATH } });
  const line = "notesoup: there is no node on the PATH of Claude Code";
  await claude.shows(line);
  expect(claude.text.split(line).length).toBe(2);
});

it("no helper is left where the window of the terminal is closed", async () => {
  await using model = await startMessagesModel({ steps: [{ toolCalls: [call("notes_list")] }, "listed"] });
  await using claude = await openTerminal(plugin.sandbox, { env: plugin.env(model) });
  await claude.shows("Claude Code");
  claude.press("go");
  await claude.shows("go");
  claude.press("\r");
  await claude.shows("listed");
  await claude.kill("SIGHUP");
  await expect.poll(() => processesIn(plugin.sandbox), { timeout: 10_000 }).toEqual([]);
});
