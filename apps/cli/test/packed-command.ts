import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * The package with all that it depends on, packed as they are published and installed in a folder of
 * their own, for the tests of one file. What lies beside that folder goes with it.
 */
export function packedCommand(): { readonly folder: () => string } {
  let root = "";
  const folder = (): string => join(root, "installed");
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-command-")));
    const tarballs = join(root, "tarballs");
    await mkdir(folder());
    await writeFile(join(folder(), "package.json"), '{"private":true,"type":"module"}\n');
    await mkdir(tarballs);
    await npm(["pack", "--pack-destination", tarballs, ...closure().map((path) => `./${path}`)], WORKSPACE);
    const files = (await readdir(tarballs)).map((name) => join(tarballs, name));
    await npm(["install", "--prefer-offline", ...files], folder());
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  return { folder };
}

/** The folders of the package and of the packages of the workspace that it depends on, however far away. */
function closure(): readonly string[] {
  const folders = new Map(
    globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: WORKSPACE }).map((path) => {
      const manifest = JSON.parse(readFileSync(join(WORKSPACE, path), "utf8")) as Manifest;
      return [manifest.name, { path: path.slice(0, -"/package.json".length), manifest }];
    }),
  );
  const names = new Set(["notesoup"]);
  // A set gives what is added to it while it is walked.
  for (const name of names) {
    const dependencies = Object.keys(folders.get(name)?.manifest.dependencies ?? {});
    for (const dependency of dependencies) if (folders.has(dependency)) names.add(dependency);
  }
  return [...names].flatMap((name) => folders.get(name)?.path ?? []);
}

/** Without what an outer npm tells its children: they would look for the workspace. */
async function npm(args: readonly string[], cwd: string): Promise<void> {
  const isOuter = /^npm_(?!config_(registry|cache|userconfig)$)/iu;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOuter.test(name)));
  await promisify(execFile)("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, env });
}
