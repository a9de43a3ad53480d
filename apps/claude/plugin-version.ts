import { readFile, writeFile } from "node:fs/promises";

// Puts the version of the package into the plugin's manifest, where Claude Code looks for it. Changesets
// raise the one, and know nothing of the other.
const manifest = new URL(".claude-plugin/plugin.json", import.meta.url);
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
const text = await readFile(manifest, "utf8");
await writeFile(manifest, text.replace(/(?<="version": ")[^"]*/u, version));
