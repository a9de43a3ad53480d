import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Lines } from "@notesoup/host-pi";
import { parseRow, type Row } from "./row.ts";
import type { ClaudeSandbox } from "./sandbox.ts";

/** A file of rows that Claude Code wrote. */
export interface RowFile {
  readonly path: string;
  readonly rows: readonly Row[];
}

/** The transcript of a session. */
export interface Transcript extends RowFile {
  readonly sessionId: string;
  /** The transcripts of its subagents, by the name of their file. */
  readonly subagents: readonly RowFile[];
}

const SUFFIX = ".jsonl";

/** The transcripts that Claude Code left in a sandbox, the oldest first. */
export async function readTranscripts({ configDir }: Pick<ClaudeSandbox, "configDir">): Promise<Transcript[]> {
  const projects = join(configDir, "projects");
  const folders = await readdir(projects).catch(nothingIfMissing);
  const files = await Promise.all(folders.map((folder) => rowFilesIn(join(projects, folder))));
  const transcripts = await Promise.all(
    files.flat().map(async ({ path, rows }): Promise<Transcript> => {
      const beside = path.slice(0, -SUFFIX.length);
      return { path, rows, sessionId: basename(beside), subagents: await rowFilesIn(join(beside, "subagents")) };
    }),
  );
  return transcripts.toSorted((a, b) => (beginOf(a) < beginOf(b) ? -1 : 1));
}

async function rowFilesIn(folder: string): Promise<RowFile[]> {
  const names = (await readdir(folder).catch(nothingIfMissing)).filter((name) => name.endsWith(SUFFIX));
  return Promise.all(names.toSorted().map((name) => readRows(join(folder, name))));
}

/** Claude Code makes a folder with its first file. */
function nothingIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}

function beginOf({ rows }: RowFile): string {
  return rows.map((row) => row["timestamp"]).find((timestamp) => typeof timestamp === "string") ?? "";
}

/** @throws Error as `parseRows` does */
export async function readRows(path: string): Promise<RowFile> {
  return { path, rows: parseRows(await readFile(path, "utf8"), path) };
}

/**
 * The rows of a file. Claude Code skips what it cannot read; this does not, for a test wants to know.
 *
 * @param name what the file is called in an error
 * @throws Error that names the line which is not complete, or is no row
 */
export function parseRows(text: string, name = "The transcript"): Row[] {
  const lines = new Lines();
  const rows = lines.push(text).map((line, index) => {
    const row = parseRow(line);
    if (row === undefined)
      throw new Error(`${name}, line ${index + 1} is no row: ${JSON.stringify(line.slice(0, 200))}`);
    return row;
  });
  if (lines.rest !== "") throw new Error(`${name}: the last line is cut: ${JSON.stringify(lines.rest.slice(0, 200))}`);
  return rows;
}
