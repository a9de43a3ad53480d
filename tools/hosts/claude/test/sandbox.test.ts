import { access, readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it, vi } from "vitest";
import { createClaudeSandbox } from "../src/index.ts";

const modelUrl = "http://127.0.0.1:9";

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), "utf8"));
}

describe("a sandbox", () => {
  it("has folders of its own, which go with it, and none for notes", async () => {
    const sandbox = await createClaudeSandbox({ modelUrl });
    const { root, home, configDir, cwd, tmp, notesHome } = sandbox;
    await Promise.all([home, configDir, cwd, tmp].map((folder) => access(folder)));
    expect(await readdir(cwd)).toEqual([]);
    expect(dirname(notesHome)).toBe(root);
    await expect(access(notesHome)).rejects.toThrow("ENOENT");
    await sandbox.dispose();
    await expect(access(root)).rejects.toThrow("ENOENT");
  });

  it("leaves a folder that it was given", async () => {
    const root = join(await temporaryFolder(), "given");
    {
      await using sandbox = await createClaudeSandbox({ modelUrl, root });
      expect(sandbox.root).toBe(root);
    }
    expect(await readdir(root)).toContain("project");
  });

  it("has an environment in which nothing of the machine's is but the PATH, behind this Node", async () => {
    for (const name of ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "ANTHROPIC_AUTH_TOKEN", "NOTESOUP_HOME", "SECRET"])
      vi.stubEnv(name, "/outside");
    await using sandbox = await createClaudeSandbox({ modelUrl });
    const { PATH, ...rest } = sandbox.env;
    expect(PATH?.split(delimiter)[0]).toBe(dirname(process.execPath));
    expect(rest).toEqual({
      HOME: sandbox.home,
      TMPDIR: sandbox.tmp,
      CLAUDE_CODE_TMPDIR: sandbox.tmp,
      CLAUDE_CONFIG_DIR: sandbox.configDir,
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "scripted-model-has-no-key",
      CLAUDE_CODE_MAX_RETRIES: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      NOTESOUP_HOME: sandbox.notesHome,
      NO_COLOR: "1",
      TERM: "dumb",
      LANG: "C.UTF-8",
    });
  });

  it("takes variables that are given beside its own and in their place, and settings", async () => {
    const settings = { model: "haiku" };
    await using sandbox = await createClaudeSandbox({ modelUrl, settings, env: { LANG: "C", EXTRA: "1" } });
    expect(sandbox.env).toMatchObject({ LANG: "C", EXTRA: "1", TERM: "dumb" });
    expect(await readJson(sandbox.configDir, "settings.json")).toEqual(settings);
  });
});
