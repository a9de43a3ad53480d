import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runChild } from "./child.ts";

/** What the checks read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface Member {
  /** Its folder relative to the root of the workspace, such as `packages/notes`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace, in the order of their folders. */
export function workspaceMembers(workspaceRoot: string): readonly Member[] {
  const { workspaces } = readJson(join(workspaceRoot, "package.json")) as { workspaces: readonly string[] };
  return globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: workspaceRoot, exclude: ["**/node_modules/**"] },
  )
    .map((path) => ({
      folder: dirname(path).replaceAll("\\", "/"),
      manifest: readJson(join(workspaceRoot, path)) as Manifest,
    }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The packages and apps that are published. */
export function publicMembers(workspaceRoot: string): readonly Member[] {
  return workspaceMembers(workspaceRoot).filter(({ manifest }) => manifest.private !== true);
}

/** Is it a library of `packages/`, and not an app or a tool? */
export function isLibrary(member: Member): boolean {
  return member.folder.startsWith("packages/");
}

/** The entry points that a consumer can import, as specifiers: an app that a host loads by file may have none. */
export function importableEntries({ manifest }: Member): readonly string[] {
  return Object.keys(manifest.exports ?? {})
    .filter((subpath) => subpath !== "./package.json")
    .map((subpath) => manifest.name + subpath.slice(1));
}

/** What a consumer's install brings: everything that a published file may import. */
export function installedWith({ manifest }: Member): readonly string[] {
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
}

/** These members and all members that they depend on, however far away. */
export function workspaceClosure(start: readonly Member[], all: readonly Member[]): readonly Member[] {
  const byName = new Map(all.map((member) => [member.manifest.name, member]));
  const closure = new Set(start);
  // A set gives what is added to it while it is walked.
  for (const member of closure) {
    for (const name of installedWith(member)) {
      const found = byName.get(name);
      if (found !== undefined) closure.add(found);
    }
  }
  return [...closure];
}

/**
 * The files that are committed or would be by `git add --all`, relative to the root.
 *
 * @throws Error in a copy of the workspace that is no repository
 */
export async function trackedFiles(workspaceRoot: string): Promise<readonly string[]> {
  const listed = await runChild(workspaceRoot, "git", [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
  ]);
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.output}`);
  return listed.stdout.split("\0").filter((path) => path !== "" && existsSync(join(workspaceRoot, path)));
}

/** Reads a JSON file; what it holds is for the caller to say. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
