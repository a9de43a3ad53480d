import { join } from "node:path";
import { type InstalledHost, installPinned } from "@notesoup/host-pi";

const DSH = {
  folder: join(import.meta.dirname, "..", "pinned"),
  packageName: "@deepseek-ai/dsh",
  bin: "dsh",
} as const;

/** Makes sure that the pinned DeepSeek Harness is installed. Where it is, this takes milliseconds. */
export function installDsh(): Promise<InstalledHost> {
  return installPinned(DSH);
}

/** The script that runs pnpm, with which dsh installs its plugins. It is pinned beside the host. */
export async function installPnpm(): Promise<string> {
  await installDsh();
  return join(DSH.folder, "node_modules", "pnpm", "bin", "pnpm.cjs");
}
