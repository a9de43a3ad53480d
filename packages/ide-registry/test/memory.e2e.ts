import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@notesoup/testing";

const program = fileURLToPath(new URL("registry-in-use.ts", import.meta.url));

interface Left {
  readonly results: number;
  readonly bytes: number;
}

/** Has a process of its own work on files that hold words it cannot know, and looks for them in its heap. */
async function leftAfterWork(...hoard: readonly string[]): Promise<Left & { readonly wordsFound: number }> {
  const folder = await temporaryFolder();
  const root = join(folder, "files");
  mkdirSync(root);
  const words = Array.from({ length: 5 }, () => randomBytes(24).toString("hex"));
  words.forEach((word, index) => writeFileSync(join(root, `f${index}`), `${word} first line\nsecond ${word}\n`));
  const heap = join(folder, "heap.json");
  const flags = ["--expose-gc", "--conditions=@notesoup/source", "--no-warnings"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, root, heap, ...hoard]);
  const snapshot = readFileSync(heap);
  return { ...(JSON.parse(stdout) as Left), wordsFound: words.filter((word) => snapshot.includes(word)).length };
}

describe("the memory of a registry", () => {
  it("holds no text of any file (I9), and little for ten thousand results", async () => {
    const { results, bytes, wordsFound } = await leftAfterWork();
    expect(wordsFound).toBe(0);
    expect(results).toBe(10_000);
    expect(bytes).toBeLessThan(16 * 1024 * 1024);
  });

  it("is looked through in a way that finds what somebody keeps", async () => {
    expect(await leftAfterWork("hoard")).toMatchObject({ wordsFound: 5 });
  });
});
