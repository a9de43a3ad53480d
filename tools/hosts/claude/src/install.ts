import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { installPinned } from "@notesoup/host-pi";

/** Claude Code, installed as its lock says. */
export interface InstalledClaude {
  /** The program. */
  readonly binary: string;
  readonly version: string;
}

const PIN = {
  folder: join(import.meta.dirname, "..", "pinned"),
  packageName: "@anthropic-ai/claude-code",
  bin: "claude",
} as const;

const BINARY = "claude";

/** Makes sure that the pinned Claude Code is installed. Where it is, this takes milliseconds. */
export async function installClaude(): Promise<InstalledClaude> {
  const { root, version } = await installPinned(PIN);
  return { binary: await binaryOf(root), version };
}

/**
 * The program lies in a package for each platform, of which npm installs the one that fits. The
 * command of the host's own package is a stand-in, which a script that is not run would replace.
 */
async function binaryOf(root: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const candidates = Object.keys(manifest.optionalDependencies).map((name) =>
    join(PIN.folder, "node_modules", name, BINARY),
  );
  const isThere = await Promise.all(
    candidates.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const binary = candidates.find((_, index) => isThere[index]);
  if (binary === undefined) throw new Error(`Claude Code has no package for ${process.platform} on ${process.arch}.`);
  return binary;
}
