import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { checkChangesets, hasFullHistory } from "../src/changesets.ts";
import { runChild } from "../src/child.ts";
import { fixtureWorkspace, git, manifestOf } from "./fixture-workspace.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";

const changed = (root: string): Promise<readonly string[]> =>
  checkChangesets(root).then((findings) => findings.map(({ where }) => where));

const changelog = (name: string): Record<string, string> => ({
  [`packages/${name}/CHANGELOG.md`]: `# @notesoup/${name}\n\n## 0.1.0\n`,
});

/** A workspace whose packages were released, and have not changed since. */
async function released(context: TestContext, files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const root = await fixtureWorkspace(context, files);
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--message=first");
  await rm(join(root, ".changeset/first.md"));
  await writeFiles(root, { ...changelog("text"), ...changelog("notes") });
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--message=release");
  return root;
}

describe("checkChangesets", { timeout: 60_000 }, () => {
  it("asks nothing of packages that have not changed since their release", async (context) => {
    expect(await changed(await released(context))).toEqual([]);
  });

  it("passes a package that was never released and has a changeset, before the first commit too", async (context) => {
    expect(await changed(await fixtureWorkspace(context))).toEqual([]);
  });

  it("fails on a package that was never released and has none, before the first commit too", async (context) => {
    const root = await fixtureWorkspace(context, {
      ".changeset/first.md": `---\n"@notesoup/text": minor\n---\n\nFirst.\n`,
    });
    expect(await changed(root)).toEqual(["packages/notes"]);
    await git(root, "add", "--all");
    await git(root, "commit", "--quiet", "--message=first");
    expect(await changed(root)).toEqual(["packages/notes"]);
  });

  it.for([
    ["in a commit", true],
    ["in the working tree", false],
  ] as const)("fails on a package that changed %s after its release", async ([, isCommitted], context) => {
    const root = await released(context);
    await writeFiles(root, { "packages/text/src/text.ts": "/** A text. */\nexport const text = 2;\n" });
    if (isCommitted) await git(root, "commit", "--quiet", "--all", "--message=change");
    expect(await changed(root)).toEqual(["packages/text"]);
  });

  it("fails on a file that is new and not added yet, and passes it once a changeset tells of it", async (context) => {
    const root = await released(context);
    await writeFiles(root, { "packages/text/src/new.ts": "export {};\n" });
    expect(await changed(root)).toEqual(["packages/text"]);
    await writeFiles(root, { ".changeset/new.md": `---\n"@notesoup/text": patch\n---\n\nNew.\n` });
    expect(await changed(root)).toEqual([]);
  });

  it("passes the release itself, while it is being made", async (context) => {
    const root = await fixtureWorkspace(context);
    await git(root, "add", "--all");
    await git(root, "commit", "--quiet", "--message=first");
    await rm(join(root, ".changeset/first.md"));
    await writeFiles(root, { ...changelog("text"), ...changelog("notes") });
    expect(await changed(root)).toEqual([]);
  });

  it("passes a change of tests", async (context) => {
    const root = await released(context);
    await writeFiles(root, { "packages/text/test/text.test.ts": "", "packages/text/tsconfig.test.json": "{}" });
    expect(await changed(root)).toEqual([]);
  });

  it("counts the packages that an app bundles, with their dependencies, as its own content", async (context) => {
    const root = await released(context, {
      "apps/pi/package.json": manifestOf("pi", { devDependencies: { "@notesoup/notes": "^0.0.0" } }),
      "apps/pi/CHANGELOG.md": "# @notesoup/pi\n",
    });
    await writeFiles(root, { "apps/pi/CHANGELOG.md": "# @notesoup/pi\n\n## 0.1.0\n" });
    await git(root, "commit", "--quiet", "--all", "--message=release of the app");
    expect(await changed(root)).toEqual([]);
    await writeFiles(root, {
      "packages/text/src/new.ts": "export {};\n",
      ".changeset/new.md": `---\n"@notesoup/text": patch\n---\n\nNew.\n`,
    });
    expect(await changed(root)).toEqual(["apps/pi"]);
  });

  it("fails on a changeset of a package that does not exist", async (context) => {
    const root = await released(context, { ".changeset/odd.md": `---\n"@notesoup/gone": patch\n---\n\nOdd.\n` });
    expect(await changed(root)).toEqual([".changeset/odd.md"]);
  });
});

describe("hasFullHistory", { timeout: 60_000 }, () => {
  it("is true of a repository, and false of a shallow clone and of a copy without a repository", async (context) => {
    const root = await released(context);
    expect(await hasFullHistory(root)).toBe(true);
    const shallow = join(await temporaryFolder(context), "clone");
    await runChild(root, "git", ["clone", "--quiet", "--depth=1", `file://${root}`, shallow]);
    expect(await hasFullHistory(shallow)).toBe(false);
    expect(await hasFullHistory(await temporaryFolder(context))).toBe(false);
  });
});
