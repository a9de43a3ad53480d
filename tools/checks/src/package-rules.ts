import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Finding } from "./finding.ts";
import { isLibrary, trackedFiles, workspaceMembers, type Member } from "./workspace.ts";

/** The order in which a resolver must meet the conditions: our own sources first, then types, then code. */
const conditions: readonly string[] = ["@notesoup/source", "types", "default"];

/**
 * What every published package has in common: a README, a description, the license, ESM, the folder
 * that is published, the supported Node, and conditions in an order that resolves. What stands in
 * `packages/` and `apps/` is published, and only that.
 */
export function checkPackageRules(workspaceRoot: string): readonly Finding[] {
  return workspaceMembers(workspaceRoot).flatMap((member) =>
    rulesBroken(workspaceRoot, member).map((what) => ({ where: `${member.folder}/package.json`, what })),
  );
}

function rulesBroken(workspaceRoot: string, member: Member): readonly string[] {
  const { folder, manifest } = member;
  const isPublic = manifest.private !== true;
  if (!/^(?:packages|apps)\//u.test(folder))
    return isPublic ? ["breaks the rule that what is not in packages/ or apps/ is private"] : [];

  const rules: readonly (readonly [kept: boolean, rule: string])[] = [
    [isPublic, "is published, not private"],
    [existsSync(join(workspaceRoot, folder, "README.md")), "has a README.md"],
    [existsSync(join(workspaceRoot, folder, "LICENSE")), "has its own copy of the LICENSE, which is packed"],
    [isText(manifest.description), "has a description"],
    [manifest.license === "MIT", 'has "license": "MIT"'],
    [manifest.type === "module", 'has "type": "module"'],
    [
      isLibrary(member) ? manifest.files?.join() === "dist" : manifest.files?.includes("dist") === true,
      isLibrary(member) ? 'has "files": ["dist"]' : 'has "dist" among its files',
    ],
    [!isLibrary(member) || manifest.sideEffects === false, 'has "sideEffects": false'],
    [manifest.publishConfig?.["access"] === "public", 'has "publishConfig": { "access": "public" }'],
    [manifest.engines?.["node"] === ">=22.19", 'has "engines": { "node": ">=22.19" }'],
    [manifest.exports !== undefined, "says in exports what can be imported"],
    [
      exportsAreInOrder(manifest.exports),
      `has the conditions ${conditions.join(", ")} in each of its exports, in this order`,
    ],
  ];
  return rules.filter(([kept]) => !kept).map(([, rule]) => `breaks the rule that it ${rule}`);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function exportsAreInOrder(exports: Member["manifest"]["exports"] = {}): boolean {
  return Object.entries(exports).every(([subpath, target]) =>
    typeof target === "string" ? subpath === "./package.json" : Object.keys(target).join() === conditions.join(),
  );
}

/** A file is named after its concept. These are names of kinds. */
const namesOfKinds = /^(utils?|helpers?|types|common|misc)\.[cm]?[jt]sx?$/;

/** No file is named after its kind. */
export async function checkFileNames(workspaceRoot: string): Promise<readonly Finding[]> {
  return (await trackedFiles(workspaceRoot))
    .filter((path) => namesOfKinds.test(basename(path)))
    .map((where) => ({ where, what: "is named after a kind of file: name it after its concept" }));
}
