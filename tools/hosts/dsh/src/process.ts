import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { installDsh } from "./install.ts";
import type { DshSandbox } from "./sandbox.ts";

/** How a process ended, and all that it wrote. */
export interface DshResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What every way to run dsh can be given. */
export interface DshOptions {
  /** Variables beside the sandbox's own, or in their place. */
  readonly env?: Readonly<Record<string, string>>;
  /** The project, if another one than the sandbox's. */
  readonly cwd?: string;
  /** After so long dsh is ended and the run rejects; a minute if absent. */
  readonly timeoutMs?: number;
}

/** dsh as a child whose output is text. */
export type DshProcess = ChildProcessByStdio<Writable, Readable, Readable>;

// dsh ends its own children on SIGTERM, so it gets the time to.
const GRACE_MS = 3000;
const TIMEOUT_MS = 60_000;

/** Starts dsh in a sandbox. It leads a group of its own, with which it is ended. */
export async function startDsh(
  sandbox: DshSandbox,
  args: readonly string[],
  { env, cwd }: DshOptions = {},
): Promise<DshProcess> {
  const { cli } = await installDsh();
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: cwd ?? sandbox.cwd,
    env: { ...sandbox.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  // A write to a process that is gone says nothing that its end does not.
  child.stdin.on("error", () => {});
  await once(child, "spawn");
  return child;
}

/**
 * Runs dsh to its end. Its input is closed. Any exit code resolves.
 *
 * @throws Error with what dsh wrote, where it does not end in time
 */
export async function runDsh(
  sandbox: DshSandbox,
  args: readonly string[],
  options: DshOptions = {},
): Promise<DshResult> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const child = await startDsh(sandbox, args, options);
  child.stdin.end();
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (output.stdout += text));
  child.stderr.on("data", (text: string) => (output.stderr += text));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void endDsh(child);
  }, timeoutMs);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  endGroup(child, "SIGKILL");
  if (late) throw new Error(`dsh did not end in ${timeoutMs} ms.\nstdout: ${output.stdout}\nstderr: ${output.stderr}`);
  return { code, signal, ...output };
}

/** Ends dsh: with SIGTERM, and where that is not heard with SIGKILL, with all that it started. */
export async function endDsh(child: DshProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await exited;
    clearTimeout(force);
  }
  endGroup(child, "SIGKILL");
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
}

/** What dsh started and left behind is of its group, which has its number. */
export function endGroup({ pid }: DshProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
