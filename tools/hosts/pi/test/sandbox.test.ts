import { access, readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPiSandbox } from "../src/index.ts";
import { temporaryFolder } from "./temporary.ts";

const modelUrl = "http://127.0.0.1:9/v1";

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), "utf8"));
}

describe("a sandbox", () => {
  it("has folders of its own, which go with it, and none for notes", async () => {
    const sandbox = await createPiSandbox({ modelUrl });
    const { root, home, agentDir, cwd, tmp, notesHome } = sandbox;
    await Promise.all([home, agentDir, cwd, tmp].map((folder) => access(folder)));
    expect(await readdir(cwd)).toEqual([]);
    expect(dirname(notesHome)).toBe(root);
    await expect(access(notesHome)).rejects.toThrow("ENOENT");
    await sandbox.dispose();
    await expect(access(root)).rejects.toThrow("ENOENT");
  });

  it("leaves a folder that it was given", async () => {
    const root = join(await temporaryFolder(), "given");
    {
      await using sandbox = await createPiSandbox({ modelUrl, root });
      expect(sandbox.root).toBe(root);
    }
    expect(await readdir(root)).toContain("project");
  });

  it("has an environment in which nothing of the machine's is but the PATH, behind this Node", async () => {
    for (const name of ["PI_OFFLINE", "PI_CODING_AGENT_SESSION_DIR", "CLAUDE_CONFIG_DIR", "NOTESOUP_HOME", "SECRET"])
      vi.stubEnv(name, "/outside");
    onTestFinished(() => void vi.unstubAllEnvs());
    await using sandbox = await createPiSandbox({ modelUrl });
    const { PATH, ...rest } = sandbox.env;
    expect(PATH?.split(delimiter)[0]).toBe(dirname(process.execPath));
    expect(rest).toEqual({
      HOME: sandbox.home,
      TMPDIR: sandbox.tmp,
      PI_CODING_AGENT_DIR: sandbox.agentDir,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      NOTESOUP_HOME: sandbox.notesHome,
      NO_COLOR: "1",
      TERM: "dumb",
      LANG: "C.UTF-8",
    });
  });

  it("takes variables that are given beside its own and in their place", async () => {
    await using sandbox = await createPiSandbox({ modelUrl, env: { LANG: "C", EXTRA: "1" } });
    expect(sandbox.env).toMatchObject({ LANG: "C", EXTRA: "1", TERM: "dumb" });
  });

  it("lets Pi know one model, and start with it, without thoughts and second tries", async () => {
    await using sandbox = await createPiSandbox({ modelUrl });
    expect(await readJson(sandbox.agentDir, "models.json")).toMatchObject({
      providers: {
        scripted: {
          baseUrl: modelUrl,
          api: "openai-completions",
          models: [{ id: "scripted-model", contextWindow: 128_000 }],
        },
      },
    });
    expect(await readJson(sandbox.agentDir, "settings.json")).toEqual({
      defaultProvider: "scripted",
      defaultModel: "scripted-model",
      defaultThinkingLevel: "off",
      retry: { enabled: false },
    });
  });

  it("takes settings and models that are given, and starts with the first of those", async () => {
    const models = [{ id: "small", contextWindow: 9000 }, { id: "large" }];
    await using sandbox = await createPiSandbox({
      modelUrl,
      models,
      settings: { defaultThinkingLevel: "low", notesoup: { on: true } },
    });
    expect(await readJson(sandbox.agentDir, "models.json")).toMatchObject({
      providers: {
        scripted: {
          models: [
            { id: "small", contextWindow: 9000, maxTokens: 8192 },
            { id: "large", contextWindow: 128_000 },
          ],
        },
      },
    });
    expect(await readJson(sandbox.agentDir, "settings.json")).toMatchObject({
      defaultModel: "small",
      defaultThinkingLevel: "low",
      notesoup: { on: true },
    });
  });
});
