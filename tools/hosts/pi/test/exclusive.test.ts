import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exclusively } from "../src/exclusive.ts";
import { script, temporaryFolder } from "./temporary.ts";

const PATIENT = { waitMs: 30_000 };

async function newLock(): Promise<string> {
  return join(await temporaryFolder(), "lock");
}

async function heldBy(...owners: readonly { pid: number; started: string | null }[]): Promise<string> {
  const lock = await newLock();
  await mkdir(lock);
  await Promise.all(owners.map((owner) => writeFile(join(lock, `${owner.pid}.json`), JSON.stringify(owner))));
  return lock;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  if (child.pid === undefined) throw new Error("The child did not start.");
  return child.pid;
}

describe("exclusive work", () => {
  it("gives what the work gives, and leaves nothing behind", async () => {
    const lock = await newLock();
    expect(await exclusively(lock, PATIENT, () => Promise.resolve(7))).toBe(7);
    expect(await readdir(join(lock, ".."))).toEqual([]);
  });

  it("frees the lock where the work fails", async () => {
    const lock = await newLock();
    await expect(exclusively(lock, PATIENT, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await exclusively(lock, { waitMs: 0 }, () => Promise.resolve("free"))).toBe("free");
  });

  it("keeps two callers of one process apart", async () => {
    const lock = await newLock();
    const log: string[] = [];
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = exclusively(lock, PATIENT, async () => {
      begun.resolve();
      await goOn.promise;
      log.push("first");
    });
    await begun.promise;
    const second = exclusively(lock, PATIENT, () => Promise.resolve(log.push("second")));
    goOn.resolve();
    await Promise.all([first, second]);
    expect(log).toEqual(["first", "second"]);
  });

  it("keeps processes apart that find the lock of a dead owner at once", { timeout: 30_000 }, async () => {
    const lock = await heldBy({ pid: await deadPid(), started: null });
    const journal = join(await temporaryFolder(), "journal");
    const worker = await script(`
      import { appendFile } from "node:fs/promises";
      import { exclusively } from ${JSON.stringify(new URL("../src/exclusive.ts", import.meta.url).href)};
      await exclusively(${JSON.stringify(lock)}, { waitMs: 20_000 }, async () => {
        await appendFile(${JSON.stringify(journal)}, "in ");
        await new Promise((resolve) => setImmediate(resolve));
        await appendFile(${JSON.stringify(journal)}, "out ");
      });
    `);
    const workers = Array.from({ length: 4 }, () => spawn(process.execPath, [worker], { stdio: "inherit" }));
    const codes = await Promise.all(workers.map(async (child) => (await once(child, "exit")) as [number]));
    expect(codes.flat()).toEqual([0, null, 0, null, 0, null, 0, null]);
    expect(await readFile(journal, "utf8")).toBe("in out ".repeat(4));
  });

  it("takes over from an owner that is dead", async () => {
    const lock = await heldBy({ pid: await deadPid(), started: null });
    expect(await exclusively(lock, { waitMs: 0 }, () => Promise.resolve("mine"))).toBe("mine");
  });

  it("is not taken over while a process is alive that the dead owner shared it with", async () => {
    const lock = await heldBy({ pid: await deadPid(), started: null }, { pid: process.pid, started: null });
    const work = exclusively(lock, { waitMs: 0 }, () => Promise.resolve("never"));
    await expect(work).rejects.toThrow(/is held by process \d+, \d+ for longer than/);
  });

  it("can be shared while it lasts", async () => {
    const lock = await newLock();
    const owners = await exclusively(lock, PATIENT, async ({ share }) => {
      await share(process.ppid);
      return readdir(lock);
    });
    expect(owners.toSorted()).toEqual([`${process.pid}.json`, `${process.ppid}.json`].toSorted());
  });

  it.runIf(process.platform === "linux")(
    "takes over where the owner's number belongs to another process now",
    async () => {
      const lock = await heldBy({ pid: process.pid, started: "1" });
      expect(await exclusively(lock, { waitMs: 0 }, () => Promise.resolve("mine"))).toBe("mine");
    },
  );

  it("gives up waiting for an owner that is alive, and names it and the folder", async () => {
    const lock = await heldBy({ pid: process.pid, started: null });
    const work = exclusively(lock, { waitMs: 0 }, () => Promise.resolve("never"));
    await expect(work).rejects.toThrow(`${lock} is held by process ${process.pid} for longer than 0 ms.`);
  });

  it("leaves a lock alone that it cannot read", async () => {
    const lock = await newLock();
    await mkdir(lock);
    await writeFile(join(lock, "1.json"), "{");
    await expect(exclusively(lock, { waitMs: 0 }, () => Promise.resolve("never"))).rejects.toThrow(
      "an unknown process",
    );
  });
});
