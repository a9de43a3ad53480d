import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Lines } from "./lines.ts";
import type { PiSandbox } from "./sandbox.ts";

/** The first line of a session's file. */
export interface SessionHeader {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  readonly parentSession?: string;
}

/** Any further line: a node of the tree of the session. */
export interface SessionEntry {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** What is in a session's file. */
export interface SessionFile {
  readonly path: string;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
}

/** The sessions that Pi left in a sandbox, the oldest first: a file's name begins with its time. */
export async function readSessions({ agentDir }: Pick<PiSandbox, "agentDir">): Promise<SessionFile[]> {
  const folder = join(agentDir, "sessions");
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nothingIfMissing);
  const files = found.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
  const oldestFirst = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(oldestFirst.map((entry) => readSession(join(entry.parentPath, entry.name))));
}

/** Pi makes the folder with the first session. */
function nothingIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}

/** @throws Error as `parseSession` does */
export async function readSession(path: string): Promise<SessionFile> {
  return { path, ...parseSession(await readFile(path, "utf8"), path) };
}

/**
 * The lines of a session. Pi skips what it cannot read; this does not, for a test wants to know.
 *
 * @param name what the session is called in an error
 * @throws Error that names the line which is not complete, not JSON or not an entry
 */
export function parseSession(text: string, name = "The session"): Omit<SessionFile, "path"> {
  const lines = new Lines();
  const [header, ...entries] = lines.push(text).map((line, index) => parseLine(line, `${name}, line ${index + 1}`));
  if (lines.rest !== "") throw new Error(`${name}: the last line is cut: ${JSON.stringify(lines.rest.slice(0, 200))}`);
  if (header?.type !== "session") throw new Error(`${name} does not begin with a session's header.`);
  return { header: header as unknown as SessionHeader, entries };
}

function parseLine(line: string, where: string): SessionEntry {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch (cause) {
    throw new Error(`${where} is not JSON: ${JSON.stringify(line.slice(0, 200))}`, { cause });
  }
  if (!isEntry(entry)) throw new Error(`${where} has no \`type\` and \`id\`.`);
  return entry;
}

function isEntry(value: unknown): value is SessionEntry {
  if (typeof value !== "object" || value === null) return false;
  const { type, id } = value as Record<string, unknown>;
  return typeof type === "string" && typeof id === "string";
}
