import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runHost, typed } from "./host-command.ts";
import { uninterrupted } from "./interrupt.ts";
import { onPath } from "./on-path.ts";
import { say, sayJson } from "./output.ts";
import { personHome } from "./person-home.ts";
import { Refused } from "./refused.ts";
import type { SetupFlags } from "./setup-pi.ts";

/** The plugin's name, and that of the marketplace that offers it: its own folder is one too. */
const NAME = "notesoup";
/** What `--from` begins with where it names a package, and not a folder. */
const NPM = "npm:";

/**
 * Installs the plugin with Claude Code's own commands, or removes it. Claude Code installs from a
 * marketplace: the folder of the package is one; for a package of npm one is written, a file that
 * names the package, to a folder of notesoup's own.
 *
 * @throws Refused `host_not_found`, `host_failed`
 */
export async function setupClaude({ yes = false, remove = false, from, json = false }: SetupFlags): Promise<void> {
  const claude = await onPath("claude", process.env["PATH"]);
  if (claude === undefined)
    throw new Refused(
      "host_not_found",
      "there is no claude on the PATH; install it with npm install -g @anthropic-ai/claude-code",
    );
  const source = sourceOf(from);
  const removal = [
    [claude, "plugin", "uninstall", `${NAME}@${NAME}`],
    [claude, "plugin", "marketplace", "remove", NAME],
  ];
  const installation = [
    [claude, "plugin", "marketplace", "add", source.folder],
    [claude, "plugin", "install", `${NAME}@${NAME}`],
  ];
  const commands = remove ? removal : installation;
  if (yes) await uninterrupted(() => (remove ? takeBack(removal, source) : install(installation, removal, source)));
  if (json) sayJson({ host: "claude", commands, done: yes });
  else say(yes ? doneText(remove) : planText(commands, source, remove));
}

/** Where the plugin comes from. */
interface Source {
  /** The folder that Claude Code knows as a marketplace. */
  readonly folder: string;
  /** The package of npm that it offers; absent where the folder is that of the package itself. */
  readonly npmPackage?: string;
}

function sourceOf(from: string): Source {
  if (!from.startsWith(NPM)) return { folder: resolve(from) };
  return { folder: join(personHome(), ".agents", "notesoup-marketplace"), npmPackage: from.slice(NPM.length) };
}

type Commands = readonly (readonly string[])[];

/** What was done of an installation that fails is taken back. */
async function install(commands: Commands, removal: Commands, source: Source): Promise<void> {
  await writeMarketplace(source);
  try {
    for (const command of commands) await runHost(command);
  } catch (error) {
    await takeBack(removal, source).catch(() => undefined);
    throw error;
  }
}

/**
 * Takes back what is there: of an installation that was cut off there may be a part.
 *
 * @throws Refused `host_failed`, where nothing could be taken back
 */
async function takeBack(commands: Commands, { folder, npmPackage }: Source): Promise<void> {
  const failures: unknown[] = [];
  for (const command of commands) await runHost(command).catch((error: unknown) => failures.push(error));
  if (npmPackage !== undefined) await rm(folder, { recursive: true, force: true });
  if (failures.length === commands.length) throw failures[0];
}

/** @throws Refused `host_failed`, where there is no such folder: Claude Code would take its name for another place */
async function writeMarketplace({ folder, npmPackage }: Source): Promise<void> {
  if (npmPackage === undefined) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder)
      throw new Refused("host_failed", `${folder} is no folder; give that of the package, or npm:<package>`);
    return;
  }
  const marketplace = {
    name: NAME,
    owner: { name: NAME },
    plugins: [{ name: NAME, source: { source: "npm", package: npmPackage } }],
  };
  await mkdir(join(folder, ".claude-plugin"), { recursive: true });
  await writeFile(join(folder, ".claude-plugin", "marketplace.json"), `${JSON.stringify(marketplace, null, 2)}\n`);
}

function planText(commands: Commands, { folder, npmPackage }: Source, remove: boolean): string {
  const file = join(folder, ".claude-plugin", "marketplace.json");
  const runs = commands.map((command) => `would run: ${typed(command)}`);
  return [
    ...(npmPackage !== undefined && !remove ? [`would write: ${file}, which names the package ${npmPackage}`] : []),
    ...runs,
    ...(npmPackage !== undefined && remove ? [`would remove: ${folder}`] : []),
    "Nothing was changed. Run the same again with --yes to do it.",
    ...(remove ? [] : ["With --remove --yes it is taken back; notes and sessions stay."]),
  ].join("\n");
}

function doneText(remove: boolean): string {
  return remove
    ? "Claude Code has no tools of notesoup any more. The notes stay."
    : "Claude Code has the tools of notesoup from its next session on. Tell your agent to remember something.";
}
