import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPiSandbox, installPi, type PiSandbox, printPi } from "@notesoup/host-pi";
import { startScriptedModel, toolNames } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

async function pi(sandbox: PiSandbox, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { cli } = await installPi();
  return promisify(execFile)(process.execPath, [cli, ...args], { cwd: sandbox.cwd, env: sandbox.env });
}

it.each([
  ["the packed package", () => extension.folder()],
  ["a clone of the workspace", () => fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/u, "")],
])(
  "is installed from %s by Pi's own command, works without a flag, and is removed again; the notes stay",
  async (_from, folder) => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [{ name: "notes_write", args: { address: "@human/a", content: "x" } }] }, "Done.", "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await pi(sandbox, "install", folder());
    expect(await printPi(sandbox, "Go.")).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
    await pi(sandbox, "remove", folder());
    expect(await printPi(sandbox, "Go.")).toMatchObject({ code: 0, stderr: "" });

    const offered = model.requests.map((request) => toolNames(request).filter((name) => name.startsWith("notes_")));
    const tools = ["notes_write", "notes_read", "notes_update", "notes_list", "notes_search"];
    expect(offered).toEqual([tools, tools, []]);
    expect(existsSync(join(sandbox.notesHome, "human", "a.md"))).toBe(true);
  },
);
