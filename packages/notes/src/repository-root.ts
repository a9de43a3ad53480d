import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The folder that stands for the repository around `folder`, found by reading files, without
 * starting git: the main checkout's root for the checkout and all its linked worktrees; a bare
 * repository's own folder, also for its worktrees; the repository's folder where it is kept apart
 * from the checkout (`--separate-git-dir`); a submodule's own checkout.
 *
 * @param folder physical path of a folder
 * @returns `undefined` where there is no repository
 */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = rootAt(at);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

function rootAt(folder: string): string | undefined {
  const dotGit = join(folder, ".git");
  const physicalDotGit = physical(dotGit);
  // A `.git` that is a link is a repository kept apart from its checkout.
  if (physicalDotGit !== undefined && isRepository(physicalDotGit)) return rootOfRepository(physicalDotGit);
  const gitDirectory = pointedTo(dotGit);
  if (gitDirectory !== undefined) return rootOfLinked(gitDirectory, folder);
  return isRepository(folder) ? rootOfRepository(folder) : undefined;
}

/** The repository folder that a `.git` file names. */
function pointedTo(dotGit: string): string | undefined {
  const target = /^gitdir: (?<path>[^\r\n]+)/u.exec(readText(dotGit) ?? "")?.groups?.["path"];
  return target === undefined ? undefined : resolve(dirname(dotGit), target);
}

function rootOfLinked(gitDirectory: string, checkout: string): string {
  const common = readText(join(gitDirectory, "commondir"))?.trim();
  const repository = physical(common === undefined ? gitDirectory : resolve(gitDirectory, common));
  // A worktree whose repository is away stands for itself.
  return repository !== undefined && isRepository(repository) ? rootOfRepository(repository) : checkout;
}

/** The folder that stands for a repository, wherever one comes from: its main checkout, or else its own folder. */
function rootOfRepository(repository: string): string {
  if (basename(repository) === ".git") return dirname(repository);
  const worktree = configuredWorktree(repository);
  return (worktree === undefined ? undefined : physical(resolve(repository, worktree))) ?? repository;
}

/** What git itself looks for. */
function isRepository(folder: string): boolean {
  return (
    isFolder(join(folder, "objects")) && isFolder(join(folder, "refs")) && readText(join(folder, "HEAD")) !== undefined
  );
}

/** `core.worktree` of a repository's configuration, which a submodule's repository has; sparse checkouts move it to the second file. */
function configuredWorktree(repository: string): string | undefined {
  return worktreeIn(join(repository, "config.worktree")) ?? worktreeIn(join(repository, "config"));
}

function worktreeIn(configuration: string): string | undefined {
  let section = "";
  for (const line of (readText(configuration) ?? "").split(/\r?\n/u)) {
    section = /^\s*\[(?<name>[^\]]*)\]/u.exec(line)?.groups?.["name"]?.trim().toLowerCase() ?? section;
    const value =
      section === "core" ? /^\s*worktree\s*=\s*(?<value>.*?)\s*$/iu.exec(line)?.groups?.["value"] : undefined;
    if (value !== undefined) return unquoted(value);
  }
  return undefined;
}

function unquoted(value: string): string {
  return value.replace(/^"(?<inner>.*)"$/u, "$<inner>").replace(/\\(?<character>["\\])/gu, "$<character>");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not there, a folder, or not to be read: in each case it says nothing.
    return undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function physical(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
