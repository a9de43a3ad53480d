import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { lockPath, type LockWait, withProcessLock } from "../src/process-lock.ts";
import { shortHash } from "../src/slug.ts";
import { identityIn } from "./identities.ts";

/** Time that passes only while somebody waits. */
function testWait(milliseconds: number): LockWait & { slept: number } {
  const wait = {
    deadline: milliseconds,
    slept: 0,
    clock: {
      now: () => wait.slept,
      sleep: async (pause: number) => {
        wait.slept += pause;
        await new Promise<void>((resolve) => setImmediate(resolve));
      },
    },
  };
  return wait;
}

/** An owner as a lock says it: the holding, the host, the process and its beginning. */
const ownerOf = ({
  id = "0000000000000001",
  host = shortHash(hostname()),
  pid = process.pid,
  started = "0",
} = {}): string => `${id}.${host}.${pid}.${started}`;

/** The id of a process that has ended and is gone. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

async function lockIn(owner?: string): Promise<string> {
  const root = await temporaryFolder();
  const lock = lockPath(root, join(root, "human", "a.md"));
  if (owner !== undefined) {
    mkdirSync(dirname(lock));
    symlinkSync(owner, lock);
  }
  return lock;
}

describe("the lock between processes", () => {
  it("is there while the work is done, says whose it is, and is gone afterwards", async () => {
    const lock = await lockIn();
    await withProcessLock(lock, testWait(0), "a.md", () => {
      expect(readLock(lock)).toMatch(
        new RegExp(`^[0-9a-f]{16}\\.${shortHash(hostname())}\\.${process.pid}\\.\\d+$`, "u"),
      );
      expect(readLock(lock).length).toBeLessThan(60);
      return Promise.resolve();
    });
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it("is gone after work that failed, with the folders that were made for it", async () => {
    const lock = await lockIn();
    await expect(withProcessLock(lock, testWait(0), "a.md", () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
    expect(existsSync(dirname(lock))).toBe(false);
  });

  it("that is held by a living process refuses when the time is over, and stays", async () => {
    const lock = await lockIn(ownerOf());
    const wait = testWait(5000);
    await expect(withProcessLock(lock, wait, "@human/a.md", () => Promise.resolve())).rejects.toMatchObject({
      code: "locked",
      message: expect.stringMatching(
        /^@human\/a\.md is being changed by another process for too long; try again, or, .* remove \.locks\/[0-9a-f]{32} in the notes home$/u,
      ),
    });
    expect(wait.slept).toBeGreaterThanOrEqual(5000);
    expect(wait.slept).toBeLessThan(5100);
    expect(readLock(lock)).toBe(ownerOf());
  });

  it("is got as soon as it comes free", async () => {
    const lock = await lockIn(ownerOf());
    const wait = testWait(5000);
    const clock = {
      now: () => wait.clock.now(),
      sleep: async (pause: number) => {
        await wait.clock.sleep(pause);
        if (wait.slept > 100) rmSync(lock, { force: true });
      },
    };
    expect(await withProcessLock(lock, { ...wait, clock }, "a.md", () => Promise.resolve("done"))).toBe("done");
  });

  it("is taken away by its own holder only", async () => {
    const lock = await lockIn();
    await withProcessLock(lock, testWait(0), "a.md", () => {
      rmSync(lock);
      symlinkSync(ownerOf(), lock);
      return Promise.resolve();
    });
    expect(readLock(lock)).toBe(ownerOf());
  });

  it.each<[string, () => string]>([
    ["has died", () => ownerOf({ pid: deadPid() })],
    ["has died, and whose number another process has now", () => ownerOf({ started: "1" })],
  ])("whose owner %s is taken over without waiting", async (_what, owner) => {
    const lock = await lockIn(owner());
    const wait = testWait(0);
    expect(await withProcessLock(lock, wait, "a.md", () => Promise.resolve("done"))).toBe("done");
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it("of another host is never taken over: nobody here can tell whether its owner lives", async () => {
    const lock = await lockIn(ownerOf({ host: "ffffffff", pid: deadPid() }));
    await expect(withProcessLock(lock, testWait(100), "a.md", () => Promise.resolve())).rejects.toMatchObject({
      code: "locked",
    });
  });

  it("that says nothing is never taken over", async () => {
    const lock = await lockIn("garbage");
    await expect(withProcessLock(lock, testWait(100), "a.md", () => Promise.resolve())).rejects.toMatchObject({
      code: "locked",
    });
  });

  it("as a file, where links cannot be made, is understood too", async () => {
    const lock = await lockIn();
    mkdirSync(dirname(lock));
    writeFileSync(lock, ownerOf({ pid: deadPid() }));
    expect(await withProcessLock(lock, testWait(0), "a.md", () => Promise.resolve("done"))).toBe("done");
  });

  it("of a dead owner is taken over by one of many, and then by the next", async () => {
    const lock = await lockIn(ownerOf({ pid: deadPid() }));
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise<void>((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 12 }, () => withProcessLock(lock, testWait(1_000_000), "a.md", work)));
    expect({ most, left: readdirSync(dirname(lock)) }).toEqual({ most: 1, left: [] });
  });

  it("that is a pipe, or a file without an end to it, is neither waited for nor read to the end", async () => {
    const lock = await lockIn();
    mkdirSync(dirname(lock));
    for (const put of [
      () => execFileSync("mkfifo", [lock]),
      () => {
        writeFileSync(lock, "");
        truncateSync(lock, 2 ** 40);
      },
      () => mkdirSync(lock),
    ]) {
      put();
      await expect(withProcessLock(lock, testWait(100), "a.md", () => Promise.resolve())).rejects.toMatchObject({
        code: "locked",
      });
      rmSync(lock, { recursive: true });
    }
  });

  it("that cannot be had leaves none of the folders that were made for it", async () => {
    const lock = join(dirname(await lockIn()), "x".repeat(300));
    await expect(withProcessLock(lock, testWait(100), "a.md", () => Promise.resolve())).rejects.toMatchObject({
      code: "ENAMETOOLONG",
    });
    expect(existsSync(dirname(lock))).toBe(false);
  });

  it("whose taker-over died in the middle is taken over all the same", async () => {
    const lock = await lockIn(ownerOf({ pid: deadPid() }));
    symlinkSync(ownerOf({ id: "0000000000000002", pid: deadPid() }), `${lock}.0000000000000001`);
    expect(await withProcessLock(lock, testWait(0), "a.md", () => Promise.resolve("done"))).toBe("done");
    expect(readdirSync(dirname(lock))).toEqual([]);
  });
});

describe("the locks' folder", () => {
  const given = async () => {
    const parent = await temporaryFolder();
    const [home, outside] = [join(parent, "notes"), join(parent, "outside")];
    for (const folder of [join(home, "human"), outside]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, "human", "a.md"), "---\norigin: self\n---\nold");
    return { parent, home, outside, locks: join(home, ".locks"), store: createNotesStore(identityIn(home)) };
  };

  it.each<[string, string, string, (fixture: Awaited<ReturnType<typeof given>>) => void]>([
    [
      "a link to nowhere outside",
      "io",
      "a link that leads nowhere; remove the link (ENOENT)",
      ({ locks }) => symlinkSync("/nonexistent/q", locks),
    ],
    [
      "a link to nowhere inside",
      "io",
      "a link that leads nowhere; remove the link (ENOENT)",
      ({ locks }) => symlinkSync("missing", locks),
    ],
    [
      "a link out of the home",
      "outside_home",
      "a link that leads out of it; remove the link",
      ({ outside, locks }) => symlinkSync(outside, locks),
    ],
    [
      "a link to a file",
      "io",
      "a link to what is not a folder; remove the link (ENOTDIR)",
      ({ locks }) => symlinkSync("human/a.md", locks),
    ],
    ["a file", "io", "not a folder; remove it (ENOTDIR)", ({ locks }) => writeFileSync(locks, "a file")],
  ])("that is %s refuses every change with %s, and nothing is changed or waited for", async (_what, code, is, put) => {
    const fixture = await given();
    const { parent, home, outside, store } = fixture;
    put(fixture);
    const before = readFileSync(join(home, "human", "a.md"), "utf8");
    for (const change of [
      () => store.write("@human/a", "new"),
      () => store.write("@self/deep/b", "new"),
      () => store.update("@human/a", [{ oldText: "old", newText: "new" }]),
      () => store.rename("@human/a", "@human/b"),
    ]) {
      const error: unknown = await change().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, message: expect.stringContaining(`.locks in the notes home is ${is}`) });
      expect((error as Error).message).not.toMatch(/nonexistent|outside\/|\n/u);
      expect((error as Error).message).not.toContain(parent);
    }
    expect(await store.read("@human/a")).toMatchObject({ body: "old", meta: { accessCount: 0 } });
    expect(readFileSync(join(home, "human", "a.md"), "utf8")).toBe(before);
    expect(readdirSync(home).toSorted()).toEqual([".locks", "human"]);
    expect(readdirSync(join(home, "human"))).toEqual(["a.md"]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("that is a link to another folder of the home is used", async () => {
    const { home, locks, store } = await given();
    mkdirSync(join(home, "shared"));
    symlinkSync("shared", locks);
    expect((await store.write("@human/a", "new")).outcome).toBe("overwritten");
    expect(readdirSync(join(home, "shared"))).toEqual([]);
  });

  it("that becomes a link to nowhere in the middle is not tried for ever", async () => {
    const { home, locks } = await given();
    const lock = lockPath(home, join(home, "human", "a.md"));
    mkdirSync(locks);
    symlinkSync(ownerOf(), lock);
    const wait = testWait(5000);
    const clock = {
      now: () => wait.clock.now(),
      sleep: (pause: number) => {
        rmSync(locks, { recursive: true, force: true });
        symlinkSync("/nonexistent/q", locks);
        return wait.clock.sleep(pause);
      },
    };
    await expect(withProcessLock(lock, { ...wait, clock }, "a.md", () => Promise.resolve())).rejects.toMatchObject({
      code: "io",
    });
  });
});

describe("a note that another process holds", () => {
  it("is read without being counted, and its file is left as it is", async () => {
    const home = await temporaryFolder();
    const file = join(home, "human", "a.md");
    mkdirSync(dirname(file));
    writeFileSync(file, "---\norigin: self\n---\nbody");
    const lock = lockPath(home, file);
    mkdirSync(dirname(lock));
    symlinkSync(ownerOf(), lock);
    expect(await createNotesStore(identityIn(home)).read("@human/a")).toMatchObject({
      body: "body",
      meta: { accessCount: 0 },
    });
    expect(readFileSync(file, "utf8")).toBe("---\norigin: self\n---\nbody");
    expect(readLock(lock)).toBe(ownerOf());
  });
});

function readLock(lock: string): string {
  return spawnSync("readlink", [lock], { encoding: "utf8" }).stdout.trim();
}

async function ended(program: URL, ...args: string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, ["--conditions=@notesoup/source", fileURLToPath(program), ...args], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

describe("two processes", () => {
  it("with 200 updates each on one note lose none, and reads beside them undo none", async () => {
    const home = await temporaryFolder();
    const store = createNotesStore(identityIn(home));
    await store.write("@project/a", "start\n");
    const results = await Promise.all(
      ["one", "two"].map((name) => ended(new URL("append-many.ts", import.meta.url), home, name, "200")),
    );
    expect(results).toEqual([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    const lines = readFileSync(join(home, "project", "app-0a1b2c3d", "a.md"), "utf8")
      .split("\n")
      .filter((line) => /^(?:one|two) /u.test(line));
    expect(new Set(lines).size).toBe(400);
    expect(lines).toHaveLength(400);
    expect(readdirSync(join(home, ".locks"))).toEqual([]);
  });

  it("that write to notes of their own lose none, and leave nothing behind", async () => {
    const home = await temporaryFolder();
    await Promise.all(["one", "two"].map((name) => ended(new URL("write-many.ts", import.meta.url), home, name, "10")));
    const folder = join(home, "project", "app-0a1b2c3d");
    const bodies = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), "utf8").split("\n---\n")[1],
    ]);
    expect(Object.fromEntries(bodies)).toEqual(
      Object.fromEntries(
        ["one", "two"].flatMap((name) =>
          Array.from({ length: 10 }, (_, index) => [`${name}-${index}.md`, `${name} ${index}`]),
        ),
      ),
    );
  });

  it("that write one note whole again and again never leave or show a torn one", async () => {
    const home = await temporaryFolder();
    const file = join(home, "project", "app-0a1b2c3d", "a.md");
    await createNotesStore(identityIn(home)).write("@project/a", "0\n".repeat(20_000));
    const writers = Promise.all(
      ["one", "two"].map((name) => ended(new URL("overwrite-many.ts", import.meta.url), home, name, "10")),
    );
    const over = new AbortController();
    const end = (): void => over.abort();
    void writers.then(end, end);
    const torn: string[] = [];
    while (!over.signal.aborted) {
      const [, body = ""] = readFileSync(file, "utf8").split("\n---\n");
      const [first = ""] = body.split("\n", 1);
      if (first === "" || body !== `${first}\n`.repeat(20_000)) torn.push(first);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect(torn).toEqual([]);
    expect(await writers).toEqual([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    expect(readFileSync(file, "utf8")).toMatch(/\n---\n(?:one|two) 9\n/u);
  });
});
