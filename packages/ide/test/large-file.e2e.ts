import { execFile } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@notesoup/testing";

const program = fileURLToPath(new URL("large-file-in-use.ts", import.meta.url));
const MIB = 1024 * 1024;

describe("a file of 200 MiB", () => {
  it("is read in part without being held, and refused as a whole", async () => {
    const root = await temporaryFolder();
    const file = openSync(join(root, "a.log"), "w");
    const block = Buffer.alloc(MIB, `${"line 1 of a long log".padEnd(63)}\n`);
    for (let count = 0; count < 200; count++) writeSync(file, block);
    closeSync(file);
    const flags = ["--conditions=@notesoup/source", "--no-warnings"];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, root, "a.log"]);
    const { lines, grown, failures } = JSON.parse(stdout) as {
      lines: number;
      grown: number;
      failures: readonly string[];
    };
    expect(lines).toBe(100);
    expect(grown).toBeLessThan(64 * MIB);
    expect(failures).toEqual([
      expect.stringMatching(/^error: too_large: /u),
      expect.stringMatching(/^error: too_large: /u),
    ]);
  });
});
