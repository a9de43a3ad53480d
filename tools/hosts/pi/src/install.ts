import { join } from "node:path";
import { installPinned, type InstalledHost } from "./pinned.ts";

const PI = {
  folder: join(import.meta.dirname, "..", "pinned"),
  packageName: "@earendil-works/pi-coding-agent",
  bin: "pi",
} as const;

/** Makes sure that the pinned Pi is installed. Where it is, this takes milliseconds. */
export function installPi(): Promise<InstalledHost> {
  return installPinned(PI);
}
