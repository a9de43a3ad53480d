import { end, ended, startClaude, type ClaudeOptions, type ClaudeProcess, type Ending } from "./process.ts";
import type { ClaudeSandbox } from "./sandbox.ts";

/** How Claude Code is run to its end. */
export interface RunOptions extends ClaudeOptions {
  /** After so long it is ended and the run rejects; a minute if absent. */
  readonly timeoutMs?: number;
}

/** How a run ended, and all that it wrote. */
export interface RunResult extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that did not end in time. It carries what had been written. */
export class RunTimeout extends Error {
  override readonly name = "RunTimeout";
  readonly stdout: string;
  readonly stderr: string;

  constructor(timeoutMs: number, { stdout, stderr }: Output) {
    super(`Claude Code did not end within ${timeoutMs} ms.\nstdout: ${stdout}\nstderr: ${stderr}`);
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

interface Output {
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 60_000;

/**
 * Runs a command of Claude Code, such as `["plugin", "validate", folder]`, to its end. Its input is
 * closed. Any exit code resolves.
 *
 * @throws RunTimeout
 */
export async function runClaude(
  sandbox: ClaudeSandbox,
  command: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { args = [], timeoutMs = TIMEOUT_MS } = options;
  const child = await startClaude(sandbox, [...command, ...args], options);
  child.stdin.end();
  const output = collect(child);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void end(child);
  }, timeoutMs);
  const ending = await ended(child);
  clearTimeout(timer);
  if (late) throw new RunTimeout(timeoutMs, output);
  return { ...ending, ...output };
}

function collect(child: ClaudeProcess): Output {
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (output.stdout += text));
  child.stderr.on("data", (text: string) => (output.stderr += text));
  return output;
}
