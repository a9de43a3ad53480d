import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPiSandbox, installPi, packPackage, type PiSandbox } from "@notesoup/host-pi";
import { startScriptedModel } from "@notesoup/scripted-model";
import { pictureOf, type Step } from "./picture.ts";
import { screenOf } from "./screen.ts";
import type { Line } from "./story.ts";
import { openTerminal } from "./terminal.ts";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

const COLUMNS = 100;

/**
 * Plays lines at a prompt in a home of its own, with the real Pi, the packed extension and the built
 * command, and draws what a terminal shows. The model is scripted.
 *
 * @throws Error where a line fails, or the model is asked for what its script does not hold
 */
export async function record(title: string, lines: readonly Line[]): Promise<string> {
  await using model = await startScriptedModel({ steps: lines.flatMap(({ steps = [] }) => steps) });
  await using sandbox = await createPiSandbox({ modelUrl: model.url });
  const env = await environment(sandbox);
  const steps: Step[] = [];
  for (const line of lines) steps.push(await play(line, sandbox.cwd, env));
  if (model.problems.length > 0) throw new Error(`The scripted model met problems: ${JSON.stringify(model.problems)}`);
  return pictureOf({ title, columns: COLUMNS, steps });
}

/** An environment in which `pi` and `notesoup` are on the PATH, as after an installation. */
async function environment(sandbox: PiSandbox): Promise<Record<string, string>> {
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  const extension = await packPackage(join(WORKSPACE, "apps/pi"), join(sandbox.root, "extension"));
  const { cli } = await installPi();
  await program(join(bin, "pi"), `exec "${process.execPath}" "${cli}" -e "${extension}" "$@"`);
  const command = join(WORKSPACE, "apps/cli/dist/command/main.js");
  await program(join(bin, "notesoup"), `exec "${process.execPath}" "${command}" "$@"`);
  const { NO_COLOR: _none, ...env } = sandbox.env;
  return { ...env, PATH: `${bin}:${env["PATH"] ?? ""}`, TERM: "xterm-256color", TZ: "UTC" };
}

async function program(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

async function play({ command, remark = "" }: Line, cwd: string, env: Record<string, string>): Promise<Step> {
  if (`$ ${command}  # ${remark}`.length > COLUMNS) throw new Error(`${command} is too long for a line of the picture`);
  const { code, signal, output } = await openTerminal("/bin/sh", ["-c", command], { cwd, env, columns: COLUMNS }).ended;
  if (code !== 0 || signal !== 0) throw new Error(`${command} ended with ${signal || code}:\n${output}`);
  const lines = await screenOf(sameEachTime(output), COLUMNS);
  return { command, remark, lines };
}

/** Times and the ids of sessions are others each time: the picture has fixed ones of the same length. */
function sameEachTime(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu, "2026-11-30T19:04:18.197Z")
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu,
      "01a22e82-0e85-754e-8f99-6a10c0492a94",
    )
    .replaceAll(/(?<=project-)[0-9a-f]{8}\b/gu, "0a1b2c3d");
}
