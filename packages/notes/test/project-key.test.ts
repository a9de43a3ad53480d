import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore, projectKey } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

let root: string;
beforeEach(async () => {
  root = await temporaryFolder();
});

const at = (...path: string[]): string => {
  const folder = join(root, ...path);
  mkdirSync(folder, { recursive: true });
  return folder;
};

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync(
    "git",
    [
      "-c",
      "protocol.file.allow=always",
      "-c",
      "init.defaultBranch=main",
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@example.invalid",
      ...args,
    ],
    { cwd, env, stdio: "pipe" },
  );
}

function repository(...path: string[]): string {
  const folder = at(...path);
  git(folder, "init");
  git(folder, "commit", "--allow-empty", "-m", "first");
  return folder;
}

describe("a project's key", () => {
  it("is the root's slug and 8 digits of its real path", () => {
    const digits = createHash("sha256").update(at("My App")).digest("hex").slice(0, 8);
    expect(projectKey(at("My App"))).toBe(`my-app-${digits}`);
  });

  it("has a slug of at most 48 characters", () => {
    expect(projectKey(at("a".repeat(48)))).toMatch(/^a{48}-[0-9a-f]{8}$/u);
    expect(projectKey(at("b".repeat(49)))).toMatch(/^b{48}-[0-9a-f]{8}$/u);
    expect(projectKey(at(`${"c".repeat(47)}-d`))).toMatch(/^c{47}-[0-9a-f]{8}$/u);
  });

  it("is the same for a checkout, its subfolders and its linked worktrees", () => {
    const main = repository("app");
    git(main, "worktree", "add", "../elsewhere/feature", "-b", "feature");
    const key = projectKey(main);
    expect(key).toMatch(/^app-/u);
    expect(projectKey(at("app", "src", "deep"))).toBe(key);
    expect(projectKey(at("elsewhere", "feature"))).toBe(key);
    expect(projectKey(at("elsewhere", "feature", "src"))).toBe(key);
  });

  it("is that of the bare repository's own folder, for its worktrees too", () => {
    const main = repository("app");
    git(root, "clone", "--bare", main, "app.git");
    git(join(root, "app.git"), "worktree", "add", "../tree");
    const key = projectKey(join(root, "app.git"));
    expect(key).toMatch(/^app\.git-/u);
    expect(projectKey(at("tree"))).toBe(key);
  });

  it("is that of the folder around a bare `.git` and its worktrees", () => {
    const main = repository("app");
    const around = at("around");
    git(around, "clone", "--bare", main, ".git");
    git(around, "worktree", "add", "tree");
    expect(projectKey(join(around, "tree"))).toBe(projectKey(around));
    expect(projectKey(around)).toMatch(/^around-/u);
  });

  it("is a submodule's own, for its linked worktrees too", () => {
    const library = repository("library");
    const main = repository("app");
    git(main, "submodule", "add", library, "vendor/library");
    const submodule = join(main, "vendor", "library");
    git(submodule, "worktree", "add", join(root, "library-feature"), "-b", "feature");
    expect(projectKey(submodule)).toMatch(/^library-/u);
    expect(projectKey(submodule)).not.toBe(projectKey(main));
    expect(projectKey(submodule)).not.toBe(projectKey(library));
    expect(projectKey(at("library-feature"))).toBe(projectKey(submodule));
  });

  it("is one for a repository kept apart from its checkout", () => {
    const checkout = at("checkout");
    git(checkout, "init", "--separate-git-dir", join(root, "store.git"));
    git(checkout, "commit", "--allow-empty", "-m", "first");
    git(checkout, "worktree", "add", "../tree", "-b", "tree");
    expect(projectKey(at("checkout", "src"))).toBe(projectKey(checkout));
    expect(projectKey(at("tree"))).toBe(projectKey(checkout));
  });

  it("follows a relative gitdir", () => {
    const main = repository("app");
    const moved = at("moved");
    writeFileSync(join(moved, ".git"), `gitdir: ../${basename(main)}/.git\n\n`);
    expect(projectKey(moved)).toBe(projectKey(main));
  });

  it("is the folder's own outside a repository, and where what `.git` names is away or nonsense", () => {
    expect(projectKey(at("plain", "inner"))).not.toBe(projectKey(at("plain")));
    const lost = at("lost");
    writeFileSync(join(lost, ".git"), "gitdir: /nowhere/at/all\n");
    expect(projectKey(at("lost", "src"))).toBe(projectKey(lost));
    const nonsense = at("nonsense");
    writeFileSync(join(nonsense, ".git"), "hello\n");
    expect(projectKey(nonsense)).toMatch(/^nonsense-/u);
  });

  it("differs for roots that differ only in case, punctuation or script, or in the folder above", () => {
    const keys = ["a_b", "a-b", "A-B", "新聞", "暫存", "x/app", "y/app"].map((path) =>
      projectKey(at(...path.split("/"))),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(projectKey(at("新聞"))).toMatch(/^project-[0-9a-f]{8}$/u);
  });

  it("is the same through a symbolic link", () => {
    const folder = at("real");
    symlinkSync(folder, join(root, "link"));
    expect(projectKey(join(root, "link"))).toBe(projectKey(folder));
  });

  it.each([5, null, undefined, "", "a\0b", "a".repeat(32_768)])("is not made of what is no path", (cwd) => {
    expect(() => projectKey(cwd as string)).toThrow(
      expect.objectContaining({
        name: "NoteError",
        code: "invalid_identity",
        message: expect.stringMatching(/^no project key can be made of .{1,300}$/u),
      }),
    );
  });

  it("is that of a folder that is gone, however deep it lay", () => {
    expect(projectKey(join(root, "gone/".repeat(5000), "app"))).toMatch(/^app-[0-9a-f]{8}$/u);
  });

  it("stays with a folder that is gone", () => {
    const folder = at("gone");
    const key = projectKey(folder);
    rmSync(folder, { recursive: true });
    expect(projectKey(folder)).toBe(key);
  });

  it("stays with a folder that is gone, also where a link led to it", () => {
    const main = repository("app");
    const deep = at("app", "sub", "deep");
    symlinkSync(main, join(root, "link"));
    const key = projectKey(join(root, "link", "sub", "deep"));
    rmSync(deep, { recursive: true });
    expect(projectKey(join(root, "link", "sub", "deep"))).toBe(key);
    expect(key).toBe(projectKey(main));
  });

  it("is the checkout's inside its `.git` too, and one where `.git` is a link to a repository kept elsewhere", () => {
    const main = repository("app");
    git(main, "worktree", "add", "../tree", "-b", "tree");
    for (const inner of [".git", ".git/hooks", ".git/worktrees/tree"])
      expect(projectKey(at("app", inner))).toBe(projectKey(main));

    const linked = repository("linked");
    renameSync(join(linked, ".git"), join(root, "store.git"));
    symlinkSync(join(root, "store.git"), join(linked, ".git"));
    git(linked, "worktree", "add", "../linked-tree", "-b", "tree");
    expect(projectKey(at("linked-tree"))).toBe(projectKey(linked));
  });

  it("is a submodule's own also after a sparse checkout has moved its configuration", () => {
    const library = repository("library");
    const main = repository("app");
    git(main, "submodule", "add", library, "vendor/library");
    const submodule = join(main, "vendor", "library");
    const key = projectKey(submodule);
    git(submodule, "sparse-checkout", "set", "src");
    expect(projectKey(submodule)).toBe(key);
  });

  it("can name a directory in a store, whatever the folder is called", () => {
    for (const name of ["nul", "a".repeat(200), "..a", "~", "con.txt", " x "]) {
      const key = projectKey(at(name));
      expect(() => createNotesStore(identityIn(root, { projectKey: key }))).not.toThrow();
    }
  });
});
