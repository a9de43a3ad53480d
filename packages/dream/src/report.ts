import { join } from "node:path";
import { putFile } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { REPORTS_FOLDER, type DreamHome } from "./home.ts";
import type { BegunRun, FinishedRun } from "./run-files.ts";

/** What a report tells beside what the model wrote. */
export interface ReportFacts {
  readonly counts: FinishedRun["counts"];
  readonly readNotes: number;
  /** What was done to which file of the home. */
  readonly files: readonly { readonly what: string; readonly path: string }[];
  /** Addresses of what was left open. */
  readonly leftOpen: readonly string[];
  /** What the dreamer wrote. */
  readonly words: string;
}

/** The report's path in the home, named after the run's beginning. */
export function reportPath({ time, run }: BegunRun): string {
  return `${REPORTS_FOLDER}/${new Date(time).toISOString().replaceAll(":", "-")}-${run.slice(-6)}.md`;
}

/** The report of a dream that came to its end. */
export function reportText({ run, time, scope, notes }: BegunRun, facts: ReportFacts): string {
  const { counts, readNotes, files, leftOpen, words } = facts;
  return [
    `# Dream of ${new Date(time).toISOString()}`,
    "",
    `run ${run} · scope ${oneLine(scope)} · ${notes.length} notes in scope · ${readNotes} read · ${counts.changed} changed · ${counts.crumpled} crumpled · ${counts.purged} purged · ${counts.leftOpen} left open`,
    "",
    "The counts and lists are of the audit; the words at the end are the dreamer's.",
    ...section(
      "Changed",
      files.map(({ what, path }) => `${what} ${oneLine(path)}`),
    ),
    ...section("Left open", leftOpen.map(oneLine)),
    "",
    "## In the dreamer's words",
    "",
    words.trim() === "" ? "(nothing)" : words,
    "",
  ].join("\n");
}

/** The report of a dream that was stopped. */
export function stoppedText({ run, time, scope }: BegunRun, why: string, kept: readonly string[]): string {
  return [
    `# Dream of ${new Date(time).toISOString()}, stopped`,
    "",
    `run ${run} · scope ${oneLine(scope)} · nothing of it was kept`,
    "",
    `Why: ${oneLine(why)}`,
    ...section("Left as they are, for somebody has changed them since the dream did", kept.map(oneLine)),
    "",
  ].join("\n");
}

const LISTED_MAX = 500;

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - LISTED_MAX;
  return [
    "",
    `## ${title}`,
    "",
    ...lines.slice(0, LISTED_MAX).map((line) => `- ${line}`),
    ...(more > 0 ? [`- +${more} more`] : []),
  ];
}

/** Writes a report. */
export function writeReport({ root }: DreamHome, path: string, text: string): Promise<void> {
  return putFile(join(root, path), { bytes: text, mode: 0o600 });
}
