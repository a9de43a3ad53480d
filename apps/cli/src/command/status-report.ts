import { existsSync, statSync } from "node:fs";
import type { Harness, HistoryRoots } from "@notesoup/history";
import { projectKey } from "@notesoup/notes";
import { oneLine, quote } from "@notesoup/text";
import { machineCorpus, machineRoots } from "./history/corpus.ts";
import { hostVersions } from "./host-versions.ts";
import { type NotebookSize, notebooksOf } from "./notebooks.ts";
import { type IdentityFlags, identityOf } from "./notes/identity.ts";
import { say, sayJson } from "./output.ts";
import { Refused } from "./refused.ts";
import { version } from "./version.ts";

/** The flags of `notesoup status`. */
export interface StatusFlags extends Pick<IdentityFlags, "home" | "cwd"> {
  readonly json?: boolean;
}

/** What `notesoup status` tells. */
export interface Status {
  readonly home: string;
  readonly project_key: string;
  readonly notebooks: readonly NotebookSize[];
  readonly unavailable: number;
  readonly harnesses: readonly HarnessStatus[];
  readonly versions: Readonly<Record<string, string>>;
}

interface HarnessStatus {
  readonly harness: Harness;
  readonly found: boolean;
  readonly sessions: number;
  readonly last_activity: string | null;
}

const HARNESSES: readonly Harness[] = ["pi", "claude", "dsh"];

/** Prints the status. */
export async function printStatus(flags: StatusFlags): Promise<void> {
  const status = await statusOf(flags);
  if (flags.json === true) sayJson(status);
  else say(statusText(status));
}

/** @throws Refused `invalid_cwd` */
async function statusOf(flags: StatusFlags): Promise<Status> {
  const { cwd = ".", ...rest } = flags;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Refused("invalid_cwd", `--cwd ${quote(cwd)} is not an existing folder; give one, or leave it out`);
  const identity = { ...identityOf(rest), projectKey: projectKey(cwd) };
  const [{ notebooks, unavailable }, hosts] = await Promise.all([
    notebooksOf(identity),
    hostVersions(process.env["PATH"]),
  ]);
  return {
    home: identity.home,
    project_key: identity.projectKey,
    notebooks,
    unavailable,
    harnesses: await Promise.all(HARNESSES.map(harnessStatus)),
    versions: { notesoup: version(), node: process.versions.node, ...hosts },
  };
}

async function harnessStatus(harness: Harness): Promise<HarnessStatus> {
  const sessions = await machineCorpus().sessions(harness);
  const last = sessions[0]?.lastActivity;
  return {
    harness,
    found: rootsOf(harness, machineRoots()).some((root) => existsSync(root)),
    sessions: sessions.length,
    last_activity: last === undefined ? null : new Date(last).toISOString(),
  };
}

function rootsOf(harness: Harness, roots: HistoryRoots): readonly string[] {
  return roots[harness] ?? [];
}

/** The status as a person reads it. Of the notebooks of sessions, which are many, the sum is told. */
export function statusText({
  home,
  project_key: project,
  notebooks,
  unavailable,
  harnesses,
  versions,
}: Status): string {
  const isSession = ({ notebook }: NotebookSize): boolean => notebook.startsWith("@sessions/");
  const sessions = notebooks.filter(isSession);
  const lines = [
    ...notebooks
      .filter((notebook) => !isSession(notebook))
      .map((size) => `${oneLine(size.notebook)}/ · ${sizeText(size)}`),
    ...(sessions.length === 0
      ? []
      : [`@sessions/*/ · ${sizeText(sum(sessions))} · ${counted(sessions.length, "session")}`]),
  ];
  return [
    `home: ${oneLine(home)}`,
    `project: ${project}`,
    "notebooks:",
    ...indented(lines.length === 0 && unavailable === 0 ? ["no notes yet"] : lines),
    ...(unavailable === 0 ? [] : indented([`${unavailable} could not be read; notesoup notes list "**" names them`])),
    "sessions:",
    ...indented(harnesses.map(harnessText)),
    "versions:",
    ...indented(Object.entries(versions).map(([name, number]) => `${name} ${number}`)),
  ].join("\n");
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function sizeText({ notes, crumpled, bytes }: NotebookSize): string {
  return [counted(notes, "note"), ...(crumpled === 0 ? [] : [`${crumpled} crumpled`]), counted(bytes, "byte")].join(
    " · ",
  );
}

function sum(sizes: readonly NotebookSize[]): NotebookSize {
  const total = (key: "notes" | "crumpled" | "bytes"): number => sizes.reduce((all, size) => all + size[key], 0);
  return { notebook: "", notes: total("notes"), crumpled: total("crumpled"), bytes: total("bytes") };
}

function harnessText({ harness, found, sessions, last_activity: last }: HarnessStatus): string {
  if (!found) return `${harness} · not found`;
  return [harness, counted(sessions, "session"), ...(last === null ? [] : [`last active ${last}`])].join(" · ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
