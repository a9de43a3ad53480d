import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPiSandbox, installPi, type PiRpc, printPi, readSessions, startPiRpc } from "@notesoup/host-pi";
import { projectKey } from "@notesoup/notes";
import { startScriptedModel } from "@notesoup/scripted-model";
import { expect, it, onTestFinished } from "vitest";
import { bootsIn, messagesOf, outline } from "./boots.ts";
import { noteIn, write } from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";
import { BROKEN } from "./session-driver.ts";

const extension = packedExtension();

const DRIVER = ["-e", fileURLToPath(new URL("session-driver.ts", import.meta.url))];

const DONE = { code: 0, signal: null, stdout: "Done.\n", stderr: "" };

/** Ends Pi, of which nothing is wrong. */
async function closed(rpc: PiRpc): Promise<void> {
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
}

it("stands hidden at the head of the first window, before all that is said, and is not made again where the session goes on", async () => {
  await using model = await startScriptedModel({ steps: ["Done.", "Done.", "Done."] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  expect(await printPi(sandbox, "One.", { args: extension.args() })).toEqual(DONE);
  expect(await printPi(sandbox, "Two.", { args: [...extension.args(), "--continue"] })).toEqual(DONE);
  const [session] = await readSessions(sandbox);
  const id = session?.header.id ?? "";
  expect(messagesOf(session, "notesoup-boot")).toEqual([{ display: false, session: id, window: `${id}:1` }]);
  expect(await printPi(sandbox, "Three.", { args: [...extension.args(), "--fork", id] })).toEqual(DONE);

  expect(model.requests.map(outline)).toEqual([
    ["system", "boot", "One."],
    ["system", "boot", "One.", "assistant", "Two."],
    // What a fork was copied from had a boot of its own, which names another session.
    ["system", "boot", "One.", "assistant", "Two.", "assistant", "boot", "Three."],
  ]);
  const [first, second] = model.requests;
  expect(second?.messages.slice(0, 3)).toEqual(first?.messages);
  const forked = (await readSessions(sandbox)).at(-1);
  const [boot] = bootsIn(first);
  expect(boot).toContain(
    `session ${id} · window ${id}:1 · project ${projectKey(sandbox.cwd)} · agent pi · model scripted-model`,
  );
  expect(boot).toContain("get_context_remaining");
  expect(boot).toContain("empty_brain");
  expect(bootsIn(model.requests[2])[1]).toContain(`session ${forked?.header.id} · `);
});

it("is made once in every session of a running Pi: a new one, a resumed, a forked and a cloned one, and not again by a reload", async () => {
  await using model = await startScriptedModel({ steps: Array.from({ length: 6 }, () => "Done.") });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const rpc = await startPiRpc(sandbox, { args: [...DRIVER, ...extension.args()] });
  await rpc.prompt("One.");
  const sessionPath = (await rpc.send({ type: "get_state" })).data?.["sessionFile"];
  await rpc.send({ type: "new_session" });
  await rpc.prompt("New.");
  await rpc.send({ type: "switch_session", sessionPath });
  await rpc.prompt("Two.");
  await rpc.prompt("/again");
  await rpc.prompt("Three.");
  const { data } = await rpc.send({ type: "get_fork_messages" });
  const said = data?.["messages"] as readonly { readonly entryId: string; readonly text: string }[];
  await rpc.send({ type: "fork", entryId: said.find(({ text }) => text === "Two.")?.entryId });
  await rpc.prompt("Forked.");
  await rpc.send({ type: "clone" });
  await rpc.prompt("Cloned.");
  await closed(rpc);

  expect(model.problems).toEqual([]);
  expect(
    model.requests.map((request) => outline(request).filter((name) => !["system", "assistant"].includes(name))),
  ).toEqual([
    ["boot", "One."],
    ["boot", "New."],
    ["boot", "One.", "Two."],
    ["boot", "One.", "Two.", "Three."],
    ["boot", "One.", "boot", "Forked."],
    ["boot", "One.", "boot", "Forked.", "boot", "Cloned."],
  ]);
  const sessions = await readSessions(sandbox);
  expect(sessions).toHaveLength(4);
  for (const session of sessions) {
    const own = messagesOf(session, "notesoup-boot").filter(
      (boot) => "session" in boot && boot.session === session.header.id,
    );
    expect(own).toEqual([{ display: false, session: session.header.id, window: `${session.header.id}:1` }]);
  }
});

it.skipIf(!hasScript())("is not to be seen by a person at a terminal, and is there", async () => {
  await using model = await startScriptedModel({ steps: ["Done."] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const { cli } = await installPi();
  const command = [process.execPath, cli, ...extension.args(), "Hello."].map((word) => `'${word}'`).join(" ");
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
    cwd: sandbox.cwd,
    env: { ...sandbox.env, TERM: "xterm", COLUMNS: "120", LINES: "40", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void terminal.kill());
  let screen = "";
  for await (const text of terminal.stdout.setEncoding("utf8")) {
    screen += text;
    // Ctrl-D at an empty prompt is its orderly end.
    if (screen.includes("Done.") && screen.includes("tokens left")) terminal.stdin.write("\u0004");
  }
  if (terminal.exitCode === null) await once(terminal, "exit");
  expect(terminal.exitCode).toBe(0);
  expect(model.requests.map(outline)).toEqual([["system", "boot", "Hello."]]);
  expect(screen).toContain("notesoup · ");
  expect(screen).not.toContain("Your memory, as of");
});

/** Whether there is a program that gives another one a terminal. */
function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

it("tells what it leaves out of many notes, what is cut, what is unreadable and what is empty, in 16 KiB", async () => {
  await using model = await startScriptedModel({ steps: ["Done."] });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(sandbox.notesHome, path)), { recursive: true });
    writeFileSync(join(sandbox.notesHome, path), content);
  };
  for (let index = 0; index < 500; index++) put(`human/topic-${index}/what-was-decided.md`, `Decision ${index}.\n`);
  const project = `project/${projectKey(sandbox.cwd)}`;
  put(`${project}/MAP.md`, "The way to the rest.\n".repeat(2000));
  put(`${project}/broken.md`, Buffer.from([0xff, 0xfe, 0x00]));
  // One line, as a model may well write it.
  put("models/scripted-model/MAP.md", `What I have learned: ${"one thing after another; ".repeat(2000)}\n`);
  // A file where the notebook's folder should be.
  put("agents/pi", "");
  expect(await printPi(sandbox, "Hello.", { args: extension.args() })).toEqual(DONE);

  const [boot = ""] = bootsIn(model.requests[0]);
  expect(Buffer.byteLength(boot)).toBeLessThanOrEqual(16_384);
  const sections = new Map(boot.split(/^## /mu).map((section) => [section.split("(", 1)[0]?.trim(), section]));
  const human = sections.get("Human notes") ?? "";
  expect(human).toContain("(@human/) · 500 notes\n");
  const shown = human.match(/^- @human\/topic-\d+\/what-was-decided\.md · /gmu)?.length ?? 0;
  expect(shown).toBeGreaterThan(10);
  expect(human).toContain(`+${500 - shown} more notes; notes_list {"glob":"@human/**"}`);
  expect(sections.get("Project notes")).toMatch(/^[^\n]* · 1 note, 1 unreadable\n/u);
  expect(sections.get("Project notes")).toMatch(
    /\n\| The way to the rest\.\n\[cut: \d+ of 42000 bytes shown; notes_read \{"address":"@project\/MAP\.md","offset_chars":\d+\}\]\n/u,
  );
  expect(sections.get("Project notes")).toMatch(/\n- @project\/broken\.md · unreadable: \w+\n/u);
  expect(sections.get("Agent notes")).toMatch(/^Agent notes \(@self\/\) · unreadable: \w+\nIt could not be read/u);
  expect(sections.get("Session notes")).toMatch(/^Session notes \(todo\.md\) · empty\n/u);
  expect(sections.get("Model notes")).toMatch(
    /\n\| What I have learned: (?:one thing after another; ){50,}[^\n]*\n\[cut: \d{4} of 50022 bytes shown; notes_read \{"address":"@model\/MAP\.md","offset_chars":\d{4}\}\]\n/u,
  );
  expect(boot).not.toContain(sandbox.root);
});

it("that cannot be made stops a person's turn behind a reset, and in the first window only says so; mended, it is made", async () => {
  await using model = await startScriptedModel({
    steps: ["Done.", { toolCalls: [{ name: "empty_brain" }] }, "Done.", "Done."],
  });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const options = { args: [...DRIVER, ...extension.args()], env: { [BROKEN]: "1" } };
  const warning = expect.objectContaining({
    type: "extension_ui_request",
    method: "notify",
    notifyType: "warning",
    message:
      "notesoup: this window has no boot: the header is gone; mend that and speak again, or go on without by /notesoup off",
  });
  const first = await startPiRpc(sandbox, options);
  const { disposition, events } = await first.prompt("One.");
  expect(disposition).toBe("started");
  expect(events).toContainEqual(warning);
  await first.prompt("/mend");
  await first.prompt("Two.");
  await closed(first);

  // What a crash between the two leaves: the window has begun, and its boot is not there.
  const [session] = await readSessions(sandbox);
  const lines = readFileSync(session?.path ?? "", "utf8").split("\n");
  const marker = lines.findIndex((line) => line.includes('"type":"compaction"'));
  writeFileSync(session?.path ?? "", `${lines.slice(0, marker + 1).join("\n")}\n`);

  const second = await startPiRpc(sandbox, { ...options, args: [...options.args, "--continue"] });
  const stopped = await second.prompt("Three.");
  expect(stopped.disposition).toBe("handled");
  expect(stopped.events).toContainEqual(warning);
  await second.prompt("/mend");
  await second.prompt("Four.");
  await closed(second);
  expect(model.problems).toEqual([]);
  expect(model.requests.map((request) => outline(request).slice(-2))).toEqual([
    ["system", "One."],
    ["boot", "Two."],
    [expect.stringContaining("The context was emptied"), "boot"],
    ["boot", "Four."],
  ]);
});

it("stays as it is, with all that precedes it, when another model is chosen; later calls are about that model's notes", async () => {
  await using model = await startScriptedModel({
    steps: ["Done.", { toolCalls: [write({ address: "@model/a", content: "x" })] }, "Done."],
  });
  await using sandbox = await createPiSandbox({
    modelUrl: model.url,
    models: [{ id: "one-model" }, { id: "other-model" }],
  });
  const rpc = await startPiRpc(sandbox, { args: extension.args() });
  await rpc.prompt("One.");
  await rpc.send({ type: "set_model", provider: "scripted", modelId: "other-model" });
  await rpc.prompt("Two.");
  await closed(rpc);
  const [first, second] = model.requests;
  expect(second?.model).toBe("other-model");
  expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  expect(bootsIn(second)).toEqual([expect.stringContaining(" · model one-model\n")]);
  expect(noteIn(sandbox, "models", "other-model", "a.md")).toMatch(/x$/u);
});
