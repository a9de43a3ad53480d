import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isAddressable } from "./address.ts";
import { advance, isAccepted } from "./glob.ts";
import type { Namespace } from "./namespace.ts";
import { isInside } from "./physical-path.ts";
import type { UnavailableNote } from "./query.ts";
import { namespaceLabel, namespacePath, type Reach, type ReachedNamespace } from "./reach.ts";
import type { Slices } from "./slices.ts";
import { isSystemError } from "./system-error.ts";

/** A note's file that a query has found. */
export interface FoundNote {
  readonly address: string;
  readonly namespace: Namespace;
  /** The path inside its notebook, component by component, composed as addresses are. */
  readonly components: readonly string[];
  /** Where it lies, links followed. */
  readonly path: string;
}

/** What a walk found, and what it could not look at. */
export interface Findings {
  readonly notes: FoundNote[];
  readonly namespacesUnavailable: string[];
  readonly notesUnavailable: UnavailableNote[];
}

/** A folder on the way of a walk. */
interface Folder {
  readonly path: string;
  readonly components: readonly string[];
  readonly reaches: readonly Reach[];
  /** The physical folders above it and itself: a link to one of them would be walked for ever. */
  readonly chain: readonly string[];
}

/**
 * Finds the notes of a namespace that a glob matches. Only folders in which it can match are opened,
 * and no link is followed out of the home.
 *
 * @param root physical notes home
 */
export async function findNotes(
  root: string,
  { namespace, reaches }: ReachedNamespace,
  slices: Slices,
  findings: Findings,
): Promise<void> {
  const top = inHome(root, namespacePath(root, namespace));
  if (top === "missing") return;
  if (top === "outside" || top === "closed") {
    findings.namespacesUnavailable.push(namespaceLabel(namespace));
    return;
  }
  const ahead: Folder[] = [{ path: top.path, components: [], reaches, chain: [top.path] }];
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    if (slices.isOver) await slices.next();
    ahead.push(...openFolder(root, namespace, folder, findings));
  }
}

/** Looks into a folder: takes down its notes, and gives the folders in it. */
function openFolder(root: string, namespace: Namespace, folder: Folder, findings: Findings): Folder[] {
  const folders: Folder[] = [];
  for (const [name, entry] of entriesOf(folder, namespace, findings)) {
    const reaches = reachesBelow(folder.reaches, name);
    if (reaches.length === 0) continue;
    const components = [...folder.components, name];
    const place = entry.isSymbolicLink()
      ? inHome(root, join(folder.path, entry.name))
      : { path: join(folder.path, entry.name) };
    if (place === "missing") continue;
    if (place === "outside" || place === "closed") {
      const code = place === "outside" ? "outside_home" : "io";
      findings.notesUnavailable.push({ address: addressOf(namespace, components), code });
      continue;
    }
    const isFolder = entry.isSymbolicLink() ? lstatSync(place.path).isDirectory() : entry.isDirectory();
    if (isFolder) {
      if (!folder.chain.includes(place.path))
        folders.push({ path: place.path, components, reaches, chain: [...folder.chain, place.path] });
    } else if (name.endsWith(".md") && reaches.some(({ alternative, state }) => isAccepted(alternative, state))) {
      const address = addressOf(namespace, components);
      if (isAddressable(namespace, components))
        findings.notes.push({ address, namespace, components, path: place.path });
      else findings.notesUnavailable.push({ address, code: "invalid_address" });
    }
  }
  return folders;
}

/** The entries of a folder by their composed names. Of two that compose to one, the composed one counts. */
function entriesOf(folder: Folder, namespace: Namespace, findings: Findings): Map<string, Dirent> {
  const entries = new Map<string, Dirent>();
  for (const entry of readFolder(folder, namespace, findings)) {
    const name = entry.name.normalize("NFC");
    const other = entries.get(name);
    if (other !== undefined) {
      findings.notesUnavailable.push({ address: addressOf(namespace, [...folder.components, name]), code: "shadowed" });
      if (entry.name !== name) continue;
    }
    entries.set(name, entry);
  }
  return entries;
}

function readFolder({ path, components }: Folder, namespace: Namespace, findings: Findings): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (isSystemError(error, "ENOENT")) return [];
    if (components.length === 0) findings.namespacesUnavailable.push(namespaceLabel(namespace));
    else findings.notesUnavailable.push({ address: `${addressOf(namespace, components)}/`, code: "io" });
    return [];
  }
}

function reachesBelow(reaches: readonly Reach[], name: string): Reach[] {
  return reaches.flatMap(({ alternative, state }) => {
    const next = advance(alternative, state, name);
    return next.size === 0 ? [] : [{ alternative, state: next }];
  });
}

function addressOf({ prefix }: Namespace, components: readonly string[]): string {
  return `${prefix}${components.join("/")}`;
}

/** A path with its links followed, if that stays in the home; or why not. */
function inHome(root: string, path: string): { readonly path: string } | "missing" | "outside" | "closed" {
  try {
    const physical = realpathSync(path);
    return isInside(root, physical) ? { path: physical } : "outside";
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return "missing";
    if (isSystemError(error)) return "closed";
    throw error;
  }
}
