import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
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
  const root = await follow(home);
  let path = root;
  for (const component of components) {
    path = await enter(path, await nameOnDisk(path, component));
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
  // ASCII has one form only.
  if (/^\p{ASCII}*$/u.test(component)) return component;
  try {
    await lstat(join(folder, component));
    return component;
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR")) throw error;
  }
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.normalize("NFC") === component).toSorted()[0] ?? component;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return component;
    throw error;
  }
}

/** One step down from a physical folder. */
async function enter(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  return (await linkTarget(path)) === undefined ? path : follow(path);
}

/** Follows links as far as files exist; the target of a dangling link is where a write would create it. */
async function follow(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT", "ENOTDIR")) throw error;
  }
  const parent = dirname(path);
  // The root of the file system always exists; this ends a path of which nothing does.
  if (parent === path) return path;
  const physical = join(await follow(parent, links), basename(path));
  const target = await linkTarget(physical);
  if (target === undefined) return physical;
  if (links === MAX_LINKS) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return follow(resolve(dirname(physical), target), links + 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: there is something here, and it is no link.
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EINVAL")) return undefined;
    throw error;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
