import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "./child.ts";
import type { Finding } from "./finding.ts";
import { publicMembers, workspaceClosure, type Member } from "./workspace.ts";

/** The oldest state that git knows: a package without a CHANGELOG is new from the first line on. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** What stands in a package's folder and does not change what is published. */
const unpublished: readonly string[] = ["test/", "bench/", "tsconfig.test.json", "CHANGELOG.md"];

/**
 * Can the history be asked at all? A copy without a repository and a shallow clone do not know when a
 * package was last released.
 */
export async function hasFullHistory(workspaceRoot: string): Promise<boolean> {
  const { status, stdout } = await runChild(workspaceRoot, "git", ["rev-parse", "--is-shallow-repository"]);
  return status === 0 && stdout.trim() === "false";
}

/**
 * A package that changed since its last CHANGELOG entry has a changeset. A release writes the entry
 * and takes the changeset away, and so the last commit that touched the CHANGELOG is what was
 * published; whatever came after it, in a commit or in the working tree, is still to be told.
 *
 * `changeset status` asks another question, what a branch changed against `main`, and on `main`
 * compares it with itself.
 */
export async function checkChangesets(workspaceRoot: string): Promise<readonly Finding[]> {
  const members = publicMembers(workspaceRoot);
  const pending = pendingChangesets(workspaceRoot);
  const names = new Set(members.map(({ manifest }) => manifest.name));
  const findings: Finding[] = pending
    .filter(({ packageName }) => !names.has(packageName))
    .map(({ file, packageName }) => ({ where: file, what: `names ${packageName}, which is no published package` }));

  for (const member of members) {
    if (pending.some(({ packageName }) => packageName === member.manifest.name)) continue;
    const change = await firstChangeSinceRelease(workspaceRoot, member, members);
    if (change !== undefined) {
      findings.push({
        where: member.folder,
        what: `changed since its last CHANGELOG entry (${change}): add a changeset with \`npm run changeset\``,
      });
    }
  }
  return findings;
}

interface PendingChangeset {
  readonly file: string;
  readonly packageName: string;
}

function pendingChangesets(workspaceRoot: string): readonly PendingChangeset[] {
  return globSync(".changeset/*.md", { cwd: workspaceRoot }).flatMap((file) => {
    const [, frontMatter = ""] = /^---\r?\n(.*?)^---/ms.exec(readFileSync(join(workspaceRoot, file), "utf8")) ?? [];
    return [...frontMatter.matchAll(/^["']?([^"':]+)["']?\s*:\s*["']?(?:major|minor|patch|none)["']?\s*$/gm)].map(
      ([, packageName = ""]) => ({ file, packageName }),
    );
  });
}

async function firstChangeSinceRelease(
  workspaceRoot: string,
  member: Member,
  members: readonly Member[],
): Promise<string | undefined> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { status, output, stdout } = await runChild(workspaceRoot, "git", args);
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${output}`);
    return stdout.trim();
  };
  const changelog = `${member.folder}/CHANGELOG.md`;
  const isWritten = existsSync(join(workspaceRoot, changelog));
  // An entry that is not committed yet is a release that is being made.
  if (isWritten && (await git("status", "--porcelain", "--", changelog)) !== "") return undefined;

  const release = isWritten ? await git("log", "-1", "--format=%H", "--", changelog) : emptyTree;
  const folders = contentOf(member, members).map(({ folder }) => folder);
  const paths = folders.flatMap((folder) => [folder, ...unpublished.map((path) => `:(exclude)${folder}/${path}`)]);
  const committed = await git("diff", "--name-only", release, "--", ...paths);
  const untracked = await git("ls-files", "--others", "--exclude-standard", "--", ...paths);
  return [...committed.split("\n"), ...untracked.split("\n")].find((path) => path !== "");
}

/** An app bundles the packages that it develops against, with all that they depend on: they are its own content. */
function contentOf(member: Member, members: readonly Member[]): readonly Member[] {
  const bundled = members.filter(
    ({ folder, manifest }) =>
      folder.startsWith("packages/") && manifest.name in (member.manifest.devDependencies ?? {}),
  );
  return member.folder.startsWith("apps/") ? [member, ...workspaceClosure(bundled, members)] : [member];
}
