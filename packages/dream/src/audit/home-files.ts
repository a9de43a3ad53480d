import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { LOCKS_FOLDER, Slices, TEMPORARY_PREFIX } from "@notesoup/notes/maintenance";
import { DREAM_LOCK } from "../home.ts";
import { isSystemError } from "../system-error.ts";
import { blobName, type Tree, type TreeFile, treeFile } from "./tree.ts";

/** No larger file is a note, and so none that a dream could change. */
const FILE_MAX_BYTES = 1_048_576;

/**
 * The files of the home as the audit records them: bytes as they are, links as links, a repository
 * that is nested in it as files. Left out are locks, temporary files, the inner folder of any
 * repository, names that are not UTF-8, and files that are larger than any note or cannot be read.
 *
 * @param known blobs whose bytes need not be given
 */
export async function homeFiles(root: string, known: ReadonlySet<string>): Promise<Tree> {
  const tree = new Map<string, TreeFile>();
  const slices = new Slices();
  const folders = [""];
  // The list grows behind what is taken from it.
  for (const folder of folders) {
    for (const entry of entriesOf(join(root, folder))) {
      if (slices.isOver) await slices.next();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isLeftOut(path, entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else {
        const file = fileAt(join(root, path), entry);
        if (file !== undefined) tree.set(path, known.has(file.blob) ? { mode: file.mode, blob: file.blob } : file);
      }
    }
  }
  return tree;
}

function isLeftOut(path: string, name: string): boolean {
  return (
    name.toLowerCase() === ".git" ||
    name.includes("\ufffd") ||
    path === LOCKS_FOLDER ||
    path.startsWith(DREAM_LOCK) ||
    (name.startsWith(TEMPORARY_PREFIX) && name.endsWith(".tmp"))
  );
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return [];
    throw error;
  }
}

function fileAt(path: string, entry: Dirent): TreeFile | undefined {
  try {
    if (entry.isSymbolicLink()) {
      const bytes = Buffer.from(readlinkSync(path), "utf8");
      return { mode: "120000", blob: blobName(bytes), bytes };
    }
    if (!entry.isFile()) return undefined;
    const { mode, size } = lstatSync(path);
    return size > FILE_MAX_BYTES ? undefined : treeFile(readFileSync(path), mode);
  } catch (error) {
    // What was there a moment ago can be gone, or is not for this user.
    if (isSystemError(error, "ENOENT", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
