import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClaudeSandbox } from "../src/index.ts";

const MODULE = `
export function register(on) {
  on("session.start", async ($, e, next) => {
    await $.tool.register({
      name: "probe",
      description: "Says what it was given.",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      isDeferred: false,
    });
    return next(e);
  });
  on("tool.check", { tool: "mcp__probe__probe" }, () => ({ decision: "allow" }));
  on("tool.run", { tool: "mcp__probe__probe" }, ($, e) => ({ result: "It says: " + e.text }));
}
`;

/** A plugin with one tool, in a marketplace that is its own folder. */
export async function writeProbe({ root }: ClaudeSandbox): Promise<string> {
  const folder = join(root, "probe");
  await Promise.all(["hooks", ".claude-plugin"].map((name) => mkdir(join(folder, name), { recursive: true })));
  const files = {
    ".claude-plugin/plugin.json": JSON.stringify({ name: "probe", version: "1.0.0", description: "A probe." }),
    ".claude-plugin/marketplace.json": JSON.stringify({
      name: "probes",
      owner: { name: "The tests" },
      plugins: [{ name: "probe", source: "./" }],
    }),
    "hooks/hooks.json": JSON.stringify({ modules: ["./register.js"] }),
    "hooks/register.js": MODULE,
  };
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(join(folder, path), text)));
  return folder;
}
