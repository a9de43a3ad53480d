import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPlugins, printClaude, runClaude } from "@notesoup/host-claude";
import { startMessagesModel } from "@notesoup/scripted-model";
import { describe, expect, it, onTestFinished } from "vitest";
import { installedPlugin } from "./installed-plugin.ts";

const plugin = installedPlugin();

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** A copy of the package, for the running test to change. */
async function copyOfPackage(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-copy-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(plugin.folder, join(root, "plugin"), { recursive: true });
  return join(root, "plugin");
}

describe("the package", () => {
  it("passes the host's own checks, those of its directory included", async () => {
    const { code, stdout, stderr } = await runClaude(plugin.sandbox, [
      "plugin",
      "validate",
      "--strict",
      "--profile",
      "directory",
      plugin.folder,
    ]);
    expect(code, stdout + stderr).toBe(0);
  });

  it("is offered by the marketplace of the repository under its name in npm", async () => {
    const { code, stdout } = await runClaude(plugin.sandbox, ["plugin", "validate", WORKSPACE]);
    expect(code, stdout).toBe(0);
    const text = await readFile(join(WORKSPACE, ".claude-plugin", "marketplace.json"), "utf8");
    const manifest = JSON.parse(await readFile(join(plugin.folder, "package.json"), "utf8")) as {
      readonly name: string;
    };
    const { plugins } = JSON.parse(text) as { readonly plugins: readonly { readonly source: object }[] };
    expect(plugins.map(({ source }) => source)).toEqual([{ source: "npm", package: manifest.name }]);
  });

  it("has one version", async () => {
    const versionOf = async (file: string): Promise<string> =>
      (JSON.parse(await readFile(join(plugin.folder, file), "utf8")) as { readonly version: string }).version;
    expect(await versionOf(".claude-plugin/plugin.json")).toBe(await versionOf("package.json"));
  });

  it("passes the tests of its module, in the host's own kit", async () => {
    const folder = await copyOfPackage();
    await cp(join(PACKAGE, "module-test"), join(folder, "module-test"), { recursive: true });
    const { code, stdout, stderr } = await runClaude(plugin.sandbox, ["plugin", "test", folder]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).toMatch(/\n\s*[1-9]\d* pass\n\s*0 fail\n/u);
  });
});

describe("an older host", () => {
  /** The package as it is when it needs another host: to a host of today, as this one is to one of yesterday. */
  async function packageOfTomorrow(): Promise<string> {
    const folder = await copyOfPackage();
    const path = join(folder, ".claude-plugin", "plugin.json");
    const manifest = JSON.parse(await readFile(path, "utf8")) as object;
    await writeFile(path, JSON.stringify({ ...manifest, engines: { "claude-code": ">=99.0.0" } }));
    return folder;
  }

  it("is told which one it needs, and does not install it", async () => {
    const folder = await packageOfTomorrow();
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: folder });
    git("init", "--quiet");
    git("add", "--all", "--force");
    git("commit", "--quiet", "--message=tomorrow");
    const market = join(folder, "..", "market");
    await mkdir(join(market, ".claude-plugin"), { recursive: true });
    const plugins = [{ name: "notesoup", source: { source: "url", url: `file://${folder}` } }];
    const offer = { name: "tomorrow", owner: { name: "tomorrow" }, plugins };
    await writeFile(join(market, ".claude-plugin", "marketplace.json"), JSON.stringify(offer));
    await expect(installPlugins(plugin.sandbox, market)).rejects.toThrow(/needs Claude Code >=99\.0\.0/u);
  });

  it("that loads it from a folder all the same says so, and the session goes on", async () => {
    await using model = await startMessagesModel({ steps: ["done"] });
    const args = ["--plugin-dir", await packageOfTomorrow()];
    const { result, stdout } = await printClaude(plugin.sandbox, "go", { args, env: plugin.env(model) });
    expect(result?.result).toBe("done");
    expect(stdout).toContain("It loads anyway");
  });
});
