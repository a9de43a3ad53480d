import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { createClaudeSandbox, processesIn, type ClaudeSandbox } from "../src/index.ts";
import { endProcesses } from "../src/processes.ts";

const modelUrl = "http://127.0.0.1:9";

describe("the processes of a sandbox", () => {
  /** Starts a process that runs until it is ended, as far from the one that starts it as it can be. */
  async function startSleeper({ env }: ClaudeSandbox): Promise<number> {
    const middle = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
      child.on("spawn", () => { console.log(child.pid); process.exit(0); });
    `;
    const starter = spawn(process.execPath, ["-e", middle], { env, stdio: ["ignore", "pipe", "inherit"] });
    let pid = "";
    starter.stdout.on("data", (text) => (pid += String(text)));
    await once(starter, "close");
    return Number(pid);
  }

  it("are those that were started from it, however far away, and end with it", async () => {
    const [sandbox, other] = [await createClaudeSandbox({ modelUrl }), await createClaudeSandbox({ modelUrl })];
    await using _ = other;
    expect(await processesIn(sandbox)).toEqual([]);
    const pid = await startSleeper(sandbox);
    expect(await processesIn(sandbox)).toEqual([{ pid, command: expect.stringContaining("setInterval") }]);
    expect(await processesIn(other)).toEqual([]);
    await sandbox.dispose();
    await vi.waitFor(async () => expect(await processesIn(sandbox)).toEqual([]), { timeout: 10_000 });
  });

  it("are not ended where the process that tests is among them", async () => {
    await using sandbox = await createClaudeSandbox({ modelUrl });
    const pid = await startSleeper(sandbox);
    const others = await processesIn(sandbox);
    expect(() => endProcesses([...others, { pid: process.pid, command: "this" }])).toThrow("nothing was ended");
    expect((await processesIn(sandbox)).map((found) => found.pid)).toEqual([pid]);
  });
});
