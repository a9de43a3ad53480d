import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** A model that Pi is told of. What is not given is a text and image model of 128,000 tokens that costs nothing. */
export interface PiModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What a sandbox is made with. */
export interface PiSandboxOptions {
  /** The base URL of the model server, which speaks OpenAI's chat completions. */
  readonly modelUrl: string;
  /** Settings of Pi. Each takes the place of a default of the same name, whole. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The models of the provider `scripted`; `scripted-model` if absent. */
  readonly models?: readonly PiModel[];
  /** Further variables, and others in place of the sandbox's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to use. It stays when the sandbox is disposed of; a temporary one, which goes, if absent. */
  readonly root?: string;
}

/** A place where Pi sees nothing of this machine's user: folders, settings and an environment of its own. */
export interface PiSandbox extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** Where Pi keeps settings, models and sessions. */
  readonly agentDir: string;
  /** The project that Pi works in. It is empty. */
  readonly cwd: string;
  /** Where notes go. It does not exist yet, as on a new user's machine. */
  readonly notesHome: string;
  readonly tmp: string;
  /** The whole environment of a child. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes the folder, if it was made here. */
  dispose(): Promise<void>;
}

const PROVIDER = "scripted";
const DEFAULT_MODEL: PiModel = { id: "scripted-model" };

/** Makes the folders, settings and environment in which Pi knows the model server at `modelUrl`, and nothing else. */
export async function createPiSandbox(options: PiSandboxOptions): Promise<PiSandbox> {
  const { modelUrl, settings = {}, models = [DEFAULT_MODEL], env = {} } = options;
  const root = await rootOf(options.root);
  const folders = {
    home: join(root, "home"),
    agentDir: join(root, "agent"),
    cwd: join(root, "project"),
    tmp: join(root, "tmp"),
  };
  const notesHome = join(root, "notes");
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([
    writeJson(join(folders.agentDir, "models.json"), modelsFile(modelUrl, models)),
    writeJson(join(folders.agentDir, "settings.json"), { ...defaultSettings(models), ...settings }),
  ]);
  const dispose = async (): Promise<void> => {
    if (options.root === undefined) await rm(root, { recursive: true, force: true });
  };
  return {
    root,
    ...folders,
    notesHome,
    env: { ...environment(folders, notesHome), ...env },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Without links, because Pi names sessions after the real path of the project. */
async function rootOf(given: string | undefined): Promise<string> {
  if (given === undefined) return realpath(await mkdtemp(join(tmpdir(), "notesoup-pi-")));
  await mkdir(given, { recursive: true });
  return realpath(given);
}

function modelsFile(baseUrl: string, models: readonly PiModel[]): object {
  const defaults = {
    reasoning: false,
    input: ["text", "image"],
    contextWindow: 128_000,
    maxTokens: 8192,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const provider = {
    name: "Scripted",
    baseUrl,
    apiKey: "none",
    api: "openai-completions",
    models: models.map((model) => ({ name: model.id, ...defaults, ...model })),
  };
  return { providers: { [PROVIDER]: provider } };
}

function defaultSettings(models: readonly PiModel[]): object {
  return {
    defaultProvider: PROVIDER,
    defaultModel: (models[0] ?? DEFAULT_MODEL).id,
    defaultThinkingLevel: "off",
    // An error of the model is part of a test, or a fault of it that must show at once.
    retry: { enabled: false },
  };
}

/**
 * Made from nothing, so that no `PI_*`, `CLAUDE_*` or `NOTESOUP_*` of the machine comes in. Only
 * the PATH is handed on, behind the Node that runs this: the machine's own may be too old for Pi.
 */
function environment(
  { home, agentDir, tmp }: Pick<PiSandbox, "home" | "agentDir" | "tmp">,
  notesHome: string,
): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(delimiter),
    HOME: home,
    TMPDIR: tmp,
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
    PI_SKIP_VERSION_CHECK: "1",
    NOTESOUP_HOME: notesHome,
    NO_COLOR: "1",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
}

function writeJson(path: string, value: object): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
