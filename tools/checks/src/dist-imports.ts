import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Finding } from "./finding.ts";
import { environmentReads, importSpecifiers } from "./import-specifiers.ts";
import { hostSdks, mayImport, restrictedSubpaths } from "./layers.ts";
import { installedWith, isLibrary, publicMembers, workspaceClosure, type Member } from "./workspace.ts";

/** Libraries that people install for themselves: a schema library may not come along. */
const withoutTypebox: readonly string[] = ["@notesoup/notes", "@notesoup/ide-registry"];

/**
 * What was built is what a consumer gets, and so the layers are checked once more in it: every
 * module that a `.js` or `.d.ts` of `dist` names is an own file, a Node module, or a declared
 * dependency; of the workspace only what the table of layers allows; in `packages/` never a host's
 * SDK. Nor does a library read the environment of the process: a host hands it what it needs.
 */
export function checkDistImports(workspaceRoot: string): readonly Finding[] {
  const members = publicMembers(workspaceRoot);
  return members.flatMap((member) => [
    ...builtFiles(workspaceRoot, member).flatMap((file) => checkFile(workspaceRoot, member, members, file)),
    ...checkIsBuilt(workspaceRoot, member),
    ...checkTypebox(member, members),
  ]);
}

function builtFiles(workspaceRoot: string, member: Member): readonly string[] {
  return globSync("dist/**/*.{js,d.ts}", { cwd: join(workspaceRoot, member.folder) })
    .map((path) => join(member.folder, path))
    .toSorted();
}

function checkIsBuilt(workspaceRoot: string, member: Member): readonly Finding[] {
  if (existsSync(join(workspaceRoot, member.folder, "dist"))) return [];
  return [{ where: member.folder, what: "is not built: run `npm run build` first" }];
}

function checkFile(
  workspaceRoot: string,
  member: Member,
  members: readonly Member[],
  file: string,
): readonly Finding[] {
  const text = readFileSync(join(workspaceRoot, file), "utf8");
  const findings: Finding[] = [];
  for (const { specifier, line } of importSpecifiers(file, text)) {
    const what = problemWith(specifier, member, members, file);
    if (what !== undefined) findings.push({ where: `${file}:${line}`, what });
  }
  if (isLibrary(member)) {
    for (const line of environmentReads(file, text)) {
      findings.push({ where: `${file}:${line}`, what: "reads the environment of the process: take it as an argument" });
    }
  }
  return findings;
}

function problemWith(
  specifier: string | undefined,
  member: Member,
  members: readonly Member[],
  file: string,
): string | undefined {
  if (specifier === undefined) {
    // A bundle holds code of others, which may well compute what it loads.
    return isLibrary(member) ? "imports a module whose name is computed, so that nobody can check it" : undefined;
  }
  if (specifier.startsWith(".")) {
    const target = relative(join(member.folder, "dist"), join(dirname(file), specifier));
    return target.startsWith("..") ? `imports ${specifier}, which is outside its dist` : undefined;
  }
  if (isBuiltin(specifier)) {
    return specifier.startsWith("node:") || !isLibrary(member) ? undefined : `imports ${specifier} without node:`;
  }

  const packageName = packageOf(specifier);
  if (isLibrary(member) && hostSdks.some((scope) => packageName.startsWith(scope))) {
    return `imports ${specifier}: a library knows no host`;
  }
  // `types="node"` is a reference to the types of Node, which every consumer on Node has.
  if (packageName === member.manifest.name || (specifier === "node" && file.endsWith(".d.ts"))) return undefined;
  const target = members.find(({ manifest }) => manifest.name === packageName);
  if (target !== undefined) {
    const path = target.folder + specifier.slice(packageName.length);
    const wanted = restrictedSubpaths.includes(path) ? path : target.folder;
    if (!mayImport(member.folder).includes(wanted)) {
      return `imports ${specifier}, which the table of layers does not allow`;
    }
  }
  if (!installedWith(member).includes(packageName))
    return `imports ${specifier}, which its package.json does not declare`;
  return undefined;
}

/** `@a/b/c` is of `@a/b`, and `a/b` is of `a`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function checkTypebox(member: Member, members: readonly Member[]): readonly Finding[] {
  if (!withoutTypebox.includes(member.manifest.name)) return [];
  return workspaceClosure([member], members)
    .filter((part) => installedWith(part).some((name) => /(^|\/)typebox$/.test(name)))
    .map((part) => ({ where: member.folder, what: `brings typebox through ${part.manifest.name}` }));
}
