import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packPackage } from "../src/index.ts";
import { temporaryFolder } from "./temporary.ts";

async function madeUpPackage(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "dist"));
  await mkdir(join(folder, "src"));
  const scripts = { prepack: "exit 1" };
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "@made-up/package", version: "1.0.0", files: ["dist"], scripts }),
  );
  await writeFile(join(folder, "dist", "index.js"), "");
  await writeFile(join(folder, "src", "index.ts"), "");
  return folder;
}

describe("a package that is packed and unpacked", { timeout: 60_000 }, () => {
  it("holds what would be published, and no script of it has run", async () => {
    const into = join(await temporaryFolder(), "node_modules", "@made-up", "package");
    expect(await packPackage(await madeUpPackage(), into)).toBe(into);
    expect((await readdir(into)).toSorted()).toEqual(["dist", "package.json"]);
    expect(await readdir(join(into, "dist"))).toEqual(["index.js"]);
  });

  it("never mixes with what is in the folder already", async () => {
    const into = await temporaryFolder();
    await writeFile(join(into, "old.js"), "");
    await expect(packPackage(await madeUpPackage(), into)).rejects.toThrow(`${into} is not empty.`);
  });

  it("shows what npm said where it fails", async () => {
    await expect(packPackage(await temporaryFolder(), await temporaryFolder())).rejects.toThrow(
      /npm pack.* ended with \d+\..*package\.json/s,
    );
  });
});
