import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ClaudeSandbox,
  type ConversationOptions,
  type Conversation,
  createClaudeSandbox,
  installPlugins,
  startConversation,
} from "@notesoup/host-claude";
import { packPackage } from "@notesoup/host-pi";
import type { MessagesRequest, ScriptedModel } from "@notesoup/scripted-model";
import { afterAll, beforeAll } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** The plugin as a person has it: packed as it is published, and installed with Claude Code's own commands. */
export interface InstalledPlugin {
  readonly sandbox: ClaudeSandbox;
  /** The package, unpacked. */
  readonly folder: string;
  /** Starts a headless session that a model plays in. Its notes are its own, where `env` does not say otherwise. */
  start(model: ScriptedModel<MessagesRequest>, options?: ConversationOptions): Promise<Conversation>;
  /** What a session is to be given beside that, to talk to a model and to have notes of its own. */
  env(model: ScriptedModel<MessagesRequest>): Record<string, string>;
}

/** The plugin, packed and installed once for the tests of one file. */
export function installedPlugin(): InstalledPlugin {
  let root = "";
  let sandbox: ClaudeSandbox | undefined;
  let sessions = 0;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-plugin-")));
    await packPackage(PACKAGE, join(root, "package"));
    // Each session talks to a model of its own.
    sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root: join(root, "sandbox") });
    await installPlugins(sandbox, join(root, "package"));
  });
  afterAll(async () => {
    await sandbox?.dispose();
    await rm(root, { recursive: true, force: true });
  });
  const theSandbox = (): ClaudeSandbox => {
    if (sandbox === undefined) throw new Error("the plugin is not installed yet");
    return sandbox;
  };
  const env = (model: ScriptedModel<MessagesRequest>): Record<string, string> => ({
    ANTHROPIC_BASE_URL: model.url,
    NOTESOUP_HOME: join(root, `notes-${++sessions}`),
  });
  return {
    get sandbox() {
      return theSandbox();
    },
    get folder() {
      return join(root, "package");
    },
    env,
    start: (model, options = {}) =>
      startConversation(theSandbox(), { ...options, env: { ...env(model), ...options.env } }),
  };
}
