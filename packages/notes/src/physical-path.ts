import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, relative, sep } from "node:path";
import { NoteError } from "./error.ts";
import { isSystemError, shownAddress } from "./system-error.ts";

const MAX_LINKS = 40;

/** Where a note lies. */
export interface Location {
  /** The physical notes home. */
  readonly root: string;
  /** The file itself, every link followed: what is read, and what is replaced. Nothing need exist there. */
  readonly path: string;
  /** The note's own place in its folder: the file, or a link to it. What a move takes away. */
  readonly entry: string;
}

/**
 * Finds the file that an address means, every link on the way followed, so that a linked note is
 * written through to its target.
 *
 * Cooperative rules, not a sandbox: a link that someone changes between this look and the write
 * is not noticed.
 *
 * @param home the notes home, absolute
 * @param components folder of the namespace and path of the note
 * @throws NoteError `outside_home` where a link leads out of the home
 */
export function locate(home: string, components: readonly string[], address: string): Location {
  const root = physicalPath(home);
  let path = root;
  let entry = root;
  for (const component of components) {
    entry = join(path, nameOnDisk(path, component));
    path = walk(path, basename(entry));
    if (!isInside(root, path)) {
      throw new NoteError(
        "outside_home",
        `${shownAddress(address)} leads out of the notes home by a link; move the linked files into the home or choose another address`,
        { address },
      );
    }
  }
  return { root, path, entry };
}

/** A path with every link followed, as far as files exist. */
export function physicalPath(path: string): string {
  return walk(parse(path).root, path);
}

/**
 * The name under which a component, composed as addresses are (NFC), lies in its folder: some
 * programs and file systems write names decomposed. The composed name wins where both exist.
 */
function nameOnDisk(folder: string, component: string): string {
  if (exists(join(folder, component))) return component;
  try {
    const names = readdirSync(folder);
    return names.filter((name) => name.normalize("NFC") === component).toSorted()[0] ?? component;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return component;
    throw error;
  }
}

function exists(path: string): boolean {
  return entryAt(path) !== undefined;
}

/** What is at a path, a link not followed; `undefined` for nothing, also where a file stands in the way. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isSystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/**
 * Goes along a path as the system does, link by link, from a physical folder. What does not exist
 * is taken by its name, so that the target of a dangling link is where a write would create it;
 * but there is no way up again from there.
 */
function walk(from: string, path: string): string {
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
    const entry: Stats | undefined = isMissing ? undefined : entryAt(next);
    if (entry?.isSymbolicLink() !== true) {
      isMissing ||= entry === undefined;
      at = next;
      continue;
    }
    const target = readlinkSync(next);
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

/** Whether a physical path is the root or below it. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
