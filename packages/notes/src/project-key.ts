import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";
import { isPath } from "./identity.ts";
import { repositoryRoot } from "./repository-root.ts";
import { shortHash, slugify, stripEnds } from "./slug.ts";

const SLUG_CHARS = 48;

/**
 * The name of the project around a folder: `<slug of the root's name>-<8 hexadecimal digits>`, the
 * digits from the SHA-256 of the root's real path, so that two projects never share a key. One
 * repository has one key, in its subfolders and its linked worktrees too; a submodule is a
 * repository of its own; outside a repository the folder itself is the root. No git is started.
 *
 * @param cwd a folder; made absolute against the process's own
 * @throws NoteError `invalid_identity` where it is not the path of a folder
 */
export function projectKey(cwd: string): string {
  if (!isPath(cwd)) {
    const message = `no project key can be made of ${shownValue(cwd)}: it must be the path of a directory`;
    throw new NoteError("invalid_identity", message);
  }
  const folder = realPath(resolve(cwd));
  const root = repositoryRoot(folder) ?? folder;
  return `${projectSlug(basename(root))}-${shortHash(root)}`;
}

function projectSlug(name: string): string {
  try {
    return stripEnds(slugify(name).slice(0, SLUG_CHARS));
  } catch {
    // Nothing of the name can stand in a slug: the digits tell such projects apart.
    return "project";
  }
}

/** A session can outlive its folder: what is gone keeps its name in the real path of what is still there. */
function realPath(path: string): string {
  const gone: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...gone.toReversed());
    } catch {
      if (dirname(at) === at) return path;
      gone.push(basename(at));
    }
  }
}
