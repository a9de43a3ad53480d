import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { installPinned, type Pin } from "../src/pinned.ts";
import { temporaryFolder } from "./temporary.ts";

const NAME = "made-up-host";

/** A pin whose host is a folder, so that npm needs no network. */
async function pinned(): Promise<Pin> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "host"));
  const dependencies = { [NAME]: "file:host" };
  const host = { name: NAME, version: "1.2.3", bin: { host: "cli.js" }, engines: { node: ">=999" } };
  await writeJson(folder, "host/package.json", host);
  await writeJson(folder, "package.json", { name: "pin", dependencies });
  await writeLock(folder, {
    "": { name: "pin", dependencies },
    host,
    [`node_modules/${NAME}`]: { resolved: "host", link: true },
  });
  return { folder, packageName: NAME, bin: "host" };
}

function writeJson(folder: string, path: string, value: object): Promise<void> {
  return writeFile(join(folder, path), JSON.stringify(value));
}

function writeLock(folder: string, packages: object): Promise<void> {
  return writeJson(folder, "package-lock.json", { name: "pin", lockfileVersion: 3, requires: true, packages });
}

/** Which installation it is: npm empties the folder each time, and the stamp with it. */
async function installation({ folder }: Pin): Promise<number> {
  return (await stat(join(folder, "node_modules", ".notesoup-lock-hash"))).mtimeMs;
}

describe("the installation of a pin", { timeout: 60_000 }, () => {
  it("is what its lock says", async () => {
    const pin = await pinned();
    const root = join(pin.folder, "node_modules", NAME);
    expect(await installPinned(pin)).toEqual({ cli: join(root, "cli.js"), root, version: "1.2.3" });
  });

  it("happens once, also where two ask for it at once", async () => {
    const pin = await pinned();
    await Promise.all([installPinned(pin), installPinned(pin)]);
    const first = await installation(pin);
    await installPinned(pin);
    expect(await installation(pin)).toBe(first);
  });

  it("waits for nobody where it is there already", async () => {
    const pin = await pinned();
    await installPinned(pin);
    await mkdir(join(pin.folder, ".install-lock"));
    await writeJson(pin.folder, ".install-lock/1.json", { pid: process.pid, started: null });
    expect(await installPinned(pin, { waitMs: 0 })).toMatchObject({ version: "1.2.3" });
    await rm(join(pin.folder, "node_modules"), { recursive: true });
    await expect(installPinned(pin, { waitMs: 0 })).rejects.toThrow(`held by process ${process.pid}`);
  });

  it("happens again where the lock has changed", async () => {
    const pin = await pinned();
    await installPinned(pin);
    const lock = join(pin.folder, "package-lock.json");
    const before = await installation(pin);
    await writeFile(lock, `${await readFile(lock, "utf8")}\n`);
    await installPinned(pin);
    expect(await installation(pin)).toBeGreaterThan(before);
  });

  it("that fails shows what npm said, and is tried again by the next", async () => {
    const pin = await pinned();
    const lock = join(pin.folder, "package-lock.json");
    const good = await readFile(lock);
    await writeLock(pin.folder, { "": { name: "pin" } });
    await expect(installPinned(pin)).rejects.toThrow(/npm ci.* ended with 1\..*can only install packages when/s);
    await writeFile(lock, good);
    expect(await installPinned(pin)).toMatchObject({ version: "1.2.3" });
  });

  it("does not obey the flags of an npm that runs it", async () => {
    vi.stubEnv("npm_config_workspace", "elsewhere");
    vi.stubEnv("npm_config_dry_run", "true");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await installPinned(await pinned())).toMatchObject({ version: "1.2.3" });
  });

  it("knows the commands of a host", async () => {
    await expect(installPinned({ ...(await pinned()), bin: "other" })).rejects.toThrow(
      "made-up-host 1.2.3 has no command other.",
    );
  });
});
