import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkChangesets, hasFullHistory } from "../src/changesets.ts";
import { checkLocks, checkMachineNames } from "../src/committed-text.ts";
import { checkDistImports } from "../src/dist-imports.ts";
import { report } from "../src/finding.ts";
import { checkFileNames, checkPackageRules } from "../src/package-rules.ts";
import { checkPublicSurface } from "../src/public-surface.ts";
import { workspaceRoot } from "./workspace-root.ts";

const isRepository = existsSync(join(workspaceRoot, ".git"));
const knowsItsReleases = await hasFullHistory(workspaceRoot);

describe("the packages of this workspace", () => {
  it("keep the rules of a published package", () => {
    expect(report(checkPackageRules(workspaceRoot))).toEqual([]);
  });

  it("list what they export by name, each with a doc comment", () => {
    expect(report(checkPublicSurface(workspaceRoot))).toEqual([]);
  });

  it("import in what is built only what the layers allow and package.json declares", () => {
    expect(report(checkDistImports(workspaceRoot))).toEqual([]);
  });
});

describe.skipIf(!isRepository)("what is committed", () => {
  it("names files after concepts", async () => {
    expect(report(await checkFileNames(workspaceRoot))).toEqual([]);
  });

  it("has no address in a lock", async () => {
    expect(report(await checkLocks(workspaceRoot))).toEqual([]);
  });

  it("names no machine: no folder of a checkout, no registry", async () => {
    expect(report(await checkMachineNames(workspaceRoot))).toEqual([]);
  });

  it.skipIf(!knowsItsReleases)("has a changeset for each package that changed since its last release", async () => {
    expect(report(await checkChangesets(workspaceRoot))).toEqual([]);
  });
});
