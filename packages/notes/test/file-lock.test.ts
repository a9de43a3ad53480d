import { linkSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { withFileLocks } from "../src/file-lock.ts";
import { createNotesStore } from "../src/index.ts";
import { replaceFile } from "../src/replace-file.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

/** Reads a number from the file, gives others every chance to run, and writes one more. */
async function countUp(path: string): Promise<void> {
  const before = Number(readFileSync(path, "utf8"));
  await new Promise<void>((resolve) => setImmediate(resolve));
  await replaceFile(path, String(before + 1), { flush: false });
}

describe("work on one file", () => {
  it("is done one after another, also while the file gets a new inode each time", async () => {
    const path = join(await temporaryFolder(), "a");
    writeFileSync(path, "0");
    await Promise.all(Array.from({ length: 50 }, () => withFileLocks([path], () => countUp(path))));
    expect(readFileSync(path, "utf8")).toBe("50");
  });

  it("is done one after another when it is asked for by two names of the file", async () => {
    const folder = await temporaryFolder();
    const [path, other] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(path, "x");
    linkSync(path, other);
    const steps: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      steps.push(`${name} begins`);
      await new Promise<void>((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    await Promise.all([withFileLocks([path], work("a")), withFileLocks([other], work("b"))]);
    expect(steps.map((step) => step.slice(2))).toEqual(["begins", "ends", "begins", "ends"]);
  });

  it("is done one after another when two copies of the library in one process do it", async () => {
    const path = join(await temporaryFolder(), "a");
    writeFileSync(path, "0");
    vi.resetModules();
    const copy = await import("../src/file-lock.ts");
    expect(copy.withFileLocks).not.toBe(withFileLocks);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? withFileLocks : copy.withFileLocks)([path], () => countUp(path)),
      ),
    );
    expect(readFileSync(path, "utf8")).toBe("20");
  });

  it("goes on after work that failed, and leaves no lock behind", async () => {
    const path = join(await temporaryFolder(), "a");
    const failed = withFileLocks([path], () => Promise.reject(new Error("no")));
    const next = withFileLocks([path], () => Promise.resolve("yes"));
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    expect((globalThis as { [key: symbol]: Map<string, unknown> })[Symbol.for("notesoup.locks")]?.size).toBe(0);
  });
});

describe("stores of one process", () => {
  it("of two copies of the library work on a note in the order of asking", async () => {
    const home = await temporaryFolder();
    vi.resetModules();
    const copy = await import("../src/index.ts");
    const [one, other] = [createNotesStore(identityIn(home)), copy.createNotesStore(identityIn(home))];
    const writes = Array.from({ length: 5 }, (_, index) => one.write("@project/a", `body ${index}`));
    writes.push(other.write("@project/a", "the last"));
    const reads = await Promise.all([one.read("@project/a"), other.read("@project/a")]);
    expect(reads.map((note) => [note?.body, note?.meta.accessCount])).toEqual([
      ["the last", 1],
      ["the last", 2],
    ]);
    await Promise.all(writes);
  });

  it("write one note one after another, by every spelling of its address, and lose no count", async () => {
    const home = await temporaryFolder();
    const calls = Array.from({ length: 20 }, (_, index) => ({
      body: `body ${index}`,
      address: index % 2 === 0 ? "@project/a" : "@project/a.md",
      store: createNotesStore(identityIn(home)),
    }));
    await Promise.all(calls.map(({ store, address, body }) => store.write(address, body)));
    const reads = await Promise.all(calls.map(({ store, address }) => store.read(address)));
    const counts = reads.map((note) => note?.meta.accessCount ?? 0);
    expect(counts.toSorted((a, b) => a - b)).toEqual(calls.map((_, index) => index + 1));
    expect(calls.map(({ body }) => body)).toContain(reads[0]?.body);
    expect(readdirSync(join(home, "project", "app-0a1b2c3d"))).toEqual(["a.md"]);
  });

  it("count every access through a link and through its target", async () => {
    const home = await temporaryFolder();
    mkdirSync(join(home, "human"));
    writeFileSync(join(home, "human", "a.md"), "---\norigin: self\n---\nx");
    symlinkSync("a.md", join(home, "human", "b.md"));
    const store = createNotesStore(identityIn(home));
    await Promise.all(Array.from({ length: 10 }, (_, index) => store.read(index % 2 === 0 ? "@human/a" : "@human/b")));
    expect((await store.read("@human/a"))?.meta.accessCount).toBe(11);
  });
});
