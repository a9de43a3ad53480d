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
  const visits = new Map<string, number>();
  const ahead: Folder[] = [{ path: top.path, components: [], reaches, chain: [top.path] }];
  // The list grows behind what is taken from it: what lies higher comes first, and by its shortest address.
  for (const folder of ahead) {
    const visited = visits.get(folder.path) ?? 0;
    visits.set(folder.path, visited + 1);
    if (visited < MAX_VISITS) ahead.push(...(await openFolder(root, namespace, folder, slices, findings)));
    else findings.notesUnavailable.push({ address: `${addressOf(namespace, folder.components)}/`, code: "io" });
  }
}

/**
 * By how many addresses one folder is opened. Links can lead to a folder in more ways than anybody
 * could count: what is beyond is named as not looked at.
 */
const MAX_VISITS = 16;

/** Looks into a folder: takes down its notes, and gives the folders in it. */
async function openFolder(
  root: string,
  namespace: Namespace,
  folder: Folder,
  slices: Slices,
  findings: Findings,
): Promise<Folder[]> {
  const folders: Folder[] = [];
  for (const [name, entry] of entriesOf(folder, namespace, findings)) {
    if (slices.isOver) await slices.next();
    const reaches = reachesBelow(folder.reaches, name);
    if (reaches.length === 0) continue;
    const components = [...folder.components, name];
    const address = addressOf(namespace, components);
    const place = placeOf(root, join(folder.path, entry.name), entry);
    if (typeof place === "string") {
      if (place !== "missing") findings.notesUnavailable.push({ address, code: place });
    } else if (place.isFolder) {
      const chain = [...folder.chain, place.path];
      if (!folder.chain.includes(place.path)) folders.push({ path: place.path, components, reaches, chain });
    } else if (name.endsWith(".md") && reaches.some(({ alternative, state }) => isAccepted(alternative, state))) {
      if (isAddressable(namespace, components))
        findings.notes.push({ address, namespace, components, path: place.path });
      else findings.notesUnavailable.push({ address, code: "invalid_address" });
    }
  }
  return folders;
}

/** Where an entry leads and whether that is a folder; or why it leads nowhere, as a status says it. */
function placeOf(
  root: string,
  path: string,
  entry: Dirent,
): { readonly path: string; readonly isFolder: boolean } | "missing" | "outside_home" | "io" | "not_utf8" {
  // A name that is not UTF-8 is read with this mark in it, and then there is no such file.
  if (entry.name.includes("\ufffd") && lstatSync(path, { throwIfNoEntry: false }) === undefined) return "not_utf8";
  if (!entry.isSymbolicLink()) return { path, isFolder: entry.isDirectory() };
  const place = inHome(root, path);
  if (place === "missing") return "missing";
  if (place === "outside") return "outside_home";
  if (place === "closed") return "io";
  // What was there a moment ago can be gone.
  const stats = lstatSync(place.path, { throwIfNoEntry: false });
  return stats === undefined ? "missing" : { path: place.path, isFolder: stats.isDirectory() };
}

/** The entries of a folder by their composed names. Of two that compose to one, the composed one counts. */
function entriesOf(folder: Folder, namespace: Namespace, findings: Findings): Map<string, Dirent> {
  const entries = new Map<string, Dirent>();
  for (const entry of readFolder(folder, namespace, findings)) {
    const name = entry.name.normalize("NFC");
    const other = entries.get(name);
    if (other !== undefined && reachesBelow(folder.reaches, name).length > 0) {
      findings.notesUnavailable.push({ address: addressOf(namespace, [...folder.components, name]), code: "shadowed" });
    }
    if (other === undefined || entry.name === name) entries.set(name, entry);
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
