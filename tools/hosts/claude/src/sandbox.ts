import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { endProcesses, processesIn } from "./processes.ts";

/** What a sandbox is made with. */
export interface ClaudeSandboxOptions {
  /** The base URL of the model server, which speaks Anthropic's Messages. */
  readonly modelUrl: string;
  /** The user's settings; none if absent. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further variables, and others in place of the sandbox's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to use. It stays when the sandbox is disposed of; a temporary one, which goes, if absent. */
  readonly root?: string;
}

/** A place where Claude Code sees nothing of this machine's user: folders, settings and an environment of its own. */
export interface ClaudeSandbox extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** Where Claude Code keeps settings, plugins and transcripts. */
  readonly configDir: string;
  /** The project that Claude Code works in. It is empty, and trusted. */
  readonly cwd: string;
  /** Where notes go. It does not exist yet, as on a new user's machine. */
  readonly notesHome: string;
  readonly tmp: string;
  /** The whole environment of a child. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends what still runs in the sandbox, and removes the folder, if it was made here. */
  dispose(): Promise<void>;
}

const API_KEY = "scripted-model-has-no-key";

// How much of a key's end the host remembers of one that was allowed.
const REMEMBERED = 20;

/** Makes the folders, settings and environment in which Claude Code knows the model server at `modelUrl`, and nothing else. */
export async function createClaudeSandbox(options: ClaudeSandboxOptions): Promise<ClaudeSandbox> {
  const { modelUrl, settings = {}, env = {} } = options;
  const root = await rootOf(options.root);
  const folders = {
    home: join(root, "home"),
    configDir: join(root, "config"),
    cwd: join(root, "project"),
    tmp: join(root, "tmp"),
  };
  const notesHome = join(root, "notes");
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([
    writeJson(join(folders.configDir, ".claude.json"), answeredQuestions(folders.cwd)),
    writeJson(join(folders.configDir, "settings.json"), settings),
  ]);
  const dispose = async (): Promise<void> => {
    endProcesses(await processesIn({ home: folders.home }));
    if (options.root === undefined) await rm(root, { recursive: true, force: true });
  };
  return {
    root,
    ...folders,
    notesHome,
    env: { ...environment(folders, notesHome, modelUrl), ...env },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Without links, because Claude Code names folders after the real path of the project. */
async function rootOf(given: string | undefined): Promise<string> {
  if (given === undefined) return realpath(await mkdtemp(join(tmpdir(), "notesoup-claude-")));
  await mkdir(given, { recursive: true });
  return realpath(given);
}

/** What a new user is asked on a terminal, answered: the look, whether the key is to be used, and whether the project is trusted. */
function answeredQuestions(project: string): object {
  return {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [API_KEY.slice(-REMEMBERED)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
}

/**
 * Made from nothing, so that no `CLAUDE_*`, `ANTHROPIC_*` or `NOTESOUP_*` of the machine comes in.
 * Only the PATH is handed on, behind the Node that runs this: the machine's own may be too old for a
 * plugin.
 */
function environment(
  { home, configDir, tmp }: Pick<ClaudeSandbox, "home" | "configDir" | "tmp">,
  notesHome: string,
  modelUrl: string,
): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(delimiter),
    HOME: home,
    TMPDIR: tmp,
    CLAUDE_CODE_TMPDIR: tmp,
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    // An error of the model is part of a test, or a fault of it that must show at once.
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    NOTESOUP_HOME: notesHome,
    NO_COLOR: "1",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
}

function writeJson(path: string, value: object): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
