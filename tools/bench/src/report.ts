import { availableParallelism, cpus } from "node:os";
import type { Measured } from "./compare.ts";

/** The measurements as a markdown document: date, versions and cores above a table of ratios. */
export function report(measured: readonly Measured[], date: string): string {
  const rows = measured.map(({ name, rival, oursMs, theirsMs, ratio, atMost }) => [
    name,
    rival,
    milliseconds(oursMs),
    milliseconds(theirsMs),
    ratio.toFixed(2),
    atMost === undefined ? "" : `${atMost}${ratio > atMost ? " (missed)" : ""}`,
  ]);
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}`;
  return `# ${date}\n\n${machine}. Each ratio is ours divided by the rival's, the median of rounds in turns within one run; below 1 ours is faster.\n\n${table(["job", "rival", "ours, ms", "rival, ms", "ratio", "at most"], rows)}\n`;
}

function milliseconds(value: number): string {
  return value.toPrecision(3);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
