import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPiSandbox, printPi, startPiRpc } from "@notesoup/host-pi";
import { startScriptedModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";
import { notified } from "./reset-play.ts";

const extension = packedExtension();

const DRIVER = ["-e", fileURLToPath(new URL("session-driver.ts", import.meta.url))];

it("that cannot be used are named without a character that steers the terminal, be they keys or values", async () => {
  await using model = await startScriptedModel({ steps: ["Done."] });
  const key = "\u001b[2J\r\n\u0007\u202ewidget";
  await using sandbox = await createPiSandbox({
    modelUrl: model.url,
    settings: { notesoup: { [key]: true, agent: "\u001b\u202e\u0085" } },
  });
  const { code, stderr } = await printPi(sandbox, "Go.", { args: extension.args() });
  expect(code).toBe(0);
  // oxlint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
  const [first, ...others] = stderr.trimEnd().split("\n");
  expect(first).toBe(
    "notesoup: the setting notesoup.\\u001b[2J\\u000d\\u000a\\u0007\\u202ewidget was ignored: is not a setting; known: agent, enabled, reminderMarginTokens, lastWordMarginTokens, autoReset, widget",
  );
  expect(others).toEqual([
    'notesoup: the setting notesoup.agent was ignored: "\\u001b\\u202e\\u0085" has no letter of a-z and no digit to make a name of',
  ]);
});

it("that cannot be used are named once in a session as long as Pi runs, however often extensions are loaded anew", async () => {
  await using model = await startScriptedModel({ steps: ["Done."] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: { notesoup: { widget: "yes" } } });
  await using rpc = await startPiRpc(sandbox, { args: [...DRIVER, ...extension.args()] });
  const widget =
    "notesoup: the setting notesoup.widget was ignored: expected true or false, found a value of type string";
  const told = async (does: () => Promise<unknown>): Promise<string[]> => {
    const from = rpc.events.length;
    await does();
    return notified(rpc.events.slice(from));
  };
  await rpc.prompt("Go.");
  expect(notified(rpc.events)).toEqual([widget]);
  expect(await told(() => rpc.prompt("/again"))).toEqual([]);
  expect(await told(() => rpc.prompt("/again"))).toEqual([]);
  const { data } = await rpc.send({ type: "get_state" });
  expect(await told(() => rpc.send({ type: "new_session" }))).toEqual([widget]);
  expect(await told(() => rpc.send({ type: "switch_session", sessionPath: data?.["sessionFile"] }))).toEqual([]);
  // What is wrong only now is said.
  const settings = {
    defaultProvider: "scripted",
    defaultModel: "scripted-model",
    notesoup: { widget: "yes", autoReset: 1 },
  };
  writeFileSync(join(sandbox.agentDir, "settings.json"), JSON.stringify(settings));
  expect(await told(() => rpc.prompt("/again"))).toEqual([
    "notesoup: the setting notesoup.autoReset was ignored: expected true or false, found 1",
  ]);
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
});
