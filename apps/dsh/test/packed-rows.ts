import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDshSandbox, type DshSandbox, type DshSandboxOptions } from "@notesoup/host-dsh";
import { packPackage } from "@notesoup/host-pi";
import { afterAll, beforeAll } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** The rows, packed as they are published and unpacked outside the workspace, for the tests of one file. */
export interface PackedRows {
  readonly folder: () => string;
  /** A sandbox whose profiles have the rows. */
  readonly sandbox: (options: DshSandboxOptions) => Promise<DshSandbox>;
}

/** Packs the rows: nothing of the workspace can stand in for what they lack. */
export function packedRows(): PackedRows {
  let root = "";
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-rows-")));
    await packPackage(PACKAGE, join(root, "package"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  const folder = (): string => join(root, "package");
  return { folder, sandbox: (options) => createDshSandbox({ plugins: [folder()], ...options }) };
}
