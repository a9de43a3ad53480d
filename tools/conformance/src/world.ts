import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { zstdCompressSync } from "node:zlib";
import type { HistoryRoots } from "@notesoup/history";
import { projectKey } from "@notesoup/notes";

/** The name of the agent, which every host is told by its own settings. */
export const AGENT = "soup";
/** The id of the model, which every host is told. */
export const MODEL = "deepseek-v4-flash";

/** What every host finds when it begins: a project, and notes. */
export interface World {
  /** The project in which every host works. */
  readonly cwd: string;
  readonly notesHome: string;
  /** When it was made, in milliseconds since 1970: what is older was there before. */
  readonly made: number;
  /** When somebody was last active in the sessions that are there. */
  readonly lastActive: number;
}

/** A file that is made now may have a time of before: file systems count in ticks of their own. */
const TICK_MS = 1000;

/**
 * Makes the world anew in a folder. By the same paths, it has the same project keys for each host, and
 * by the same time, sessions that are as old.
 */
export async function makeWorld(root: string, lastActive: number): Promise<World> {
  const world: World = {
    cwd: join(root, "project"),
    notesHome: join(root, "notes"),
    made: Date.now() - TICK_MS,
    lastActive,
  };
  await rm(root, { recursive: true, force: true });
  await mkdir(join(world.cwd, OTHER_PROJECT), { recursive: true });
  for (const [path, content] of Object.entries(filesOf(world))) await put(join(world.notesHome, path), content);
  await mkdir(join(world.notesHome, "human", "folder.md"));
  const outside = join(root, "outside.md");
  await put(outside, "Outside.\n");
  await symlink(outside, join(world.notesHome, "human", "out.md"));
  return world;
}

/** A folder in the project that is a project of its own. */
export const OTHER_PROJECT = "inner";

/** A hundred lines, all of them alike but one. */
const LINES = Array.from({ length: 100 }, (_, index) => `line ${index} ${index === 41 ? "NEEDLE" : "hay"}`).join("\n");

/** Longer than what a result may deliver, of letters of two and of four bytes. */
const LONG = "é😀\n".repeat(12_000);

/** Frontmatter that no result has room for, and that refuses to be cut. */
const OVERFLOWING = `${Array.from({ length: 1500 }, (_, index) => `k${index}:`).join("\n")}\nz: ${"x".repeat(1100)}\n`;

function filesOf({ cwd }: World): Readonly<Record<string, string | Uint8Array>> {
  const project = `project/${projectKey(cwd)}`;
  const inner = `project/${projectKey(join(cwd, OTHER_PROJECT))}`;
  return {
    "human/style.md": note(1, "Plain words.\nNo tabs.\n", { origin: "user" }),
    "human/näïve/日本.md": note(2, "Old.\n"),
    "human/points.md": note(2, "e\u0301 is two code points.\nA family: 👩‍👩‍👧.\nwörter 一二三\n"),
    "human/plain.md": "Written by hand.\n",
    "human/crlf.md": note(8, "one\r\ntwo\r\n"),
    "human/wide.md": note(9, `${"ä".repeat(20_000)}nadel\n`),
    "human/extra.md": note(3, "Body.\n", { extra: "source: elsewhere\ntags:\n  - a\n  - b\n" }),
    "human/lines.md": note(4, LINES),
    "human/long.md": note(5, LONG),
    "human/empty.md": note(6, ""),
    [`agents/${AGENT}/spent.md`]: note(7, "Spent too.\n", { extra: "crumpledAt: 2026-01-08T00:00:00.000Z\n" }),
    "human/spent.md": note(7, "Spent.\n", { extra: "crumpledAt: 2026-01-08T00:00:00.000Z\n" }),
    "human/broken.md": "---\norigin: [\n---\nThe block above is none.\n",
    "human/bytes.md": Buffer.from([0x61, 0xe9]),
    [`${project}/decisions.md`]: note(10, "Use a shared library.\nIt has one owner.\n"),
    [`${project}/log/one.md`]: note(11, "needle\n"),
    [`${project}/log/two.txt.md`]: note(12, "[x] {y} *z* ?\n"),
    [`${inner}/decisions.md`]: note(13, "The inner project's needle.\n"),
    "project/other-11111111/keys.md": note(14, "body", { extra: OVERFLOWING }),
    [`agents/${AGENT}/habits.md`]: note(20, "Look before you leap.\n"),
    "agents/other/habits.md": note(21, "Leap.\n"),
    [`models/${MODEL}/quirks.md`]: note(22, "Says needle a lot.\n"),
    "models/other/quirks.md": note(23, "Says nothing.\n"),
    "pi/session/s1/todo.md": note(24, "Another session's needle.\n"),
    ...Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [
        `agents/crowd/${`n${index}`.padEnd(60, "-")}.md`,
        note(25, `one of many, ${index}\n`),
      ]),
    ),
  };
}

interface NoteFacts {
  readonly origin?: "user" | "self";
  /** Further lines of the frontmatter. */
  readonly extra?: string;
}

/** A note of the given day, as the store writes it. */
function note(day: number, body: string, { origin = "self", extra = "" }: NoteFacts = {}): string {
  const time = `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
  const facts = `origin: ${origin}\ncreatedAt: ${time}\nupdatedAt: ${time}\nlastAccessed: ${time}\naccessCount: 0\n`;
  return `---\n${facts}${extra}---\n${body}`;
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** The notes as they lie on the disk, by their paths. */
export async function notesIn({ notesHome }: World): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(notesHome, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const notes = paths.map(async (path) => [relative(notesHome, path), await readFile(path, "latin1")] as const);
  return new Map(await Promise.all(notes));
}

const FIXTURES = new URL("../../../packages/history/test/fixtures/", import.meta.url);

/** Sessions that real hosts have written, by where they go below a root, the last active one first. */
const SESSIONS = [
  ["pi", "session-tree-bash-branch-compaction.jsonl", "--p--/2026-11-30T10-00-00-000Z_tree-0001.jsonl"],
  ["claude", "session-parallel-compact-rewind.jsonl", "-p/parallel-0002.jsonl"],
  ["dsh", "headless-plain-errors.jsonl.zstd", "--p--/errors-0003/session.jsonl.zstd"],
  ["pi", "session-codemode-nested.jsonl", "--p--/2026-11-30T10-00-00-000Z_nested-0004.jsonl"],
  ["claude", "session-plugin-results.jsonl", "-p/plugin-0005.jsonl"],
  ["dsh", "headless-code-mode-nested.jsonl.zstd", "--p--/scripts-0006/session.jsonl.zstd"],
  ["claude", "session-before-clear.jsonl", "-p/parallel-0007.jsonl"],
] as const;

/** A session of a version that nobody knows yet. */
const FUTURE = {
  path: "--p--/future-0008/session.jsonl.zstd",
  header: { type: "session", version: 4711, id: "future-0008", createdAt: 0, cwd: "/" },
};

const MINUTE_MS = 60_000;

/**
 * Puts the same sessions of all hosts where a host looks for them. They are minutes old: what has been
 * there for long, a host may tidy away.
 */
export async function putSessions({ lastActive }: World, roots: HistoryRoots): Promise<void> {
  const files = await Promise.all(
    SESSIONS.map(async ([harness, fixture, path]) => ({
      path: join(rootOf(roots, harness), path),
      content: await readFile(new URL(`${harness}/${fixture}`, FIXTURES)),
    })),
  );
  const future = zstdCompressSync(`${JSON.stringify(FUTURE.header)}\n`);
  files.push({ path: join(rootOf(roots, "dsh"), FUTURE.path), content: future });
  for (const [index, { path, content }] of files.entries()) {
    await put(path, content);
    const time = new Date(lastActive - index * MINUTE_MS);
    await utimes(path, time, time);
  }
}

function rootOf(roots: HistoryRoots, harness: "pi" | "claude" | "dsh"): string {
  const [root] = roots[harness] ?? [];
  if (root === undefined) throw new Error(`The host looks for no sessions of ${harness}.`);
  return root;
}
