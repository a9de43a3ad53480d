import { lstat, readdir, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, relative, sep } from "node:path";
import { NoteError } from "./error.ts";
import { isSystemError, shownAddress } from "./system-error.ts";

const MAX_LINKS = 40;

/**
 * The file that an address means, every link on the way followed: what is read, and what is
 * replaced, so that a linked note is written through to its target.
 *
 * Cooperative rules, not a sandbox: a link that someone changes between this look and the write
 * is not noticed.
 *
 * @param home the notes home, absolute
 * @param components directory of the namespace and path of the note
 * @returns the physical path; nothing need exist there
 * @throws NoteError `outside_home` where a link leads out of the home
 */
export async function physicalPath(home: string, components: readonly string[], address: string): Promise<string> {
  const root = await walk(parse(home).root, home);
  let path = root;
  for (const component of components) {
    path = await walk(path, await nameOnDisk(path, component));
    if (!isInside(root, path)) {
      throw new NoteError(
        "outside_home",
        `${shownAddress(address)} leads out of the notes home by a link; move the linked files into the home or choose another address`,
        { address },
      );
    }
  }
  return path;
}

/**
 * The name under which a component, composed as addresses are (NFC), lies in its folder: some
 * programs and file systems write names decomposed. The composed name wins where both exist.
 */
async function nameOnDisk(folder: string, component: string): Promise<string> {
  if (await exists(join(folder, component))) return component;
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.normalize("NFC") === component).toSorted()[0] ?? component;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return component;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

/**
 * Goes along a path as the system does, link by link, from a physical folder. What does not exist
 * is taken by its name, so that the target of a dangling link is where a write would create it;
 * but there is no way up again from there.
 */
async function walk(from: string, path: string): Promise<string> {
  let at = isAbsolute(path) ? parse(path).root : from;
  const ahead = partsOf(path);
  let links = 0;
  let isMissing = false;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    if (part === "..") {
      if (isMissing) throw Object.assign(new Error("no such folder"), { code: "ENOENT" });
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const target = isMissing ? undefined : await linkTarget(next);
    if (target === undefined) {
      isMissing ||= !(await exists(next));
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    if (isAbsolute(target)) at = parse(target).root;
    ahead.unshift(...partsOf(target));
  }
  return at;
}

function partsOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((part) => part !== "" && part !== ".");
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: there is something here, and it is no link. Windows says UNKNOWN.
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EINVAL", "UNKNOWN")) return undefined;
    throw error;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
