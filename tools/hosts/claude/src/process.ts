import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { installClaude } from "./install.ts";
import type { ClaudeSandbox } from "./sandbox.ts";

/** How a process ended: with a code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What every way to run Claude Code can be given. */
export interface ClaudeOptions {
  /** Further arguments of the command line: `["--plugin-dir", folder]` loads a plugin for this run. */
  readonly args?: readonly string[];
  /** Variables beside the sandbox's own, or in their place. */
  readonly env?: Readonly<Record<string, string>>;
  /** The project, if another one than the sandbox's. */
  readonly cwd?: string;
  /** A program in place of the pinned Claude Code, which is installed first if this is absent. */
  readonly binary?: string;
}

/** Claude Code as a child whose output is text. */
export type ClaudeProcess = ChildProcessByStdio<Writable, Readable, Readable>;

// Claude Code ends its own children on SIGTERM, so it gets the time to.
const GRACE_MS = 3000;

/** @throws Error where the process cannot be started */
export async function startClaude(
  sandbox: ClaudeSandbox,
  args: readonly string[],
  options: ClaudeOptions,
): Promise<ClaudeProcess> {
  const binary = options.binary ?? (await installClaude()).binary;
  const child = spawn(binary, args, {
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
export async function ended(child: ClaudeProcess): Promise<Ending> {
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/**
 * Ends the process, by its own id: with SIGTERM, and with SIGKILL where that is not heard. Its
 * output ends too, even where a child that outlives it holds it open.
 */
export async function end(child: ClaudeProcess): Promise<void> {
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
