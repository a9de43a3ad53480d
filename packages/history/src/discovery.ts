import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Harness } from "./wire/wire.ts";

/** Where each harness keeps its sessions. A folder that is missing holds none. */
export interface HistoryRoots {
  /** Folders of Pi's sessions, which lie in them or in folders of projects. */
  readonly pi?: readonly string[] | undefined;
  /** Claude Code's folders of projects. */
  readonly claude?: readonly string[] | undefined;
  /** Folders of dsh's sessions. */
  readonly dsh?: readonly string[] | undefined;
}

/** A session's file as its name and its time tell of it. */
export interface FoundSession {
  readonly harness: Harness;
  readonly id: string;
  readonly path: string;
  /** When something was last written to it, in milliseconds since 1970. */
  readonly lastActivity: number;
}

/** Finds the sessions of all harnesses by the names of their files, the last active first. Nothing is read of them. */
export async function findSessions({ pi = [], claude = [], dsh = [] }: HistoryRoots): Promise<FoundSession[]> {
  const found = [
    ...(await Promise.all(pi.map(findPiSessions))).flat(),
    ...(await Promise.all(claude.map(findClaudeSessions))).flat(),
    ...(await Promise.all(dsh.map(findDshSessions))).flat(),
  ];
  const timed = await Promise.all(found.filter(({ id }) => isName(id)).map(withTime));
  const ordered = timed
    .filter((session) => session !== undefined)
    .toSorted((a, b) => b.lastActivity - a.lastActivity || (a.path < b.path ? -1 : 1));
  // Of two files of one session the one that was written last counts.
  const names = new Set<string>();
  return ordered.filter(({ harness, id }) => {
    const name = `${harness}:${id}`;
    return !names.has(name) && names.add(name);
  });
}

/** An id that would stand for several sessions, or that no call could say, names none. */
function isName(id: string): boolean {
  return id !== "*" && id.isWellFormed() && !/\p{Cc}/u.test(id);
}

/** The id of the session whose file has this path, as its name tells, whether it is there or not. */
export function idOfFile(harness: Harness, path: string): string | undefined {
  const [name = "", folder = ""] = path.split(/[/\\]/u).toReversed();
  if (harness === "dsh") return DSH_FILES.includes(name) ? dshId(folder) : undefined;
  return (harness === "pi" ? PI_FILE : CLAUDE_FILE).exec(name)?.groups?.["id"];
}

type NamedSession = Omit<FoundSession, "lastActivity">;

async function withTime(session: NamedSession): Promise<FoundSession | undefined> {
  const stats = await stat(session.path).catch(() => undefined);
  return stats?.isFile() === true ? { ...session, lastActivity: stats.mtimeMs } : undefined;
}

// `<time>_<id>.jsonl`, the time as ISO 8601 with dashes for what no file name may hold.
const PI_FILE = /^\d{4}-\d\d-\d\dT[\d-]+Z_(?<id>.+)\.jsonl$/u;

async function findPiSessions(root: string): Promise<NamedSession[]> {
  const entries = await entriesOf(root);
  const folders = entries.filter((entry) => !entry.name.endsWith(".jsonl")).map(({ name }) => join(root, name));
  const inFolders = await Promise.all(folders.map(async (folder) => piFiles(folder, await entriesOf(folder))));
  return [...piFiles(root, entries), ...inFolders.flat()];
}

function piFiles(folder: string, entries: readonly Dirent[]): NamedSession[] {
  return entries.flatMap(({ name }): NamedSession[] => {
    const id = PI_FILE.exec(name)?.groups?.["id"];
    return id === undefined ? [] : [{ harness: "pi", id, path: join(folder, name) }];
  });
}

// What subagents did lies in files of their own, in folders of their session, and formerly beside it.
const CLAUDE_FILE = /^(?!agent-)(?<id>.+)\.jsonl$/u;

async function findClaudeSessions(root: string): Promise<NamedSession[]> {
  const projects = (await entriesOf(root)).map(({ name }) => join(root, name));
  const found = await Promise.all(
    projects.map(async (project) =>
      (await entriesOf(project)).flatMap(({ name }): NamedSession[] => {
        const id = CLAUDE_FILE.exec(name)?.groups?.["id"];
        return id === undefined ? [] : [{ harness: "claude", id, path: join(project, name) }];
      }),
    ),
  );
  return found.flat();
}

/** The names that a session's file may have in its folder, the one that is written now first. */
const DSH_FILES = ["session.jsonl.zstd", "session.jsonl"];

async function findDshSessions(root: string): Promise<NamedSession[]> {
  const projects = (await entriesOf(root)).map(({ name }) => join(root, name));
  const found = await Promise.all(
    projects.map(async (project) => {
      const sessions = await entriesOf(project);
      return Promise.all(sessions.map(async ({ name }) => dshSession(join(project, name), name)));
    }),
  );
  return found.flat(2);
}

async function dshSession(folder: string, name: string): Promise<NamedSession[]> {
  const names = new Set((await entriesOf(folder)).map((entry) => entry.name));
  const paths = DSH_FILES.filter((file) => names.has(file)).map((file) => join(folder, file));
  const path = (await firstWithText(paths)) ?? paths[0];
  return path === undefined ? [] : [{ harness: "dsh", id: dshId(name), path }];
}

/** Of several files, the first that is not empty: a host may have died before it wrote to the other one. */
async function firstWithText(paths: readonly string[]): Promise<string | undefined> {
  if (paths.length <= 1) return undefined;
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0));
  return paths.find((_, index) => (sizes[index] ?? 0) > 0);
}

/** A folder's name writes every character that is not safe in one as `~XXXX`, a UTF-16 unit. */
function dshId(segment: string): string {
  return segment.replace(/~(?<unit>[0-9A-F]{4})/gu, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

/** What is in a folder; nothing where it is missing, is none, or cannot be looked into. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
