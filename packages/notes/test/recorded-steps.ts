import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A step in which a note's file is replaced, as the system sees it. */
export type RecordedStep =
  | { readonly step: "create"; readonly path: string; readonly flags: string; readonly mode: number }
  | { readonly step: "flush"; readonly inode: number; readonly isFolder: boolean }
  | { readonly step: "rename"; readonly from: string; readonly to: string };

/** Takes down the steps in which files are replaced, while they are done; `stop` ends that. */
export function recordSteps(): { readonly steps: readonly RecordedStep[]; readonly stop: () => void } {
  const { open, fsync, rename } = fs;
  const steps: RecordedStep[] = [];
  const recording = {
    open: ((path: string, flags: string, mode: number, done: (error: Error | null, descriptor: number) => void) => {
      steps.push({ step: "create", path, flags, mode });
      open(path, flags, mode, done);
    }) as typeof open,
    fsync: ((descriptor, done) => {
      const stats = fs.fstatSync(descriptor);
      steps.push({ step: "flush", inode: stats.ino, isFolder: stats.isDirectory() });
      fsync(descriptor, done);
    }) as typeof fsync,
    rename: ((from, to, done) => {
      steps.push({ step: "rename", from: String(from), to: String(to) });
      rename(from, to, done);
    }) as typeof rename,
  };
  Object.assign(fs, recording);
  syncBuiltinESMExports();
  return {
    steps,
    stop: () => {
      Object.assign(fs, { open, fsync, rename });
      syncBuiltinESMExports();
    },
  };
}
