import { end, ended, startPi, type Ending, type PiOptions, type PiProcess } from "./process.ts";
import type { PiSandbox } from "./sandbox.ts";

/** How Pi is run once. */
export interface PrintOptions extends PiOptions {
  /** `text` prints the last answer, `json` every event as a line; `text` if absent. */
  readonly mode?: "text" | "json";
  /** After so long Pi is ended and the run rejects; a minute if absent. */
  readonly timeoutMs?: number;
}

/** How a run of Pi ended, and all that it wrote. */
export interface PrintResult extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of Pi that did not end in time. It carries what Pi had written. */
export class PrintTimeout extends Error {
  override readonly name = "PrintTimeout";
  readonly stdout: string;
  readonly stderr: string;

  constructor(timeoutMs: number, { stdout, stderr }: Output) {
    super(`Pi did not end within ${timeoutMs} ms.\nstdout: ${stdout}\nstderr: ${stderr}`);
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
 * Runs Pi once, on a prompt or on several that follow each other in one session. Its input is
 * closed. Any exit code resolves.
 *
 * @throws PrintTimeout
 */
export async function printPi(
  sandbox: PiSandbox,
  prompts: string | readonly string[],
  options: PrintOptions = {},
): Promise<PrintResult> {
  const { mode = "text", args = [], timeoutMs = TIMEOUT_MS } = options;
  const child = await startPi(sandbox, ["-p", "--mode", mode, ...args, "--", ...[prompts].flat()], options);
  child.stdin.end();
  const output = collect(child);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void end(child);
  }, timeoutMs);
  const ending = await ended(child);
  clearTimeout(timer);
  if (late) throw new PrintTimeout(timeoutMs, output);
  return { ...ending, ...output };
}

function collect(child: PiProcess): Output {
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: string) => (output.stdout += text));
  child.stderr.on("data", (text: string) => (output.stderr += text));
  return output;
}
