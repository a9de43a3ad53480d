import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bootLimits } from "./boot-limits.ts";
import { claudeComparisons, claudeLimits } from "./claude-helper.ts";
import { cliLimits } from "./cli-limits.ts";
import { compare, type Compared } from "./compare.ts";
import { measure, type Measured } from "./limit.ts";
import { historyComparisons } from "./history-comparisons.ts";
import { historyLimits } from "./history-limits.ts";
import { notesComparisons } from "./notes-comparisons.ts";
import { notesLimits } from "./notes-limits.ts";
import { report } from "./report.ts";

const RESULTS = fileURLToPath(new URL("../../../bench/results", import.meta.url));

const folder = await mkdtemp(join(tmpdir(), "notesoup-bench-"));
try {
  const comparisons = [...notesComparisons(folder), ...historyComparisons(folder), ...claudeComparisons(folder)];
  // Before the rivals have filled this process's memory.
  const measured: Measured[] = [];
  for (const limit of [
    ...notesLimits(folder),
    ...bootLimits(folder),
    ...historyLimits(folder),
    ...cliLimits(folder),
    ...claudeLimits(folder),
  ])
    measured.push(await measure(limit));
  const compared: Compared[] = [];
  for (const comparison of comparisons) compared.push(await compare(comparison));
  const date = new Date().toISOString().slice(0, 10);
  const text = report(compared, measured, date);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${date}.md`), text);
  process.stdout.write(text);
} finally {
  await rm(folder, { recursive: true, force: true });
}
