import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runChild } from "./child.ts";
import type { Finding } from "./finding.ts";
import { trackedFiles } from "./workspace.ts";

const lockSetting = "omit-lockfile-registry-resolved=true";

/**
 * A lock says which versions are installed, not from where: each folder with a lock has the setting
 * of npm that keeps addresses out of it (a setting holds for its own folder only), and no lock has one.
 */
export async function checkLocks(workspaceRoot: string): Promise<readonly Finding[]> {
  const locks = (await trackedFiles(workspaceRoot)).filter((path) => basename(path) === "package-lock.json");
  return locks.flatMap((lock) => {
    const settings = join(workspaceRoot, dirname(lock), ".npmrc");
    const isSet = existsSync(settings) && readFileSync(settings, "utf8").split(/\r?\n/).includes(lockSetting);
    const hasAddress = readFileSync(join(workspaceRoot, lock), "utf8").includes('"resolved": "http');
    return [
      ...(isSet ? [] : [{ where: lock, what: `stands beside no .npmrc with ${lockSetting}` }]),
      ...(hasAddress ? [{ where: lock, what: "names the registry that it was made with: remove `resolved`" }] : []),
    ];
  });
}

/**
 * Nothing that is committed names the machine on which it was made: neither the folder of the checkout
 * (which on a build server is nobody's, and is not looked for) nor a registry of packages.
 */
export async function checkMachineNames(workspaceRoot: string): Promise<readonly Finding[]> {
  const { stdout } = await runChild(workspaceRoot, "npm", ["config", "get", "registry"]);
  const configured = URL.canParse(stdout.trim()) ? new URL(stdout.trim()).host : undefined;
  const hosts = [
    String.raw`(?:[\w-]+\.)*registry\.[\w.-]+`,
    ...(configured === undefined ? [] : [RegExp.escape(configured)]),
  ];
  const registry = new RegExp(`https?://(?:${hosts.join("|")})(?![\\w.-])`);
  const checkout = process.env["CI"] === undefined ? pathPattern(workspaceRoot) : undefined;

  const findings: Finding[] = [];
  for (const where of await trackedFiles(workspaceRoot)) {
    const file = join(workspaceRoot, where);
    if (!statSync(file).isFile()) continue;
    const text = readFileSync(file, "latin1");
    if (registry.test(text)) findings.push({ where, what: "names the address of a registry" });
    if (checkout?.test(text) === true) findings.push({ where, what: "names the folder of this checkout" });
  }
  return findings;
}

/** A path of one folder, as in a container, is too short to mean anything in a text. */
function pathPattern(path: string): RegExp | undefined {
  return path.split("/").length > 2 ? new RegExp(`${RegExp.escape(path)}(?![\\w.-])`) : undefined;
}
