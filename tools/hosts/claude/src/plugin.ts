import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runClaude, type RunOptions } from "./run.ts";
import type { ClaudeSandbox } from "./sandbox.ts";

/**
 * Installs the plugins of a marketplace that is a folder, as a user does.
 *
 * @param folder which holds `.claude-plugin/marketplace.json`
 * @returns what was installed, each as `plugin@marketplace`
 * @throws Error with what Claude Code wrote, where it refuses
 */
export async function installPlugins(
  sandbox: ClaudeSandbox,
  folder: string,
  options: RunOptions = {},
): Promise<string[]> {
  const { name, plugins } = JSON.parse(await readFile(join(folder, ".claude-plugin", "marketplace.json"), "utf8")) as {
    readonly name: string;
    readonly plugins: readonly { readonly name: string }[];
  };
  await mustRun(sandbox, ["plugin", "marketplace", "add", folder], { ...options, args: [] });
  const installed: string[] = [];
  for (const plugin of plugins) {
    const id = `${plugin.name}@${name}`;
    await mustRun(sandbox, ["plugin", "install", id], options);
    installed.push(id);
  }
  return installed;
}

async function mustRun(sandbox: ClaudeSandbox, command: readonly string[], options: RunOptions): Promise<void> {
  const { code, signal, stdout, stderr } = await runClaude(sandbox, command, options);
  if (code === 0) return;
  throw new Error(`\`claude ${command.join(" ")}\` ended with ${signal ?? code}.\n${stdout}${stderr}`);
}
