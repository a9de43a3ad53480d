import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@notesoup/testing";
import { ripgrepMatches } from "../src/ripgrep.ts";

/** A search that never ends: nobody writes to the pipe. */
async function endless(maxMs: number, signal?: AbortSignal): ReturnType<typeof ripgrepMatches> {
  const cwd = await temporaryFolder();
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  return ripgrepMatches(["--regexp", "x", "--", "pipe"], { cwd, maxMs, maxMatches: 10, signal });
}

describe("a search that takes too long", () => {
  it("is stopped, and not complete", async () => {
    expect(await endless(20)).toEqual({ matches: [], complete: false });
  });

  it("can be cancelled", async () => {
    const signal = AbortSignal.timeout(20);
    await expect(endless(600_000, signal)).rejects.toThrow(expect.objectContaining({ code: "cancelled" }));
  });
});
