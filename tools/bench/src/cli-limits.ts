import { execFile } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compare } from "./compare.ts";
import type { Limit } from "./limit.ts";

const run = promisify(execFile);

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** Figures of the command, as it is installed from its packed packages. */
export function cliLimits(folder: string): Limit[] {
  let installed: Promise<string> | undefined;
  const install = (): Promise<string> => (installed ??= installPacked(join(folder, "cli")));
  return [
    {
      name: "what an install of notesoup brings",
      unit: "MB",
      atMost: 6,
      measure: async () => bytesIn(join(await install(), "node_modules")) / 1_000_000,
    },
    {
      name: "notesoup --version, by node -e 0",
      unit: "times",
      atMost: 3,
      measure: async () => startByNode(await install(), ["--version"]),
    },
    {
      name: "notesoup notes list, by node -e 0",
      unit: "times",
      atMost: 5,
      measure: async () => startByNode(await install(), ["notes", "list"]),
    },
  ];
}

/** How much longer the command takes than a Node that does nothing. */
async function startByNode(folder: string, args: readonly string[]): Promise<number> {
  const main = join(folder, "node_modules", "notesoup", "dist", "command", "main.js");
  const env = { ...process.env, NOTESOUP_HOME: join(folder, "notes") };
  const started = async (...words: readonly string[]): Promise<void> => {
    await run(process.execPath, words, { cwd: folder, env });
  };
  const { ratio } = await compare({
    name: args.join(" "),
    rival: "node -e 0",
    atMost: 0,
    ours: () => started(main, ...args),
    theirs: () => started("-e", "0"),
  });
  return ratio;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs the command with the packages that it depends on, and installs them in a folder of their own. */
async function installPacked(folder: string): Promise<string> {
  if (!existsSync(join(WORKSPACE, "apps/cli/dist"))) throw new Error("apps/cli is not built: run npm run build first.");
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"private":true}\n');
  const isOfOuterNpm = /^npm_(?!config_(registry|cache|userconfig)$)/iu;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfOuterNpm.test(name)));
  await run("npm", ["pack", "--pack-destination", tarballs, ...closureOf("notesoup")], { cwd: WORKSPACE, env });
  const files = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...files], { cwd: folder, env });
  return folder;
}

/** The folders of a package and of those of the workspace that it depends on, however far away. */
function closureOf(name: string): string[] {
  const members = new Map(
    globSync(["packages/*", "apps/*"], { cwd: WORKSPACE }).map((path) => {
      const manifest = JSON.parse(readFileSync(join(WORKSPACE, path, "package.json"), "utf8")) as Manifest;
      return [manifest.name, { path: `./${path}`, manifest }];
    }),
  );
  const names = new Set([name]);
  // A set gives what is added to it while it is walked.
  for (const member of names) {
    for (const dependency of Object.keys(members.get(member)?.manifest.dependencies ?? {}))
      if (members.has(dependency)) names.add(dependency);
  }
  return [...names].flatMap((member) => members.get(member)?.path ?? []);
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
