import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClaudeSandbox, startConversation, type Conversation, type ConversationOptions } from "../src/index.ts";
import { standInProgram } from "./stand-in.ts";

/** Starts a stand-in that runs `source`, in which `say` writes a row and `hear` calls back for each. */
async function standIn(source: string, options: ConversationOptions = {}): Promise<Conversation> {
  const sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root: await temporaryFolder() });
  const binary = await standInProgram(`
    const say = (row) => process.stdout.write(JSON.stringify(row) + "\\n");
    const hear = (heard) => process.stdin.on("data", (text) => String(text).trimEnd().split("\\n").forEach((line) => heard(JSON.parse(line))));
    ${source}
  `);
  return startConversation(sandbox, { binary, ...options });
}

/** Ends each turn at once, and ends with its input. */
const OBEDIENT =
  'hear(({ message }) => say({ type: "result", subtype: "success", is_error: false, result: message.content }));';

describe("a prompt", () => {
  it("is a row of the user's, and resolves with what was written from it on to its result", async () => {
    await using claude = await standIn(
      `say({ type: "system" }); hear((row) => { say({ type: "heard", row }); say({ type: "result", n: 1 }); say({ type: "late" }); });`,
    );
    await claude.waitFor(({ type }) => type === "system");
    const turn = await claude.prompt("Hello?");
    const row = { type: "user", message: { role: "user", content: "Hello?" } };
    const result = { type: "result", n: 1 };
    expect(turn).toEqual({ result, rows: [{ type: "heard", row }, result] });
    await claude.waitFor(({ type }) => type === "late");
    expect(claude.rows.map(({ type }) => type)).toEqual(["system", "heard", "result", "late"]);
  });

  it("waits for a result of its own", async () => {
    await using claude = await standIn(OBEDIENT);
    expect((await claude.prompt("one")).result.result).toBe("one");
    expect((await claude.prompt("two")).result.result).toBe("two");
  });
});

describe("an interrupt", () => {
  it("waits for the answer to itself", async () => {
    await using claude = await standIn(`
      hear(({ type, request_id, request }) => {
        say({ type: "control_response", response: { request_id: "other" } });
        say({ type: "control_response", response: { request_id, asked: [type, request] } });
      });
    `);
    await claude.interrupt();
    expect(claude.rows).toHaveLength(2);
    expect(claude.rows[1]).toMatchObject({
      response: { request_id: "request-1", asked: ["control_request", { subtype: "interrupt" }] },
    });
  });
});

describe("a wait", () => {
  it("finds what has come, and what will, from where it is told to look", async () => {
    await using claude = await standIn(`say({ type: "mark", n: 1 }); hear(() => say({ type: "mark", n: 2 }));`);
    const isMark = ({ type }: { type: string }): boolean => type === "mark";
    expect(await claude.waitFor(isMark)).toEqual({ type: "mark", n: 1 });
    const next = claude.waitFor(isMark, { from: claude.rows.length });
    claude.write({ type: "go" });
    expect(await next).toEqual({ type: "mark", n: 2 });
    expect(await claude.waitFor(isMark)).toEqual({ type: "mark", n: 1 });
  });

  it("rejects when its time is over, with the last row and stderr", async () => {
    await using claude = await standIn(`process.stderr.write("odd\\n"); ${OBEDIENT}`);
    await claude.prompt("go");
    const wait = claude.waitFor(() => false, { timeoutMs: 1, what: "a miracle" });
    await expect(wait).rejects.toThrow(
      /^Waited for a miracle: it did not come within 1 ms\. The last row: .*"result":"go".*\nstderr: odd/s,
    );
  });

  it("rejects where its own question throws, and disturbs no other", async () => {
    await using claude = await standIn(OBEDIENT);
    const broken = claude.waitFor(() => {
      throw new Error("No such field.");
    });
    await Promise.all([
      expect(broken).rejects.toThrow("No such field."),
      expect(claude.prompt("go")).resolves.toMatchObject({ result: { result: "go" } }),
    ]);
  });

  it("rejects, with all others, when the process ends", async () => {
    await using claude = await standIn('process.stderr.write("Out of soup.\\n"); hear(() => process.exit(3));');
    const waits = [claude.waitFor(() => false), claude.prompt("go")];
    await Promise.all(
      waits.map((wait) => expect(wait).rejects.toThrow(/Claude Code ended with code 3\nstderr: Out of soup\./)),
    );
    await expect(claude.prompt("again")).rejects.toThrow("Claude Code ended with code 3");
    expect(await claude.close()).toBe(3);
  });

  it.each([
    ["is not JSON", "console.log('Hello, I am a log line.')", "Hello, I am a log line."],
    ["is JSON but no row", "console.log('[1]')", "[1]"],
    ["is cut at the end", "process.stdout.write('{\"type\":'); process.stdin.destroy()", '{\\"type\\":'],
  ])("rejects when a line %s", async (_, source, shown) => {
    await using claude = await standIn(`${source}; hear(() => {});`);
    const why = `no row of JSON: "${shown}"`;
    await expect(claude.waitFor(() => false)).rejects.toThrow(why);
    await claude.kill();
    await expect(claude.waitFor(() => false)).rejects.toThrow(why);
  });
});

describe("the end", () => {
  it("is the exit code, once the input is closed", async () => {
    const claude = await standIn('process.stdin.on("end", () => process.exit(4)).resume();');
    expect(await claude.close()).toBe(4);
    expect(await claude.close()).toBe(4);
  });

  it("is forced upon a process that does not heed the end of its input, and is an error", async () => {
    const claude = await standIn(
      `${OBEDIENT} setInterval(() => {}, 1000); process.on("SIGTERM", () => process.exit(0));`,
    );
    await claude.prompt("go");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = claude.close();
    vi.advanceTimersByTime(30_000);
    await expect(closed).rejects.toThrow("did not end within 30000 ms of the end of its input and was killed.");
  });

  it("by a signal is an error, but not where it was asked for", async () => {
    const claude = await standIn(OBEDIENT);
    expect(await claude.kill()).toEqual({ code: null, signal: "SIGKILL" });
    await expect(claude.close()).rejects.toThrow("Claude Code was ended by SIGKILL.");
  });
});
