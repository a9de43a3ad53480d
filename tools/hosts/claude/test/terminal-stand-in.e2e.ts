import { temporaryFolder } from "@notesoup/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { createClaudeSandbox, openTerminal, type ClaudeTerminal, type TerminalOptions } from "../src/index.ts";
import { standInProgram } from "./stand-in.ts";

async function standIn(source: string, options: TerminalOptions = {}): Promise<ClaudeTerminal> {
  const sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root: await temporaryFolder() });
  return openTerminal(sandbox, { binary: await standInProgram(source), ...options });
}

/** Says what it is told, and ends on `bye`. */
const ECHO = `
  process.stdin.setEncoding("utf8").on("data", (line) => {
    console.log("heard " + JSON.stringify(line));
    if (line === "bye\\n") process.exit(5);
  });
`;

it("is a terminal, wide enough for what is waited for, with the environment of the sandbox", async () => {
  await using terminal = await standIn(
    'console.log([process.stdout.isTTY, process.stdout.columns, process.env.TERM, process.env.NO_COLOR, process.argv.slice(2)].join(" "));',
    { args: ["--continue"] },
  );
  await terminal.shows("true 200 xterm-256color 1 --ax-screen-reader,--continue");
  expect(await terminal.ended()).toBe(0);
});

it("gives the text of what is shown, without what else a terminal is told", async () => {
  await using terminal = await standIn(
    `process.stdout.write("\\u001b[>0q\\u001b[c\\u001b]0;Title\\u0007\\u001b7\\u001b[?25ha\\u001b[1Cb\\u001b[31m  c\\u001b[39m\\u001bP+q\\u001b\\\\\\r\\n$\\u001b[2G\\u001b(B d\\u000f");`,
  );
  await terminal.ended();
  expect(terminal.text).toBe("a b c\n$ d");
});

it("types a line, and presses Enter once it is shown", async () => {
  // What comes at once with other keys is pasted, and is no Enter.
  await using terminal = await standIn(`
    process.stdin.setRawMode(true).setEncoding("utf8").on("data", (keys) => {
      process.stdout.write(keys);
      if (keys === "\\r") process.exit(5);
      if (keys.endsWith("\\r")) process.exit(6);
    });
    console.log("ready");
  `);
  await terminal.shows("ready");
  await terminal.enter("one");
  expect(await terminal.ended()).toBe(5);
});

it("waits for what is behind what was waited for", async () => {
  await using terminal = await standIn('console.log("twice"); console.log("twice"); console.log("once");');
  await terminal.shows("twice");
  await terminal.shows("twice");
  await expect(terminal.shows("twice")).rejects.toThrow(/^"twice" was not shown: Claude Code has ended\.\ntwice/u);
});

it("rejects when the time is over, with what is shown", async () => {
  await using terminal = await standIn(`console.log("ready"); ${ECHO}`);
  await terminal.shows("ready");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const wait = terminal.shows("a miracle");
  vi.advanceTimersByTime(30_000);
  await expect(wait).rejects.toThrow(/^"a miracle" was not shown: 30000 ms are over\.\nready/u);
});

it("kills a program that does not end when it is waited for, and says so", async () => {
  await using terminal = await standIn(`console.log("ready"); process.on("SIGHUP", () => {}); ${ECHO}`);
  await terminal.shows("ready");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const end = terminal.ended();
  vi.advanceTimersByTime(30_000);
  await expect(end).rejects.toThrow("Claude Code did not end within 30000 ms.");
});

it("hangs up", async () => {
  await using terminal = await standIn(`process.on("SIGHUP", () => process.exit(7)); console.log("ready"); ${ECHO}`);
  await terminal.shows("ready");
  await terminal.kill();
  expect(await terminal.ended()).toBe(7);
});
