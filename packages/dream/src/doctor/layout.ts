import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deadLocks, LOCKS_FOLDER, notebookFolders, Slices, TEMPORARY_PREFIX } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { DREAM_LOCK, type DreamHome } from "../home.ts";
import { findLock } from "../lock.ts";
import { RunFiles } from "../run-files.ts";
import { isSystemError } from "../system-error.ts";
import { type DoctorFinding, finding } from "./finding.ts";

/** What is to be found by the names of files and folders alone. */
export async function examineLayout(home: DreamHome, now: number): Promise<readonly DoctorFinding[]> {
  const { root } = home;
  const found: DoctorFinding[] = [...examineLocks(home, now), ...temporariesIn(root, "")];
  const slices = new Slices();
  const folders: string[] = [];
  for (const { path, hasMembers, isMember } of notebookFolders) {
    const top = path.join("/");
    if (isBlocked(root, path)) {
      found.push(finding("not_a_folder", top, "it is no folder, and notebooks should be in it; move it away"));
      continue;
    }
    if (!hasMembers) {
      // Where a link leads, the survey of the notes says: no further look is taken there.
      if (lstatSync(join(root, top), { throwIfNoEntry: false })?.isDirectory() === true) folders.push(top);
      continue;
    }
    for (const entry of entriesOf(root, top)) {
      const place = `${top}/${entry.name}`;
      if (isTemporary(entry.name)) found.push(staleTemporary(place));
      else if (entry.isFile())
        found.push(
          finding("unreachable", oneLine(place), "a file is here, where only notebooks are; move it into one"),
        );
      else if (!isMember(entry.name))
        found.push(
          finding("unreachable", oneLine(place), "no address names a notebook of this name; rename the folder"),
        );
      else if (entry.isDirectory()) folders.push(place);
    }
    found.push(...collisions(top, entriesOf(root, top)));
  }
  // The list grows behind what is taken from it.
  for (const folder of folders) {
    if (slices.isOver) await slices.next();
    const entries = entriesOf(root, folder);
    found.push(...collisions(folder, entries));
    for (const entry of entries) {
      const place = `${folder}/${entry.name}`;
      if (isTemporary(entry.name)) found.push(staleTemporary(place));
      else if (entry.isDirectory()) folders.push(place);
      else if (entry.isSymbolicLink() && !existsSync(join(root, place)))
        found.push(finding("dangling_link", oneLine(place), "the link leads nowhere; repair or remove it"));
    }
  }
  return found;
}

function* examineLocks(home: DreamHome, now: number): Generator<DoctorFinding> {
  const { root } = home;
  for (const name of deadLocks(root))
    yield finding(
      "stale_lock",
      `${LOCKS_FOLDER}/${oneLine(name)}`,
      "the process that took it has died; the next change takes it over, or remove it",
    );
  for (const { name } of entriesOf(root, "").filter((entry) => entry.name.startsWith(DREAM_LOCK))) {
    const lock = findLock(join(root, name), now);
    if (lock === undefined || lock.life === "alive" || lock.life === "pending") continue;
    const who =
      lock.holder === undefined ? "it says no holder" : `process ${lock.holder.pid} on ${oneLine(lock.holder.host)}`;
    const wayOn = {
      dead: "that has died; the next dream takes it over",
      foreign: "whether that lives cannot be told from here; if it does not, remove the file",
      unreadable: "the next dream takes it over",
    }[lock.life];
    yield finding("dream_lock", oneLine(name), `${who}: ${wayOn}`);
  }
  const run = new RunFiles(home).begun()?.run;
  if (run !== undefined && findLock(home.lock, now)?.life !== "alive")
    yield finding(
      "dead_run",
      oneLine(run),
      "a dream died before its end; the next one takes it back first, and so does notesoup dream undo",
    );
}

function temporariesIn(root: string, folder: string): DoctorFinding[] {
  return entriesOf(root, folder)
    .filter(({ name }) => isTemporary(name))
    .map(({ name }) => staleTemporary(folder === "" ? name : `${folder}/${name}`));
}

function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) && name.endsWith(".tmp");
}

function staleTemporary(place: string): DoctorFinding {
  return finding(
    "stale_temporary",
    oneLine(place),
    "a write that did not come to its end left it; remove it, if nothing is being written",
  );
}

/** Whether something that is no folder stands at a path, or on the way to it. */
function isBlocked(root: string, path: readonly string[]): boolean {
  return path.some((_name, index) => {
    try {
      readdirSync(join(root, ...path.slice(0, index + 1)));
      return false;
    } catch (error) {
      return isSystemError(error, "ENOTDIR");
    }
  });
}

function entriesOf(root: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    // What cannot be read is named by who reads the notes.
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** Names of one folder that are one name to a file system that does not tell letters apart by their case. */
function collisions(folder: string, entries: readonly Dirent[]): DoctorFinding[] {
  const named = Map.groupBy(entries, ({ name }) => name.normalize("NFC").toLowerCase());
  return [...named.values()]
    .filter((group) => new Set(group.map(({ name }) => name.normalize("NFC"))).size > 1)
    .map((group) => {
      const names = group.map(({ name }) => oneLine(name)).toSorted();
      return finding(
        "name_collision",
        `${oneLine(folder)}/${names[0]}`,
        `other systems cannot tell it from ${names.slice(1).join(", ")}; rename one`,
      );
    });
}
