import { availableParallelism, cpus } from "node:os";
import type { Compared } from "./compare.ts";
import type { Measured } from "./limit.ts";

/** The measurements as a markdown document: date, versions and cores above the tables. */
export function report(compared: readonly Compared[], measured: readonly Measured[], date: string): string {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}`;
  const ratios = compared.map(({ name, rival, oursMs, theirsMs, ratio, atMost }) => [
    name,
    rival,
    short(oursMs),
    short(theirsMs),
    ratio.toFixed(2),
    bound(ratio, atMost),
  ]);
  const figures = measured.map(({ name, unit, value, atMost }) => [
    name,
    `${short(value)} ${unit}`,
    bound(value, atMost),
  ]);
  return [
    `# ${date}`,
    `${machine}. Each ratio is ours divided by the rival's, the median of rounds in turns within one run; below 1 ours is faster.`,
    table(["job", "rival", "ours, ms", "rival, ms", "ratio", "at most"], ratios),
    table(["figure", "measured", "at most"], figures),
    "",
  ].join("\n\n");
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function bound(value: number, atMost: number): string {
  return `${Number(atMost.toFixed(2))}${value > atMost ? ", missed" : ""}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
