import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPiSandbox, startPiRpc, type PiRpc, type RpcOptions } from "../src/index.ts";
import { script, temporaryFolder } from "./temporary.ts";

const modelUrl = "http://127.0.0.1:9/v1";

/** Starts a stand-in for Pi that runs `source`, in which `say` writes a record and `hear` calls back for each. */
async function standIn(source: string, options: RpcOptions = {}): Promise<PiRpc> {
  const sandbox = await createPiSandbox({ modelUrl, root: await temporaryFolder() });
  const cli = await script(`
    const say = (record) => process.stdout.write(JSON.stringify(record) + "\\n");
    const hear = (heard) => process.stdin.on("data", (text) => String(text).trimEnd().split("\\n").forEach((line) => heard(JSON.parse(line))));
    ${source}
  `);
  return startPiRpc(sandbox, { cli, ...options });
}

/** Answers each command, and ends with its input. */
const OBEDIENT = 'hear(({ id, type }) => say({ type: "response", id, command: type, success: true, data: {} }));';

describe("a wait", () => {
  it("finds what has come, and what will, from where it is told to look", async () => {
    await using pi = await standIn(
      `say({ type: "first" }); say({ type: "mark", n: 1 }); ${OBEDIENT} hear(() => say({ type: "mark", n: 2 }));`,
    );
    const isMark = ({ type }: { type: string }): boolean => type === "mark";
    expect(await pi.waitFor(isMark)).toEqual({ type: "mark", n: 1 });
    const from = pi.events.length;
    const next = pi.waitFor(isMark, { from });
    await pi.send({ type: "go" });
    expect(await next).toEqual({ type: "mark", n: 2 });
    expect(await pi.waitFor(isMark)).toEqual({ type: "mark", n: 1 });
  });

  it("rejects when its time is over, with the last record and stderr", async () => {
    await using pi = await standIn(`process.stderr.write("odd\\n"); say({ type: "only" }); ${OBEDIENT}`);
    await pi.waitFor(({ type }) => type === "only");
    await pi.send({ type: "go" });
    const wait = pi.waitFor(() => false, { timeoutMs: 1, what: "a miracle" });
    await expect(wait).rejects.toThrow(
      /^Waited for a miracle: it did not come within 1 ms\. The last record: .*"command":"go".*\nstderr: odd/s,
    );
  });

  it("rejects where its own question throws, and disturbs no other", async () => {
    await using pi = await standIn(`${OBEDIENT} hear(() => say({ type: "late" }));`);
    const broken = pi.waitFor(() => {
      throw new Error("No such field.");
    });
    const other = pi.waitFor(({ type }) => type === "late");
    await Promise.all([expect(broken).rejects.toThrow("No such field."), pi.send({ type: "go" })]);
    expect(await other).toEqual({ type: "late" });
  });

  it("rejects, with all others, when the process ends", async () => {
    await using pi = await standIn('process.stderr.write("Out of soup.\\n"); hear(() => process.exit(3));');
    const waits = [pi.waitFor(() => false), pi.send({ type: "go" }), pi.prompt("Hello?")];
    await Promise.all(waits.map((wait) => expect(wait).rejects.toThrow(/Pi ended with code 3\nstderr: Out of soup\./)));
    await expect(pi.send({ type: "again" })).rejects.toThrow("Pi ended with code 3");
    expect(await pi.close()).toBe(3);
  });

  it.each([
    ["is not JSON", "console.log('Hello, I am a log line.')", "Hello, I am a log line."],
    ["is JSON but no record", "console.log('[1]')", "[1]"],
    ["is cut at the end", "process.stdout.write('{\"type\":'); process.stdin.destroy()", '{\\"type\\":'],
  ])("rejects when a line %s", async (_, source, shown) => {
    await using pi = await standIn(`${source}; process.stderr.write("why\\n"); hear(() => {});`);
    await expect(pi.waitFor(() => false)).rejects.toThrow(`no record of JSON: "${shown}"`);
  });

  it("takes a line separator of Unicode for a part of its line", async () => {
    await using pi = await standIn(`say({ type: "text", text: "a\\u2028b" }); ${OBEDIENT}`);
    expect(await pi.waitFor(({ type }) => type === "text")).toEqual({ type: "text", text: "a\u2028b" });
  });
});

describe("a prompt", () => {
  it("that is refused rejects, where a command that is refused resolves", async () => {
    await using pi = await standIn(
      'hear(({ id, type }) => say({ type: "response", id, command: type, success: false, error: "Busy." }));',
    );
    await expect(pi.prompt("Hello?")).rejects.toThrow("Pi refused the prompt: Busy.");
    expect(await pi.send({ type: "prompt", message: "Hello?" })).toMatchObject({ success: false, error: "Busy." });
  });

  it("that is queued is not waited for", async () => {
    await using pi = await standIn(
      'hear(({ id, type }) => say({ type: "response", id, command: type, success: true, data: { disposition: "queued" } }));',
    );
    expect((await pi.prompt("Hello?")).disposition).toBe("queued");
  });
});

describe("the end", () => {
  it("is the exit code, once the input is closed", async () => {
    const pi = await standIn('process.stdin.on("end", () => process.exit(4)).resume();');
    expect(await pi.close()).toBe(4);
    expect(await pi.close()).toBe(4);
  });

  it("is forced upon a process that does not heed the end of its input, and is an error", async () => {
    const pi = await standIn(`${OBEDIENT} setInterval(() => {}, 1000); process.on("SIGTERM", () => process.exit(0));`);
    await pi.send({ type: "go" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = pi.close();
    vi.advanceTimersByTime(30_000);
    await expect(closed).rejects.toThrow("Pi did not end within 30000 ms of the end of its input and was killed.");
  });

  it("by a signal is an error", async () => {
    const pi = await standIn('hear(() => process.kill(process.pid, "SIGKILL"));');
    await expect(pi.send({ type: "go" })).rejects.toThrow("Pi ended with SIGKILL");
    await expect(pi.close()).rejects.toThrow("Pi was ended by SIGKILL.");
  });
});
