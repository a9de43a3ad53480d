import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** A change of the composed tree of rows, in dsh's own form: an insertion, or a row that others override. */
export type RowPatch = Readonly<Record<string, unknown>>;

/** What a sandbox is made with. */
export interface DshSandboxOptions {
  /** The base URL of the model server, which speaks DeepSeek's chat completions. */
  readonly modelUrl: string;
  /** Folders of packed plugins, each of them a bundle; they stand behind dsh's own. None if absent. */
  readonly plugins?: readonly string[];
  /** What the person of the sandbox has patched, behind all bundles. */
  readonly patches?: readonly RowPatch[];
  /** Tokens of the model's context window; dsh's own default, a million, if absent. */
  readonly contextWindow?: number;
  /** Whether dsh asks the model for a title of each session; not if absent. */
  readonly hasTitles?: boolean;
  /** Further variables, and others in place of the sandbox's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A place where dsh sees nothing of this machine's user: folders, profiles and an environment of its own. */
export interface DshSandbox extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** Where dsh keeps profiles and sessions. */
  readonly dshHome: string;
  /** The project that dsh works in. It is empty. */
  readonly cwd: string;
  /** Where notes go. It does not exist yet, as on a new user's machine. */
  readonly notesHome: string;
  /** The whole environment of a child. */
  readonly env: Readonly<Record<string, string>>;
}

/** The profile that answers one task and ends. */
export const HEADLESS_PROFILE = "once";
/** The profile that is driven for several turns. */
export const DRIVEN_PROFILE = "driven";

const BUNDLES = ["@deepseek-ai/dsh-base", "@deepseek-ai/dsh-headless"];
/** The rows that answer one task and end: in their place stands the driver. */
const RUNNER = ["headless-startup", "headless-runner"];
const DRIVER = join(import.meta.dirname, "driver", "row.ts");
const MODEL = "deepseek-v4-flash";

/** Makes the folders, the profiles and the environment in which dsh knows the model server, the plugins, and nothing else. */
export async function createDshSandbox(options: DshSandboxOptions): Promise<DshSandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-dsh-")));
  const folders = { home: join(root, "home"), cwd: join(root, "project"), tmp: join(root, "tmp") };
  const dshHome = join(root, "dsh");
  const notesHome = join(root, "notes");
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  const patches = [...machinePatches(options), ...(options.patches ?? [])];
  await Promise.all([
    writeProfile(dshHome, HEADLESS_PROFILE, { ...options, bundles: BUNDLES, patches }),
    writeProfile(dshHome, DRIVEN_PROFILE, {
      ...options,
      bundles: BUNDLES,
      patches: [
        ...patches,
        ...RUNNER.map((id) => ({ id, disabled: true })),
        { insert: [{ id: "driver", name: "./driver.ts" }] },
      ],
    }),
  ]);
  await cp(DRIVER, join(dshHome, "profiles", DRIVEN_PROFILE, "driver.ts"));
  return {
    root,
    home: folders.home,
    dshHome,
    cwd: folders.cwd,
    notesHome,
    env: { ...environment({ ...folders, dshHome, notesHome, modelUrl: options.modelUrl }), ...options.env },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

interface Profile {
  readonly bundles: readonly string[];
  readonly plugins?: readonly string[];
  readonly patches: readonly RowPatch[];
}

/** A profile as `dsh plugin add` leaves one: a manifest, an empty tree, the person's patches, and the plugins. */
async function writeProfile(dshHome: string, name: string, { bundles, plugins = [], patches }: Profile): Promise<void> {
  const folder = join(dshHome, "profiles", name);
  await mkdir(join(folder, "node_modules"), { recursive: true });
  const names = await Promise.all(plugins.map((plugin) => installPlugin(folder, plugin)));
  const manifest = {
    name: `profile-${name}`,
    private: true,
    type: "module",
    dsh: { profile: { bundles: [...bundles, ...names] } },
  };
  await Promise.all([
    writeJson(join(folder, "package.json"), manifest),
    writeFile(join(folder, "cordis.yml"), "[]\n"),
    // JSON is YAML.
    writeJson(join(folder, "cordis.patch.yml"), patches),
    writeFile(join(folder, "pnpm-workspace.yaml"), "packages: []\n"),
  ]);
}

/** Copies a packed plugin where a package manager would put it. Links would give it other copies of its peers. */
async function installPlugin(profile: string, plugin: string): Promise<string> {
  const { default: manifest } = (await import(join(plugin, "package.json"), { with: { type: "json" } })) as {
    readonly default: { readonly name: string };
  };
  await cp(plugin, join(profile, "node_modules", manifest.name), { recursive: true });
  return manifest.name;
}

function machinePatches({ contextWindow, hasTitles = false }: DshSandboxOptions): RowPatch[] {
  return [
    ...(hasTitles ? [] : [{ id: "session-title-llm", disabled: true }]),
    ...(contextWindow === undefined
      ? []
      : [{ id: "llm-deepseek", config: { models: [{ id: MODEL, contextWindow }] } }]),
  ];
}

/**
 * Made from nothing, so that no `DSH_*`, `DEEPSEEK_*` or `NOTESOUP_*` of the machine comes in. Only
 * the PATH is handed on, behind the Node that runs this.
 */
function environment(place: {
  readonly home: string;
  readonly tmp: string;
  readonly dshHome: string;
  readonly notesHome: string;
  readonly modelUrl: string;
}): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(delimiter),
    HOME: place.home,
    TMPDIR: place.tmp,
    DSH_HOME: place.dshHome,
    DSH_TELEMETRY_DISABLED: "1",
    DEEPSEEK_BASE_URL: place.modelUrl,
    DEEPSEEK_API_KEY: "sk-none",
    NOTESOUP_HOME: place.notesHome,
    NO_COLOR: "1",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
