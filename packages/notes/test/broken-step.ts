import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A step in which a note's file is replaced or taken away. */
export type Step = "open" | "write" | "sync" | "rename" | "remove";

type Done = (error: NodeJS.ErrnoException | null) => void;
type OpenCall = (
  path: string,
  flags: string,
  mode: number,
  done: (error: NodeJS.ErrnoException | null, descriptor: number) => void,
) => void;
type WriteCall = (file: number, text: string, encoding: "utf8", done: Done) => void;

/**
 * Makes one step fail from now on, whatever note it is for.
 *
 * @param fail what happens before a file is removed, which its path tells, or in place of another step
 * @returns undoes it
 */
export function breakStep(step: Step, fail: (path: string) => void): () => void {
  const { open, writeFile, fsync, rename, rmSync } = fs;
  const broken = {
    // The temporary file's opening, not the look at the old note before it.
    open: {
      open: ((path, flags, mode, done) =>
        flags === "wx" ? settle(fail, done) : open(path, flags, mode, done)) as OpenCall,
    },
    write: { writeFile: ((_file, _text, _encoding, done) => settle(fail, done)) as WriteCall },
    sync: { fsync: ((_descriptor, done) => settle(fail, done)) as typeof fsync },
    rename: { rename: ((_from, _to, done) => settle(fail, done)) as typeof rename },
    remove: {
      rmSync: ((path, options) => {
        fail(String(path));
        rmSync(path, options);
      }) as typeof rmSync,
    },
  };
  Object.assign(fs, broken[step]);
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { open, writeFile, fsync, rename, rmSync });
    syncBuiltinESMExports();
  };
}

/** A call that answers later fails by its answer. */
function settle(
  fail: (path: string) => void,
  done: (error: NodeJS.ErrnoException | null, descriptor: number) => void,
): void {
  try {
    fail("");
    done(null, -1);
  } catch (error) {
    done(error as NodeJS.ErrnoException, -1);
  }
}
