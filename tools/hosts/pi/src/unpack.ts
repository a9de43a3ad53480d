import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNpm, runQuietly } from "./npm.ts";

/**
 * Packs a built package as it would be published and unpacks it, so that it is tried outside of
 * the workspace, where no development dependency can stand in for what it lacks.
 *
 * @param into the folder that the package's files are put in; it is made, and must be empty
 * @returns the real path of `into`
 */
export async function packPackage(packageFolder: string, into: string): Promise<string> {
  await mkdir(into, { recursive: true });
  if ((await readdir(into)).length > 0) throw new Error(`${into} is not empty.`);
  const packed = await mkdtemp(join(tmpdir(), "notesoup-pack-"));
  try {
    await runNpm(["pack", "--ignore-scripts", "--pack-destination", packed], packageFolder);
    const [tarball, ...others] = await readdir(packed);
    if (tarball === undefined || others.length > 0)
      throw new Error(`npm packed ${others.length + (tarball ? 1 : 0)} files of ${packageFolder}, not one.`);
    await runQuietly("tar", ["-xzf", join(packed, tarball), "-C", into, "--strip-components=1"], packed);
  } finally {
    await rm(packed, { recursive: true });
  }
  return realpath(into);
}
