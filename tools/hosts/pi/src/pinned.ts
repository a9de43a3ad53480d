import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exclusively, type Holder } from "./exclusive.ts";
import { runNpm } from "./npm.ts";

/** A folder with a lock of its own, and the host that it pins. */
export interface Pin {
  readonly folder: string;
  /** The package that is the host. */
  readonly packageName: string;
  /** Which of the package's `bin` runs it. */
  readonly bin: string;
}

/** A host that is installed as its lock says. */
export interface InstalledHost {
  /** The script that runs the host, for Node. */
  readonly cli: string;
  /** The folder of the host's package. */
  readonly root: string;
  readonly version: string;
}

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
}

const STAMP = ".notesoup-lock-hash";
const INSTALL_LOCK = ".install-lock";
const WAIT_MS = 600_000;

/**
 * Installs what a pin's lock says, unless that has been done: a stamp in `node_modules` holds the
 * hash of the lock, and is there only from the end of an installation to the begin of the next.
 */
export async function installPinned(pin: Pin, { waitMs = WAIT_MS } = {}): Promise<InstalledHost> {
  if (!(await isInstalled(pin))) {
    await exclusively(join(pin.folder, INSTALL_LOCK), { waitMs }, async (holder) => {
      // Another process may have done it while this one waited.
      if (!(await isInstalled(pin))) await install(pin, holder);
    });
  }
  return installedHost(pin);
}

async function install({ folder }: Pin, holder: Holder): Promise<void> {
  const hash = await hashOfLock(folder);
  await rm(stampOf(folder), { force: true });
  // npm works on when this process is killed, and two of them would delete each other's files.
  await runNpm(["ci", "--omit=dev", "--ignore-scripts"], folder, (pid) => holder.share(pid));
  await writeFile(stampOf(folder), hash);
}

async function isInstalled({ folder }: Pin): Promise<boolean> {
  const [stamp, hash] = await Promise.all([
    readFile(stampOf(folder), "utf8").catch(() => undefined),
    hashOfLock(folder),
  ]);
  return stamp === hash;
}

function stampOf(folder: string): string {
  return join(folder, "node_modules", STAMP);
}

async function hashOfLock(folder: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(folder, "package-lock.json")))
    .digest("hex");
}

async function installedHost({ folder, packageName, bin }: Pin): Promise<InstalledHost> {
  const root = join(folder, "node_modules", packageName);
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const cli = manifest.bin[bin];
  if (cli === undefined) throw new Error(`${packageName} ${manifest.version} has no command ${bin}.`);
  return { cli: join(root, cli), root, version: manifest.version };
}
