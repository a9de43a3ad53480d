import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { runChild } from "../src/child.ts";
import type { Manifest } from "../src/workspace.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";
import { workspaceRoot } from "./workspace-root.ts";

/** The configuration under test is the real one. */
const realFiles = [
  ".dependency-cruiser.mjs",
  "knip.json",
  "nx.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "tools/checks/src/layers.ts",
];

/** The tools that the configuration calls for. */
const devDependencies = {
  "@nx/js": "*",
  "@size-limit/file": "*",
  "@types/node": "*",
  "dependency-cruiser": "*",
  "size-limit": "*",
  typescript: "*",
};

/** A manifest that breaks no rule. */
export function manifestOf(name: string, parts: Partial<Manifest> = {}): Manifest {
  return {
    name: `@notesoup/${name}`,
    version: "0.0.0",
    description: "A package of a test.",
    license: "MIT",
    type: "module",
    sideEffects: false,
    files: ["dist"],
    exports: {
      ".": { "@notesoup/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./package.json": "./package.json",
    },
    publishConfig: { access: "public" },
    engines: { node: ">=22.19" },
    ...parts,
  };
}

function packageFiles(name: string, parts: Partial<Manifest>, references: readonly string[]): Record<string, unknown> {
  const folder = `packages/${name}`;
  const extended = "../../tsconfig.base.json";
  return {
    [`${folder}/package.json`]: manifestOf(name, parts),
    [`${folder}/README.md`]: `# ${name}\n`,
    [`${folder}/LICENSE`]: "MIT\n",
    [`${folder}/tsconfig.json`]: { files: [], references: [{ path: "./tsconfig.build.json" }] },
    [`${folder}/tsconfig.build.json`]: {
      extends: extended,
      compilerOptions: { rootDir: "src", outDir: "dist", tsBuildInfoFile: "out-tsc/build.tsbuildinfo" },
      include: ["src"],
      references: references.map((reference) => ({ path: `../${reference}/tsconfig.build.json` })),
    },
  };
}

/**
 * A small workspace in which every check passes: `text`, and `notes`, which depends on it. It has the
 * installed packages and the configuration of the real one.
 *
 * @param changes files that are written over it, by path; they are what a test wants to see fail
 */
export async function fixtureWorkspace(
  context: TestContext,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const root = await temporaryFolder(context);
  for (const file of realFiles) await cp(join(workspaceRoot, file), join(root, file));
  const named = (name: string): string => `/** A ${name}. */\nexport const ${name} = "${name}";\n`;
  await writeFiles(root, {
    "package.json": {
      name: "fixture",
      private: true,
      type: "module",
      workspaces: ["packages/*", "apps/*"],
      scripts: { layers: "depcruise packages" },
      devDependencies,
    },
    ".gitignore": "node_modules/\ndist/\nout-tsc/\n.nx/\n",
    ".npmrc": "omit-lockfile-registry-resolved=true\n",
    "package-lock.json": { name: "fixture", lockfileVersion: 3, packages: {} },
    "apps/README.md": "# Apps\n",
    ...packageFiles("text", {}, []),
    "packages/text/src/index.ts": `export { text } from "./text.ts";\n`,
    "packages/text/src/text.ts": named("text"),
    "packages/text/dist/index.js": `export { text } from "./text.js";\n`,
    "packages/text/dist/index.d.ts": `export { text } from "./text.ts";\n`,
    "packages/text/dist/text.js": named("text"),
    "packages/text/dist/text.d.ts": `/** A text. */\nexport declare const text = "text";\n`,
    ...packageFiles("notes", { dependencies: { "@notesoup/text": "^0.0.0" } }, ["text"]),
    "packages/notes/src/index.ts": `import { text } from "@notesoup/text";\n\n/** A note. */\nexport const note: string = text;\n`,
    "packages/notes/dist/index.js": `import { text } from "@notesoup/text";\nexport const note = text;\n`,
    "packages/notes/dist/index.d.ts": `/** A note. */\nexport declare const note: string;\n`,
    ".changeset/first.md": `---\n"@notesoup/text": minor\n"@notesoup/notes": minor\n---\n\nFirst.\n`,
    ...changes,
  });
  await linkInstalledPackages(root);
  await git(root, "init", "--quiet", "--initial-branch=main");
  return root;
}

/** What is installed is that of the real workspace; only our own packages are the fixture's. */
async function linkInstalledPackages(root: string): Promise<void> {
  const installed = join(workspaceRoot, "node_modules");
  await mkdir(join(root, "node_modules/@notesoup"), { recursive: true });
  for (const entry of await readdir(installed)) {
    if (entry !== "@notesoup") await symlink(join(installed, entry), join(root, "node_modules", entry));
  }
  for (const name of await readdir(join(root, "packages"))) {
    await symlink(join(root, "packages", name), join(root, "node_modules/@notesoup", name));
  }
}

/** Runs git as nobody in particular. */
export async function git(root: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  const { status, output } = await runChild(root, "git", [...identity, ...args]);
  if (status !== 0) throw new Error(output);
}
