import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packPackage } from "@notesoup/host-pi";
import { afterAll, beforeAll } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/**
 * The extension packed as it is published and unpacked outside the workspace, for the tests of one
 * file: nothing of the workspace can stand in for what it lacks.
 */
export function packedExtension(): { readonly args: () => readonly string[]; readonly folder: () => string } {
  let root = "";
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-extension-")));
    await packPackage(PACKAGE, join(root, "package"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  const folder = (): string => join(root, "package");
  return { folder, args: () => ["-e", folder()] };
}
