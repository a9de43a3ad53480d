import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runChild } from "./child.ts";
import type { Finding } from "./finding.ts";
import type { StrictCompile } from "./strict-compile.ts";
import {
  importableEntries,
  installedWith,
  readJson,
  workspaceClosure,
  workspaceMembers,
  type Member,
} from "./workspace.ts";

/** Where each package was packed: its name, and its tarball. */
export type Tarballs = ReadonlyMap<string, string>;

/** Packs these packages, each once, as they would be published. */
export async function packMembers(
  workspaceRoot: string,
  members: readonly Member[],
  destination: string,
): Promise<Tarballs> {
  const folders = members.map(({ folder }) => `./${folder}`);
  const { status, output } = await runChild(workspaceRoot, "npm", [
    "pack",
    "--pack-destination",
    destination,
    ...folders,
  ]);
  if (status !== 0) throw new Error(`npm pack: ${output}`);
  return new Map(
    members.map(({ manifest: { name, version } }) => [
      name,
      join(destination, `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`),
    ]),
  );
}

/** How much an install may bring. */
interface Allowance {
  readonly packages: number;
  readonly bytes: number;
}

/** Libraries that people install for themselves are small with all that they bring. */
const smallInstalls: Readonly<Record<string, Allowance>> = {
  "@notesoup/notes": { packages: 9, bytes: 5_000_000 },
  "@notesoup/ide-registry": { packages: 9, bytes: 5_000_000 },
};

/** Packages of others that any package may bring. */
const thirdPartyAllowance = 10;

/**
 * What a consumer gets: the package and its workspace closure, installed from their tarballs into
 * an empty folder, can be imported by Node and compiled against by a strict consumer, and brings no
 * more than it may.
 *
 * @param consumer an empty folder
 */
export async function checkPackedInstall(
  workspaceRoot: string,
  member: Member,
  tarballs: Tarballs,
  consumer: string,
): Promise<readonly Finding[]> {
  const parts = workspaceClosure([member], workspaceMembers(workspaceRoot)).map(({ manifest }) => {
    const tarball = tarballs.get(manifest.name);
    if (tarball === undefined) throw new Error(`${manifest.name} is not packed`);
    return tarball;
  });
  await writeFile(join(consumer, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  const installed = await runChild(
    workspaceRoot,
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", ...parts],
    { cwd: consumer },
  );
  if (installed.status !== 0) return [{ where: member.folder, what: `cannot be installed: ${installed.output}` }];

  const problems = [
    ...problemsOfSize(member, consumer),
    await problemOfImport(workspaceRoot, member, consumer),
    await problemOfTypes(workspaceRoot, member, consumer),
  ];
  return problems.filter((what) => what !== undefined).map((what) => ({ where: member.folder, what }));
}

function problemsOfSize({ manifest }: Member, consumer: string): readonly string[] {
  const { packages } = readJson(join(consumer, "node_modules/.package-lock.json")) as {
    packages: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  const thirdParty = names.filter((name) => !name.startsWith("@notesoup/") && name !== "notesoup");
  const problems: string[] = [];
  if (thirdParty.length > thirdPartyAllowance) {
    problems.push(
      `brings ${thirdParty.length} packages of others, and may bring ${thirdPartyAllowance}: ${thirdParty.join(", ")}`,
    );
  }
  const allowance = smallInstalls[manifest.name];
  if (allowance === undefined) return problems;
  const bytes = bytesIn(join(consumer, "node_modules"));
  if (names.length > allowance.packages)
    problems.push(`installs ${names.length} packages, and may ${allowance.packages}`);
  if (bytes > allowance.bytes) problems.push(`installs ${bytes} bytes, and may ${allowance.bytes}`);
  if (names.some((name) => /(^|\/)typebox$/.test(name))) problems.push("installs typebox");
  return problems;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function problemOfImport(workspaceRoot: string, member: Member, consumer: string): Promise<string | undefined> {
  const imports = importableEntries(member).map((specifier) => `await import(${JSON.stringify(specifier)});`);
  await writeFile(join(consumer, "consumer.js"), imports.join("\n"));
  const { status, output } = await runChild(workspaceRoot, process.execPath, ["consumer.js"], { cwd: consumer });
  if (status !== 0) return `cannot be imported: ${output}`;
  return output === "" ? undefined : `prints when it is imported: ${output}`;
}

/**
 * Types are checked without `skipLibCheck`, first for a consumer that has no types of Node; a package
 * whose types name something of Node needs a consumer that has them. All declarations of ours are
 * checked, and those of others that the package itself brings: what comes through another package of
 * ours is checked there.
 */
async function problemOfTypes(workspaceRoot: string, member: Member, consumer: string): Promise<string | undefined> {
  const imports = importableEntries(member).map(
    (specifier, index) => `import * as entry${index} from ${JSON.stringify(specifier)};\nexport { entry${index} };\n`,
  );
  await writeFile(join(consumer, "consumer.ts"), imports.join(""));
  const compile = async (types: readonly string[]): Promise<string | undefined> => {
    const request: StrictCompile = { types, thirdParties: installedWith(member) };
    const { status, output } = await runChild(workspaceRoot, process.execPath, [
      join(import.meta.dirname, "strict-compile.ts"),
      consumer,
      JSON.stringify(request),
    ]);
    return status === 0 ? undefined : output;
  };
  if ((await compile([])) === undefined) return undefined;
  const typesOfNode = join(consumer, "node_modules/@types/node");
  if (!existsSync(typesOfNode)) {
    await mkdir(dirname(typesOfNode), { recursive: true });
    await symlink(join(workspaceRoot, "node_modules/@types/node"), typesOfNode);
  }
  const problem = await compile(["node"]);
  return problem === undefined ? undefined : `does not compile for a strict consumer: ${problem}`;
}
