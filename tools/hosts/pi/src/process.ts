import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { installPi } from "./install.ts";
import type { PiSandbox } from "./sandbox.ts";

/** How a process ended: with a code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What every way to run Pi can be given. */
export interface PiOptions {
  /** Further arguments of the command line: `["-e", folder]` loads an extension. */
  readonly args?: readonly string[];
  /** Variables beside the sandbox's own, or in their place. */
  readonly env?: Readonly<Record<string, string>>;
  /** The project, if another one than the sandbox's. */
  readonly cwd?: string;
  /** The script that runs Pi; the pinned one, which is installed first, if absent. */
  readonly cli?: string;
}

/** Pi as a child whose output is text. */
export type PiProcess = ChildProcessByStdio<Writable, Readable, Readable>;

// Pi ends its own children on SIGTERM, so it gets the time to.
const GRACE_MS = 2000;

/** @throws Error where the process cannot be started */
export async function startPi(sandbox: PiSandbox, args: readonly string[], options: PiOptions): Promise<PiProcess> {
  const cli = options.cli ?? (await installPi()).cli;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: options.cwd ?? sandbox.cwd,
    env: { ...sandbox.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  // A write to a process that is gone says nothing that its end does not.
  child.stdin.on("error", () => {});
  await once(child, "spawn");
  return child;
}

/** Resolves when the process has ended and all its output has come. */
export async function ended(child: PiProcess): Promise<Ending> {
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/**
 * Ends the process, by its own id: with SIGTERM, and with SIGKILL where that is not heard. Its
 * output ends too, even where a child that outlives it holds it open.
 */
export async function end(child: PiProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await exited;
    clearTimeout(force);
  }
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
}
