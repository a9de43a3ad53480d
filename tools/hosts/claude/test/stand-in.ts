import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";

/** A program that stands in for Claude Code where a test needs what Claude Code never does. */
export async function standInProgram(source: string): Promise<string> {
  const path = join(await temporaryFolder(), "stand-in.mjs");
  await writeFile(path, `#!${process.execPath}\n${source}`, { mode: 0o755 });
  return path;
}
