import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes when the test does. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "notesoup-host-pi-test-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A script for Node that stands in for Pi where a test needs what Pi never does. */
export async function script(source: string): Promise<string> {
  const path = join(await temporaryFolder(), "stand-in.mjs");
  await writeFile(path, source);
  return path;
}
