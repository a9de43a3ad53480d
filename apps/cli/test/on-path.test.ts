import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { expect, it } from "vitest";
import { onPath } from "../src/command/on-path.ts";

it("finds the first program of a name: no folder, and no file that cannot be run", async () => {
  const root = await temporaryFolder();
  const folders = ["a", "b", "c", "d"].map((name) => join(root, name));
  for (const folder of folders) await mkdir(folder);
  const [a = "", b = "", c = "", d = ""] = folders;
  await mkdir(join(a, "pi"));
  await writeFile(join(b, "pi"), "");
  for (const folder of [c, d]) {
    await writeFile(join(folder, "pi"), "");
    await chmod(join(folder, "pi"), 0o755);
  }
  expect(await onPath("pi", ["", join(root, "gone"), ...folders].join(":"))).toBe(join(c, "pi"));
  expect(await onPath("po", folders.join(":"))).toBeUndefined();
  expect(await onPath("pi", undefined)).toBeUndefined();
});
