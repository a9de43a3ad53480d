import { spawnSync } from "node:child_process";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { acquireLock, findLock, type Holder, isHeldBy, releaseLock, thisHolder } from "../src/lock.ts";

const NOW = Date.parse("2026-12-01T00:00:00.000Z");

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), ".dream.lock");
}

/** A process of this machine that has ended. */
const ENDED = spawnSync(process.execPath, ["--version"]).pid;

const holder = (run: string, traits: Partial<Holder> = {}): Holder => ({ ...thisHolder(run, NOW), ...traits });
const dead = (run: string): Holder => holder(run, { pid: ENDED, started: "1" });
const codeOf = (work: () => void): unknown => {
  try {
    work();
    return "ok";
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe("the lock of a dream", () => {
  it("says host, process, run and time, and is the holder's alone", async () => {
    const lock = await lockPath();
    acquireLock(lock, holder("r1"), NOW);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({
      run: "r1",
      host: hostname(),
      pid: process.pid,
      time: "2026-12-01T00:00:00.000Z",
    });
    expect(codeOf(() => acquireLock(lock, holder("r2"), NOW))).toBe("dream_locked");
    releaseLock(lock, "r2", NOW);
    expect(isHeldBy(lock, "r1", NOW)).toBe(true);
    releaseLock(lock, "r1", NOW);
    expect(existsSync(lock)).toBe(false);
    expect(readdirSync(join(lock, ".."))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ["a process that has died", JSON.stringify(dead("r0")), "ok"],
    ["a process whose number another one has now", JSON.stringify(holder("r0", { started: "1" })), "ok"],
    ["nobody: what it says is none", "garbage", "ok"],
    ["nobody: what it says is not whole", '{"run":"r0","host":', "ok"],
    ["nobody: a holder without a process", JSON.stringify({ ...dead("r0"), pid: "1" }), "ok"],
    ["a process that lives", JSON.stringify(holder("r0")), "dream_locked"],
    ["another machine", JSON.stringify({ ...dead("r0"), host: "elsewhere" }), "dream_locked"],
  ])("held by %s: a dream that begins gets %3$s", async (_who, text, code) => {
    const lock = await lockPath();
    writeFileSync(lock, text);
    expect(codeOf(() => acquireLock(lock, holder("r1"), NOW))).toBe(code);
    expect(isHeldBy(lock, "r1", NOW)).toBe(code === "ok");
    expect(readdirSync(join(lock, ".."))).toEqual([".dream.lock"]);
    if (code !== "ok") expect(readFileSync(lock, "utf8")).toBe(text);
  });

  it("that is empty may be about to be written, for a minute", async () => {
    const lock = await lockPath();
    writeFileSync(lock, "");
    utimesSync(lock, NOW / 1000, NOW / 1000);
    expect(codeOf(() => acquireLock(lock, holder("r1"), NOW + 59_999))).toBe("dream_locked");
    expect(codeOf(() => acquireLock(lock, holder("r1"), NOW + 60_000))).toBe("ok");
  });

  it("that is a folder is not taken over", async () => {
    const lock = await lockPath();
    mkdirSync(lock);
    expect(codeOf(() => acquireLock(lock, holder("r1"), NOW))).toBe("dream_locked");
  });

  it("of a dead holder is taken over by one alone: who has the right to, and not who comes while he has it", async () => {
    const lock = await lockPath();
    writeFileSync(lock, JSON.stringify(dead("r0")));
    const claim = `${lock}.${findLock(lock, NOW)?.mark}`;
    writeFileSync(claim, JSON.stringify(holder("r1")));
    expect(codeOf(() => acquireLock(lock, holder("r2"), NOW))).toBe("dream_locked");
    expect(isHeldBy(lock, "r0", NOW)).toBe(true);
    // He died in the middle of it: the next one goes on.
    writeFileSync(claim, JSON.stringify(dead("r1")));
    expect(codeOf(() => acquireLock(lock, holder("r3"), NOW))).toBe("ok");
    expect(isHeldBy(lock, "r3", NOW)).toBe(true);
    expect(readdirSync(join(lock, ".."))).toEqual([".dream.lock"]);
  });

  it("that was taken over, while somebody else had seen the dead holder and comes later, stays the first one's", async () => {
    const lock = await lockPath();
    writeFileSync(lock, JSON.stringify(dead("r0")));
    const claim = `${lock}.${findLock(lock, NOW)?.mark}`;
    const { linkSync } = fs;
    // The first one is through between the other's look at the lock and his claim.
    fs.linkSync = (from, to) => {
      if (to === claim) writeFileSync(lock, JSON.stringify(holder("r1")));
      linkSync(from, to);
    };
    syncBuiltinESMExports();
    try {
      expect(codeOf(() => acquireLock(lock, holder("r2"), NOW))).toBe("dream_locked");
    } finally {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    }
    expect(isHeldBy(lock, "r1", NOW)).toBe(true);
    expect(readdirSync(join(lock, ".."))).toEqual([".dream.lock"]);
  });
});
