import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PiSandbox } from "../src/index.ts";

/** An extension in the sandbox: one tool that writes a file into the project, and one command that asks the user. */
const PROBE = `
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export default function (pi) {
  pi.registerTool({
    name: "probe",
    label: "Probe",
    description: "Writes probe.txt.",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
    async execute(_id, { text }, _signal, _onUpdate, ctx) {
      await writeFile(join(ctx.cwd, "probe.txt"), text);
      return { content: [{ type: "text", text: "Wrote " + text.length + " characters." }], details: {} };
    },
  });
  pi.registerCommand("ask", {
    description: "Asks whether to go on.",
    async handler(_args, ctx) {
      ctx.ui.notify((await ctx.ui.confirm("Go on?", "Really?")) ? "It goes on." : "It stops.", "info");
    },
  });
}
`;

/** @returns the arguments that load it */
export async function writeProbe(sandbox: PiSandbox): Promise<string[]> {
  return writeExtension(sandbox, PROBE);
}

export async function writeExtension({ root }: PiSandbox, source: string): Promise<string[]> {
  const folder = join(root, "extension");
  await mkdir(folder);
  await writeFile(join(folder, "extension.ts"), source);
  return ["-e", join(folder, "extension.ts")];
}

/** What the probe has written. */
export function probed({ cwd }: PiSandbox): Promise<string> {
  return readFile(join(cwd, "probe.txt"), "utf8");
}
