import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { createNotesStore, type NotesIdentity, type NotesStore } from "@notesoup/notes";
import { temporaryFolder } from "@notesoup/testing";
import type { Answer } from "@notesoup/tools";
import { createDream, type Dream, type DreamOptions } from "../src/index.ts";

/** A home of notes, and what a host gives a dream in it. */
export interface DreamPlace {
  readonly home: string;
  readonly identity: NotesIdentity;
  readonly options: DreamOptions;
  readonly store: NotesStore;
  /** Writes a file of the home as any program does. */
  readonly put: (path: string, text: string, mode?: number) => void;
}

function identityIn(home: string): NotesIdentity {
  return { home, sessionId: "dreamer", projectKey: "app-0a1b2c3d", agent: "soup", model: "some-model" };
}

export async function dreamPlace(options: Partial<DreamOptions> = {}): Promise<DreamPlace> {
  return placeIn(join(await temporaryFolder(), "home"), options);
}

export function placeIn(home: string, options: Partial<DreamOptions> = {}): DreamPlace {
  mkdirSync(home, { recursive: true });
  const identity = identityIn(home);
  return {
    home,
    identity,
    options: { identity, baseCwd: home, env: process.env, ...options },
    store: createNotesStore(identity),
    put(path, text, mode = 0o644) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
      chmodSync(join(home, path), mode);
    },
  };
}

/** A note as its file is written. */
export function noteText(body: string, lines: Readonly<Record<string, string | number>> = {}): string {
  const known = {
    origin: "self",
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    ...lines,
  };
  return `---\n${Object.entries(known)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("")}---\n${body}`;
}

/** Fills the project's notebook with so many notes of some lines. */
export function fill({ put }: DreamPlace, notes: number, lines = 4): void {
  for (let index = 0; index < notes; index++) {
    const text = Array.from({ length: lines }, (_, line) => `note ${index} line ${line} says something`).join("\n");
    put(`project/app-0a1b2c3d/n${index}.md`, noteText(`${text}\n`), index % 3 === 0 ? 0o600 : 0o644);
  }
}

/** The success of an answer; a refusal fails the test. */
export function success<Data>({ outcome }: Answer<Data>): Data {
  if (outcome.ok) return outcome.data;
  throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
}

/** The code of a refusal, or `ok`. */
export function codeOf({ outcome }: Answer<unknown>): string {
  return outcome.ok ? "ok" : outcome.error.code;
}

/** Begins a dream, whatever the gates say. */
export async function begun(
  { options }: DreamPlace,
  scope?: string,
): Promise<{ readonly dream: Dream; readonly run: string }> {
  const dream = createDream(options);
  const { run } = success(await dream.begin({ force: true, ...(scope === undefined ? {} : { scope }) }));
  return { dream, run };
}

/** Every file that is a person's: path, mode, and bytes or what a link says. The dream's own things are left out. */
export function filesOf(home: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const { name } of readdirSync(join(home, folder), { withFileTypes: true })) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if ([".git", ".locks", ".dream.lock", "dreams"].includes(path)) continue;
      const stats = lstatSync(join(home, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) files[path] = `link ${readlinkSync(join(home, path))}`;
      else files[path] = `${(stats.mode & 0o7777).toString(8)} ${readFileSync(join(home, path), "utf8")}`;
    }
  };
  walk("");
  return files;
}

/** What git says of the audit. */
export function audit(home: string, ...args: readonly string[]): string {
  return execFileSync("git", [`--git-dir=${join(home, ".git")}`, ...args], { encoding: "utf8" }).trimEnd();
}

/** Paths outside of the reports that the last commit changed, with git's letter for how. */
export function lastChanges(home: string): readonly string[] {
  return audit(home, "diff", "--no-renames", "--name-status", "HEAD^", "HEAD")
    .split("\n")
    .filter((line) => line !== "" && !line.includes("\tdreams/"));
}
