import { createPiSandbox, printPi, readSessions, type RpcRecord, startPiRpc } from "@notesoup/host-pi";
import { type AnswerStep, startScriptedModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { outline } from "./boots.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

/** What Pi was asked to show, in its order: who shows it, and what. */
const shown = (events: readonly RpcRecord[], method: string, field: string): unknown[] =>
  events.flatMap((event) =>
    event.type === "extension_ui_request" && event["method"] === method ? [event[field]] : [],
  );

const done = (tokens: number): AnswerStep => ({ text: "Done.", usage: { inputTokens: tokens, outputTokens: 0 } });

/** A turn of tools in a window of which little is left. */
const full: AnswerStep = {
  toolCalls: [{ name: "get_context_remaining", args: {} }],
  usage: { inputTokens: 90_000, outputTokens: 0 },
};

it("say and switch in RPC mode; the footer follows, and a widget shows it to who has asked for one", async () => {
  await using model = await startScriptedModel({ steps: [done(10_000), done(10_000)] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  await using widgeted = await createPiSandbox({ modelUrl: model.url, settings: { notesoup: { widget: true } } });
  const rpc = await startPiRpc(sandbox, { args: extension.args() });
  await rpc.prompt("Go.");
  const { data } = await rpc.send({ type: "get_state" });
  const window = `window ${String(data?.["sessionId"])}:1`;
  const said: unknown[] = [];
  for (const words of ["", " status", " off", " on", " onn", " on off"])
    said.push(...shown((await rpc.prompt(`/notesoup${words}`)).events, "notify", "message"));
  const { data: listed } = await rpc.send({ type: "get_commands" });
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
  expect(said).toEqual([
    `notesoup is on; ${window}; 101,616 tokens left`,
    `notesoup is on; ${window}; 101,616 tokens left`,
    `notesoup is off; ${window}; 101,616 tokens left`,
    `notesoup is on; ${window}; 101,616 tokens left`,
    'notesoup: "onn" is not known; say on, off, status',
    'notesoup: "on off" is not known; say on, off, status',
  ]);
  const footers = shown(rpc.events, "setStatus", "statusText");
  expect(footers.filter((text, index) => text !== footers[index - 1])).toEqual([
    "notesoup · tokens left: unknown",
    "notesoup · 101,616 tokens left",
    "notesoup · off",
    "notesoup · 101,616 tokens left",
  ]);
  expect(new Set(shown(rpc.events, "setStatus", "statusKey"))).toEqual(new Set(["notesoup"]));
  expect(shown(rpc.events, "setWidget", "widgetLines")).toEqual([]);
  expect(listed?.["commands"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "notesoup" }),
      expect.objectContaining({ name: "empty-brain" }),
    ]),
  );

  const other = await startPiRpc(widgeted, { args: extension.args() });
  await other.prompt("Go.");
  expect({ code: await other.close(), stderr: other.stderr }).toEqual({ code: 0, stderr: "" });
  expect(shown(other.events, "setWidget", "widgetLines").at(-1)).toEqual(["notesoup · 101,616 tokens left"]);
});

it("say on standard error in print mode, and what is switched stays so when the session goes on", async () => {
  await using model = await startScriptedModel({ steps: [full, done(90_000), full, done(90_000), full, done(90_000)] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: { notesoup: { enabled: false } } });
  const run = (...prompts: string[]): ReturnType<typeof printPi> =>
    printPi(sandbox, prompts, { args: [...extension.args(), "--continue"] });
  const first = await run("/notesoup status", "/notesoup what", "One.");
  const [session] = await readSessions(sandbox);
  const window = `window ${session?.header.id}:1`;
  expect(first).toEqual({
    code: 0,
    signal: null,
    stdout: "Done.\n",
    stderr: `notesoup is off; ${window}; tokens left: unknown\nnotesoup: "what" is not known; say on, off, status\n`,
  });
  const second = await run("/notesoup on", "Two.");
  expect(second).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(second.stderr).toMatch(/^notesoup is on; window \S+:1; 21,616 tokens left\n$/u);
  const third = await run("/notesoup off", "Three.");
  expect(third.stderr).toMatch(/^notesoup is off; /u);
  const refused = await run("/empty-brain");
  expect(refused.stderr).toBe("notesoup is off in this session; /notesoup on switches it on\n");
  expect(model.problems).toEqual([]);

  const reminder = expect.stringMatching(/^Tokens left in this context window: /u);
  const before = ["system", "One.", "assistant", "tool", "assistant", "boot", reminder, "Two.", "assistant", "tool"];
  expect(model.requests.map(outline)).toEqual([
    before.slice(0, 2),
    before.slice(0, 4),
    before.slice(0, 8),
    before,
    [...before, "assistant", "Three."],
    [...before, "assistant", "Three.", "assistant", "tool"],
  ]);
});

it("in print mode switch nothing where nothing is said: Pi does not keep such a session, and that is told", async () => {
  await using model = await startScriptedModel({ steps: ["Done.", "Done."] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const run = (...prompts: string[]): ReturnType<typeof printPi> =>
    printPi(sandbox, prompts, { args: [...extension.args(), "--continue"] });
  const alone = await run("/notesoup off");
  expect(alone).toMatchObject({ code: 0, stdout: "" });
  expect(alone.stderr).toMatch(
    /^notesoup is off; window \S+:1; tokens left: unknown; Pi keeps this session, and that with it, once something is said in it\n$/u,
  );
  expect(await readSessions(sandbox)).toEqual([]);
  expect(await run("One.")).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
  const kept = await run("/notesoup off", "Two.");
  expect(kept.stderr).toMatch(/^notesoup is off; window \S+:1; [\d,]+ tokens left\n$/u);
  expect(model.requests.map(outline)).toEqual([
    ["system", "boot", "One."],
    ["system", "boot", "One.", "assistant", "Two."],
  ]);
});
