import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "vitest";

/** An empty folder that is gone when the test is over. The context is asked for, as tests run side by side. */
export async function temporaryFolder({ onTestFinished }: TestContext): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "notesoup-checks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }), 60_000);
  return folder;
}

/** Writes files by their path relative to a folder; a value that is not a text is written as JSON. */
export async function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}
