import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEMPORARY_PREFIX } from "@notesoup/notes/maintenance";
import { Refused } from "@notesoup/tools";
import type { DreamHome } from "../home.ts";
import { Git } from "./git.ts";
import { differences, type Tree, type TreeFile } from "./tree.ts";

/** A step of a run that is a commit. */
export type AuditStep = "before" | "meanwhile" | "after" | "stopped" | "undone";

/** A commit of the audit. */
export interface AuditCommit {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly run: string;
  readonly step: AuditStep;
  readonly subject: string;
}

const BRANCH = "refs/heads/dreams";
/** Says that the repository is the audit's. */
const MARK = "notesoup/audit";

/** What stands in a repository in which somebody is in the middle of something. */
const UNDER_WAY = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
  "index.lock",
  "HEAD.lock",
  "refs/heads/dreams.lock",
];

/**
 * The repository in which every dream is recorded: the notes home's own, with the system's git. It is
 * bare: files are put into commits from where they lie, and none is ever checked out, so that no
 * filter, attribute or line end can change one, and nothing in the home changes by itself.
 */
export class Audit {
  readonly #home: DreamHome;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #git: Git;

  constructor(home: DreamHome, env: Readonly<Record<string, string | undefined>>) {
    this.#home = home;
    this.#env = env;
    this.#git = new Git(home.gitDir, env);
  }

  /** Whether there is a repository, the audit's or not. */
  get exists(): boolean {
    return lstatSync(this.#home.gitDir, { throwIfNoEntry: false }) !== undefined;
  }

  /**
   * Checks that a dream can be recorded, and changes nothing.
   *
   * @throws Refused `audit_unavailable`: no git; a repository that is not the audit's; one that is not in order
   */
  async check(): Promise<void> {
    await this.#git.run(["--version"]);
    if (!this.exists) return;
    const { gitDir } = this.#home;
    if (!lstatSync(gitDir).isDirectory() || !existsSync(join(gitDir, MARK))) {
      throw new Refused(
        "audit_unavailable",
        "the notes home has a git repository that is not the audit's of its dreams, and it is left alone; move its .git elsewhere, and name that folder to git by --git-dir",
      );
    }
    const underWay = UNDER_WAY.find((name) => existsSync(join(gitDir, name)));
    if (underWay !== undefined) throw disorder(`${underWay} is in it`);
    if (readFileSync(join(gitDir, "HEAD"), "utf8").trim() !== `ref: ${BRANCH}`)
      throw disorder("its HEAD is not the branch dreams");
    const head = await this.head();
    if (existsSync(join(gitDir, "index"))) {
      const against = head ?? (await this.#git.run(["mktree"])).toString().trim();
      const staged = await this.#git.run(["diff-index", "--cached", "--name-only", against]);
      if (staged.length > 0) throw disorder("something is staged in it");
    }
    if (head !== undefined) await this.#git.run(["cat-file", "-e", `${head}^{tree}`]);
  }

  /** Makes the repository, where there is none, whole or not at all. */
  async make(): Promise<void> {
    if (this.exists) return;
    const temporary = join(this.#home.root, `${TEMPORARY_PREFIX}${randomUUID()}.tmp`);
    const init = ["init", "--quiet", "--bare", "--template=", "--initial-branch=dreams", "--object-format=sha1"];
    try {
      mkdirSync(temporary, { mode: 0o700 });
      await new Git(temporary, this.#env).run(init);
      mkdirSync(join(temporary, "notesoup"));
      writeFileSync(join(temporary, MARK), "The audit of the dreams of @notesoup/dream.\n");
      renameSync(temporary, this.#home.gitDir);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  /** The last commit; `undefined` before the first. */
  async head(): Promise<string | undefined> {
    const refs = await this.#git.run(["for-each-ref", "--format=%(objectname)", BRANCH]);
    return refs.toString().trim() || undefined;
  }

  /** The files of a commit. */
  async tree(commit: string | undefined): Promise<Tree> {
    const tree = new Map<string, TreeFile>();
    if (commit === undefined) return tree;
    const listed = (await this.#git.run(["ls-tree", "-r", "-z", "--full-tree", commit])).toString("utf8");
    for (const line of listed.split("\0")) {
      const { mode, blob, path } =
        /^(?<mode>\d{6}) blob (?<blob>[0-9a-f]{40})\t(?<path>[^]*)$/u.exec(line)?.groups ?? {};
      if (path !== undefined && blob !== undefined) tree.set(path, { mode: mode as TreeFile["mode"], blob });
    }
    return tree;
  }

  /** The bytes of blobs of the repository, by their names. */
  async blobs(names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const blobs = new Map<string, Buffer>();
    if (names.length === 0) return blobs;
    const printed = await this.#git.run(
      ["cat-file", "--batch"],
      names.map((name) => `${name}\n`),
    );
    for (let at = 0; at < printed.length;) {
      const end = printed.indexOf(0x0a, at);
      const [name = "", , size] = printed.toString("utf8", at, end).split(" ");
      const length = Number(size);
      if (!Number.isSafeInteger(length)) throw disorder(`${name} is missing from it`);
      blobs.set(name, printed.subarray(end + 1, end + 1 + length));
      at = end + 1 + length + 1;
    }
    return blobs;
  }

  /**
   * Commits a tree on top of the last one, in one step: after a crash there is the commit, or nothing.
   *
   * @param now milliseconds since 1970
   * @returns the commit
   */
  async commit(tree: Tree, run: string, step: AuditStep, subject: string, now: number): Promise<string> {
    const parent = await this.head();
    const from = await this.tree(parent);
    await this.#git.run(
      ["fast-import", "--quiet", "--done", "--date-format=raw"],
      importing(from, tree, parent, `${subject}\n\nDream-Run: ${run}\nDream-Step: ${step}\n`, now),
    );
    const head = await this.head();
    if (head === undefined) throw disorder("it took no commit");
    return head;
  }

  /** The commits, the last one first. */
  async log(most: number): Promise<readonly AuditCommit[]> {
    if (!this.exists || (await this.head()) === undefined) return [];
    const format =
      "%H%x00%ct%x00%s%x00%(trailers:key=Dream-Run,valueonly,separator=)%x00%(trailers:key=Dream-Step,valueonly,separator=)%x01";
    const printed = await this.#git.run(["log", `--max-count=${most}`, `--format=${format}`, BRANCH]);
    return printed
      .toString("utf8")
      .split("\u0001")
      .map((line) => line.trimStart().split("\0"))
      .filter(({ length }) => length === 5)
      .map(([id = "", time, subject = "", run = "", step = ""]) => ({
        id,
        time: Number(time) * 1000,
        subject,
        run: run.trim(),
        step: step.trim() as AuditStep,
      }));
  }
}

function disorder(why: string): Refused {
  return new Refused(
    "audit_unavailable",
    `the audit of the notes home, its .git, is not in order: ${why}; put it in order, or move it elsewhere to begin a new one`,
  );
}

/** The stream that `git fast-import` reads. Paths are given in quotes, bytes as they are. */
function* importing(
  from: Tree,
  to: Tree,
  parent: string | undefined,
  message: string,
  now: number,
): Generator<string | Buffer> {
  yield `commit ${BRANCH}\ncommitter notesoup <notesoup@localhost> ${Math.floor(now / 1000)} +0000\n`;
  yield* data(Buffer.from(message, "utf8"));
  if (parent !== undefined) yield `from ${parent}\n`;
  const paths = differences(from, to);
  // What is gone first: a folder may be where a file was.
  for (const path of paths) if (!to.has(path)) yield `D ${quoted(path)}\n`;
  for (const path of paths) {
    const file = to.get(path);
    if (file === undefined) continue;
    if (file.bytes === undefined) yield `M ${file.mode} ${file.blob} ${quoted(path)}\n`;
    else {
      yield `M ${file.mode} inline ${quoted(path)}\n`;
      yield* data(file.bytes);
    }
  }
  yield "done\n";
}

function* data(bytes: Buffer): Generator<string | Buffer> {
  yield `data ${bytes.length}\n`;
  yield bytes;
  yield "\n";
}

function quoted(path: string): string {
  const escaped = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
