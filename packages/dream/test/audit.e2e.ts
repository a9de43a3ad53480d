import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { notesUpdate } from "@notesoup/tools";
import { describe, expect, it } from "vitest";
import { createDream, undoDream } from "../src/index.ts";
import {
  audit,
  begun,
  dreamPlace,
  type DreamPlace,
  filesOf,
  fill,
  lastChanges,
  noteText,
  placeIn,
  success,
} from "./dream-fixture.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" }).trimEnd();

/** A dream that crumples one note. */
async function dreamOnce(place: DreamPlace): Promise<void> {
  const { dream, run } = await begun(place);
  success(await notesUpdate(dream.context, { address: "@project/n1.md", crumpled: true }));
  success(await dream.end({ run, report: "" }));
}

/** Everything that a repository's folder holds. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")]),
  );
}

describe("the audit of a dream", () => {
  it("records every file as it is: modes, links, CRLF, and what a person keeps beside the notes", async () => {
    const place = await dreamPlace();
    fill(place, 4);
    place.put(".gitignore", "*\n");
    place.put(".gitattributes", "*.md text eol=lf ident filter=spoil\n* export-ignore\n");
    place.put("human/crlf.md", "one\r\ntwo\r\n$Id$\n");
    place.put("tools/run.sh", "#!/bin/sh\n", 0o755);
    place.put('human/odd "name"\\ \n.md', "odd");
    symlinkSync("crlf.md", join(place.home, "human/link.md"));
    place.put(".locks/a", "a lock");
    place.put("human/.notesoup-1.tmp", "temporary");
    writeFileSync(join(place.home, "large.bin"), Buffer.alloc(1_048_577));
    await dreamOnce(place);
    const tree = audit(place.home, "ls-tree", "-r", "-z", "HEAD~1")
      .split("\0")
      .filter((line) => line !== "");
    const listed = Object.fromEntries(tree.map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, 6)]));
    expect(listed).toEqual({
      ".gitattributes": "100644",
      ".gitignore": "100644",
      "human/crlf.md": "100644",
      "human/link.md": "120000",
      'human/odd "name"\\ \n.md': "100644",
      ...Object.fromEntries([0, 1, 2, 3].map((index) => [`project/app-0a1b2c3d/n${index}.md`, "100644"])),
      "tools/run.sh": "100755",
    });
    expect(audit(place.home, "cat-file", "blob", "HEAD:human/crlf.md")).toBe("one\r\ntwo\r\n$Id$");
    expect(audit(place.home, "fsck", "--strict")).toBe("");
  });

  it("takes a repository that is nested in the home as files, and never as a link to it", async () => {
    const place = await dreamPlace();
    fill(place, 4);
    const nested = join(place.home, "human/nested");
    mkdirSync(nested, { recursive: true });
    git(nested, "init", "--quiet");
    place.put("human/nested/a.md", noteText("in it\n"));
    git(nested, "add", "a.md");
    git(nested, "commit", "--quiet", "--message=one");
    const before = bytesIn(join(nested, ".git"));
    await dreamOnce(place);
    expect(audit(place.home, "ls-tree", "-r", "HEAD", "human/")).toMatch(
      /^100644 blob [0-9a-f]{40}\thuman\/nested\/a\.md$/u,
    );
    expect(bytesIn(join(nested, ".git"))).toEqual(before);
  });

  it("never touches a repository around the home", async () => {
    const outer = await temporaryFolder();
    git(outer, "init", "--quiet");
    const place = placeIn(join(outer, "deep/home"));
    fill(place, 4);
    git(outer, "add", "--all");
    git(outer, "commit", "--quiet", "--message=outer");
    place.put("human/staged.md", noteText("x"));
    git(outer, "add", "--all");
    const before = bytesIn(join(outer, ".git"));
    await dreamOnce(place);
    await undoDream(place.options);
    expect(bytesIn(join(outer, ".git"))).toEqual(before);
    expect(audit(place.home, "rev-list", "--count", "HEAD")).toBe("3");
  });

  it("heeds no configuration, hook, identity or variable of a person", async () => {
    const folder = await temporaryFolder();
    const spoiled = join(folder, "spoiled");
    mkdirSync(join(folder, "hooks"));
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"]) {
      writeFileSync(join(folder, "hooks", hook), `#!/bin/sh\ntouch ${spoiled}\nexit 1\n`);
      chmodSync(join(folder, "hooks", hook), 0o755);
    }
    writeFileSync(join(folder, "excludes"), "*.md\n");
    writeFileSync(
      join(folder, ".gitconfig"),
      `[core]\nhooksPath=${folder}/hooks\nexcludesFile=${folder}/excludes\nautocrlf=true\n[commit]\ngpgsign=true\n[gpg]\nprogram=/bin/false\n[user]\nuseConfigOnly=true\n[init]\ndefaultBranch=elsewhere\ntemplateDir=${folder}\ndefaultObjectFormat=sha256\n[no end: to read this fails\n`,
    );
    const elsewhere = join(folder, "elsewhere.git");
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      GIT_DIR: elsewhere,
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: join(folder, "index"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: join(folder, "hooks"),
      GIT_AUTHOR_NAME: "somebody",
      GIT_OBJECT_DIRECTORY: join(folder, "objects"),
    };
    const place = placeIn(join(folder, "home"), { env });
    fill(place, 4);
    place.put("human/crlf.md", "one\r\ntwo\r\n");
    await dreamOnce(place);
    expect(existsSync(spoiled)).toBe(false);
    expect(existsSync(elsewhere)).toBe(false);
    expect(existsSync(join(folder, "objects"))).toBe(false);
    expect(audit(place.home, "log", "-1", "--format=%an <%ae> %cn %G?")).toBe(
      "notesoup <notesoup@localhost> notesoup N",
    );
    expect(audit(place.home, "cat-file", "-s", "HEAD:human/crlf.md")).toBe("10");
    expect(lastChanges(place.home)).toEqual(["M\tproject/app-0a1b2c3d/n1.md"]);
  });

  it("takes what changed between two dreams into the commit before the second", async () => {
    const place = await dreamPlace();
    fill(place, 4);
    await dreamOnce(place);
    rmSync(join(place.home, "project/app-0a1b2c3d/n3.md"));
    place.put("human/new/a.md", noteText("x"));
    place.put("project/app-0a1b2c3d/n0.md", "replaced\n");
    const { dream, run } = await begun(place);
    expect(
      audit(place.home, "diff", "--name-status", "--no-renames", "HEAD^", "HEAD")
        .split("\n")
        .filter((line) => !line.includes("dreams/")),
    ).toEqual(["A\thuman/new/a.md", "M\tproject/app-0a1b2c3d/n0.md", "D\tproject/app-0a1b2c3d/n3.md"]);
    success(await dream.end({ run, report: "" }));
  });
});

describe("without an audit no dream begins, and nothing has changed", () => {
  const refused = async (place: DreamPlace): Promise<string> => {
    const before = filesOf(place.home);
    const repository = existsSync(join(place.home, ".git")) ? bytesIn(join(place.home, ".git")) : undefined;
    const { outcome } = await createDream(place.options).begin({ force: true });
    expect(outcome).toMatchObject({ ok: false, error: { code: "audit_unavailable" } });
    await expect(undoDream(place.options)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:audit_unavailable|not_found)$/u) as string,
    });
    expect(filesOf(place.home)).toEqual(before);
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    if (repository !== undefined) expect(bytesIn(join(place.home, ".git"))).toEqual(repository);
    return outcome.ok ? "" : outcome.error.message;
  };

  it("where there is no git", async () => {
    const place = await dreamPlace({ env: { PATH: mkdtempSync(join(await temporaryFolder(), "empty-")) } });
    fill(place, 4);
    expect(await refused(place)).toContain("git is not installed or not on the PATH");
    expect(existsSync(join(place.home, ".git"))).toBe(false);
  });

  it("where the home is a person's own repository, or a worktree of one", async () => {
    const place = await dreamPlace();
    fill(place, 4);
    git(place.home, "init", "--quiet");
    expect(await refused(place)).toContain("a git repository that is not the audit's");
    const linked = await dreamPlace();
    fill(linked, 4);
    linked.put(".git", "gitdir: /somewhere/else\n");
    const { outcome } = await createDream(linked.options).begin({ force: true });
    expect(outcome).toMatchObject({ ok: false, error: { code: "audit_unavailable" } });
  });

  it.each<[string, (git: string, place: DreamPlace) => void]>([
    ["somebody is in the middle of a merge", (folder) => writeFileSync(join(folder, "MERGE_HEAD"), "")],
    ["a lock of git was left", (folder) => writeFileSync(join(folder, "index.lock"), "")],
    ["its HEAD was moved elsewhere", (folder) => writeFileSync(join(folder, "HEAD"), "ref: refs/heads/mine\n")],
    [
      "something is staged",
      (folder, { home }) => void execFileSync("git", [`--git-dir=${folder}`, `--work-tree=${home}`, "add", "human"]),
    ],
    ["objects of it are gone", (folder) => rmSync(join(folder, "objects"), { recursive: true })],
  ])("where the audit is not in order: %s", async (_what, spoil) => {
    const place = await dreamPlace();
    fill(place, 4);
    place.put("human/a.md", "x");
    await dreamOnce(place);
    spoil(join(place.home, ".git"), place);
    expect(await refused(place)).toMatch(/not in order|failed on the audit/u);
  });
});
