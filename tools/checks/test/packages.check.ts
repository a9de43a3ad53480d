import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { report } from "../src/finding.ts";
import { checkPublint, checkSizes, checkTypes } from "../src/package-tools.ts";
import { checkPackedInstall, packMembers, type Tarballs } from "../src/packed-install.ts";
import { importableEntries, publicMembers } from "../src/workspace.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { workspaceRoot } from "./workspace-root.ts";

const members = publicMembers(workspaceRoot);
const published = members.map((member) => [member.manifest.name, member] as const);
// What a host loads by file has no entry that anybody could import.
const importable = published.filter(([, member]) => importableEntries(member).length > 0);

it("every published package keeps its size limit", async () => {
  expect(report(await checkSizes(workspaceRoot))).toEqual([]);
});

describe.concurrent("a published package", () => {
  it.each(published)("%s is what its package.json says", async (_name, member) => {
    expect(report(await checkPublint(workspaceRoot, member))).toEqual([]);
  });
});

describe.concurrent("a packed package", () => {
  let folder: string;
  let tarballs: Tarballs;
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), "notesoup-packed-"));
    tarballs = await packMembers(workspaceRoot, members, folder);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }), 60_000);

  it.each(importable)("%s has the types of its code", async (name, member) => {
    expect(report(await checkTypes(workspaceRoot, member, tarballs.get(name) ?? ""))).toEqual([]);
  });

  it.for(importable)("%s can be installed alone, imported and compiled against", async ([, member], context) => {
    expect(report(await checkPackedInstall(workspaceRoot, member, tarballs, await temporaryFolder(context)))).toEqual(
      [],
    );
  });
});
