import { beforeEach, describe, expect, it, vi } from "vitest";
import { checkLocks, checkMachineNames } from "../src/committed-text.ts";
import { report } from "../src/finding.ts";
import { fixtureWorkspace } from "./fixture-workspace.ts";
import { writeFiles } from "./temporary-folder.ts";

// Spelt in parts, as this file is committed too.
const registry = ["https://", "registry.npmjs.org/"].join("");

describe("checkLocks", { timeout: 60_000 }, () => {
  it("passes a lock without addresses beside its setting", async (context) => {
    expect(await checkLocks(await fixtureWorkspace(context))).toEqual([]);
  });

  it("fails on a lock that holds an address", async (context) => {
    const lock = { packages: { "node_modules/yaml": { version: "2.9.1", resolved: `${registry}yaml.tgz` } } };
    const root = await fixtureWorkspace(context, { "package-lock.json": lock });
    expect(report(await checkLocks(root))).toEqual([
      "package-lock.json: names the registry that it was made with: remove `resolved`",
    ]);
  });

  it("fails on a folder with a lock and no setting of its own", async (context) => {
    const root = await fixtureWorkspace(context, { "tools/hosts/pinned/package-lock.json": "{}" });
    expect(report(await checkLocks(root))).toEqual([
      "tools/hosts/pinned/package-lock.json: stands beside no .npmrc with omit-lockfile-registry-resolved=true",
    ]);
  });
});

describe("checkMachineNames", { timeout: 60_000 }, () => {
  beforeEach(() => {
    vi.stubEnv("CI", undefined);
    return () => vi.unstubAllEnvs();
  });

  it("passes a workspace that names neither", async (context) => {
    const root = await fixtureWorkspace(context, {
      "docs/a.md": "See https://www.npmjs.com/package/yaml and /home/you/project.",
    });
    expect(await checkMachineNames(root)).toEqual([]);
  });

  it("fails on a registry, the one that npm is set to among them", async (context) => {
    vi.stubEnv("npm_config_registry", "https://packages.example.invalid/npm/");
    const root = await fixtureWorkspace(context, {
      "docs/a.md": `Get it from ${registry}yaml`,
      "docs/b.md": "Get it from https://packages.example.invalid/npm/yaml",
    });
    expect(report(await checkMachineNames(root))).toEqual([
      "docs/a.md: names the address of a registry",
      "docs/b.md: names the address of a registry",
    ]);
  });

  it("fails on the folder of the checkout, and not on one whose name only starts like it", async (context) => {
    const root = await fixtureWorkspace(context);
    await writeFiles(root, { "docs/a.md": `cd "${root}"`, "docs/b.md": `cd ${root}-other` });
    expect(report(await checkMachineNames(root))).toEqual(["docs/a.md: names the folder of this checkout"]);
  });

  it("looks for no checkout on a build server, whose folder may be the example of a document", async (context) => {
    vi.stubEnv("CI", "true");
    const root = await fixtureWorkspace(context);
    await writeFiles(root, { "docs/a.md": `cd "${root}"` });
    expect(await checkMachineNames(root)).toEqual([]);
  });
});
