import { join } from "node:path";
import { runChild } from "./child.ts";
import type { Finding } from "./finding.ts";
import { publicMembers, readJson, type Member } from "./workspace.ts";

/** `publint`: what is named in package.json exists, and can be resolved by every runtime and bundler. */
export async function checkPublint(workspaceRoot: string, { folder }: Member): Promise<readonly Finding[]> {
  const { status, output } = await runChild(workspaceRoot, "publint", ["run", "--strict", folder]);
  return status === 0 ? [] : [{ where: folder, what: output }];
}

/** `attw`: the types of a packed package are the types of its code, for a consumer of ESM. */
export async function checkTypes(workspaceRoot: string, member: Member, tarball: string): Promise<readonly Finding[]> {
  const { status, output } = await runChild(workspaceRoot, "attw", ["--profile", "esm-only", "--no-emoji", tarball]);
  return status === 0 ? [] : [{ where: member.folder, what: output }];
}

const limitsFile = ".size-limit.json";

/** Each published package has a limit for the code that it ships (compressed, without its dependencies), and keeps it. */
export async function checkSizes(workspaceRoot: string): Promise<readonly Finding[]> {
  const limits = readJson(join(workspaceRoot, limitsFile)) as readonly { readonly name: string }[];
  const unlimited = publicMembers(workspaceRoot)
    .filter(({ manifest }) => !limits.some(({ name }) => name === manifest.name))
    .map(({ manifest }) => ({ where: limitsFile, what: `has no limit for ${manifest.name}` }));
  const { status, output } = await runChild(workspaceRoot, "size-limit", []);
  return status === 0 ? unlimited : [...unlimited, { where: limitsFile, what: output }];
}
