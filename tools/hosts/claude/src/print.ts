import { Lines } from "@notesoup/host-pi";
import { parseRow, type Row } from "./row.ts";
import { runClaude, type RunOptions, type RunResult } from "./run.ts";
import type { ClaudeSandbox } from "./sandbox.ts";
import { resultRows, type ResultRow } from "./stream.ts";

/** How a headless run ended, and all that it wrote. */
export interface PrintResult extends RunResult {
  /** The rows of its standard output. */
  readonly rows: readonly Row[];
  /** What is on the standard output beside rows: nothing, where all is well. */
  readonly strays: readonly string[];
  /** What became of the turn; `undefined` where it did not come to that. */
  readonly result: ResultRow | undefined;
}

/**
 * Runs Claude Code once, headless, on a prompt. Its input is closed. Any exit code resolves.
 *
 * @throws RunTimeout
 */
export async function printClaude(
  sandbox: ClaudeSandbox,
  prompt: string,
  options: RunOptions = {},
): Promise<PrintResult> {
  const args = [...(options.args ?? []), "--", prompt];
  const run = await runClaude(sandbox, ["-p", "--output-format", "stream-json", "--verbose"], { ...options, args });
  const lines = new Lines();
  const complete = lines.push(run.stdout);
  const parsed = [...complete, ...(lines.rest === "" ? [] : [lines.rest])].map((line) => ({
    line,
    row: parseRow(line),
  }));
  const rows = parsed.flatMap(({ row }) => row ?? []);
  const strays = parsed.filter(({ row }) => row === undefined).map(({ line }) => line);
  return { ...run, rows, strays, result: resultRows(rows).at(-1) };
}
