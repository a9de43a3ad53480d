import { createHash } from "node:crypto";

/** A file as a commit has it. */
export interface TreeFile {
  readonly mode: "100644" | "100755" | "120000";
  /** The name of the blob: SHA-1 of its header and bytes. */
  readonly blob: string;
  /** The bytes, where they may be new to the repository. */
  readonly bytes?: Buffer | undefined;
}

/** The files of the home in one moment, by their paths in it, with `/`. */
export type Tree = ReadonlyMap<string, TreeFile>;

/** The name that git has for a file's bytes. */
export function blobName(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A file of a tree, of these bytes. */
export function treeFile(bytes: Buffer, mode: number): TreeFile {
  // As git does: whether the owner may run it. All other bits are kept in the run's own record.
  return { mode: (mode & 0o100) === 0 ? "100644" : "100755", blob: blobName(bytes), bytes };
}

/** The paths whose file is another one, or is in one of two trees only, in order. */
export function differences(before: Tree, after: Tree): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => {
      const [one, other] = [before.get(path), after.get(path)];
      return one?.blob !== other?.blob || one?.mode !== other?.mode;
    })
    .toSorted();
}
