import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createNotesStore } from "@notesoup/notes";
import { rgPath } from "@vscode/ripgrep";
import glob from "fast-glob";
import matter from "gray-matter";
import { lock } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { splitNote } from "../../../packages/notes/src/frontmatter.ts";
import type { Comparison } from "./compare.ts";
import { BODY, identityIn, makeCorpus, RARE_WORD, TYPICAL_BLOCK } from "./corpus.ts";

const NOTES = 5000;

/** Comparisons of what the store does, on files in a folder of their own. */
export function notesComparisons(folder: string): Comparison[] {
  const corpus = join(folder, "corpus");
  makeCorpus(corpus, NOTES);
  return [searching(corpus), listing(corpus), frontmatter(), updating(folder)];
}

function searching(home: string): Comparison {
  return {
    name: `search ${NOTES} notes of 4 KiB for a rare word, with a new store`,
    rival: "rg -j1 -i -F -n --json, its start included",
    atMost: 6,
    ours: async () => {
      const rows = await createNotesStore(identityIn(home)).search([RARE_WORD], { glob: "**" });
      expectCount(rows.length, NOTES / 1000);
    },
    theirs: async () => {
      const args = ["-j1", "-i", "-F", "-n", "--json", RARE_WORD, home];
      const { stdout } = await promisify(execFile)(rgPath, args);
      expectCount(stdout.split("\n").filter((line) => line.includes('"type":"match"')).length, NOTES / 1000);
    },
  };
}

function listing(home: string): Comparison {
  return {
    name: `list ${NOTES} notes with metadata`,
    rival: "fast-glob, then await readFile and gray-matter one file after another",
    atMost: 0.5,
    ours: async () => expectCount((await createNotesStore(identityIn(home)).list({ glob: "**" })).length, NOTES),
    theirs: async () => {
      const rows: unknown[] = [];
      for (const file of await glob("**/*.md", { cwd: home, absolute: true }))
        rows.push(matter(await readFile(file, "utf8"), {}));
      expectCount(rows.length, NOTES);
    },
  };
}

function frontmatter(): Comparison {
  const text = `---\n${TYPICAL_BLOCK}---\n`;
  return {
    name: "the frontmatter of a typical note",
    rival: "gray-matter",
    atMost: 0.3,
    ours: () => void splitNote(text),
    // Given options, it does not answer from its cache.
    theirs: () => void matter(text, {}),
  };
}

const UPDATES = 1000;
const FILES = 100;
const WORKERS = 8;
const EDIT = { oldText: "start\n", newText: "start\none more\n" };

function updating(folder: string): Comparison {
  const home = join(folder, "ours");
  const ours = makeFiles(join(home, "project", "bench-00000000"));
  const theirs = makeFiles(join(folder, "theirs"));
  const calls = { ours: 0, theirs: 0 };
  return {
    name: `${UPDATES} updates of ${FILES} notes through ${WORKERS} stores, locked and flushed`,
    rival: "proper-lockfile, readFile and write-file-atomic",
    // At least one and a half times the rival's throughput.
    atMost: 1 / 1.5,
    ours: async () => {
      const stores = Array.from({ length: WORKERS }, () => createNotesStore(identityIn(home)));
      await eachWorker(async (update) => {
        await stores[update % WORKERS]?.update(`@project/n${update % FILES}`, [EDIT]);
      });
      expectCount(countLines(ours), UPDATES * ++calls.ours);
    },
    theirs: async () => {
      await eachWorker(async (update) => {
        const file = theirs[update % FILES] ?? "";
        const release = await lock(file, { retries: { retries: 1000, minTimeout: 1, maxTimeout: 5 } });
        const text = await readFile(file, "utf8");
        await writeFileAtomic(file, text.replace(EDIT.oldText, EDIT.newText));
        await release();
      });
      expectCount(countLines(theirs), UPDATES * ++calls.theirs);
    },
  };
}

function makeFiles(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: FILES }, (_, index) => {
    const file = join(folder, `n${index}.md`);
    writeFileSync(file, `---\n${TYPICAL_BLOCK}---\nstart\n${BODY}`);
    return file;
  });
}

async function eachWorker(work: (update: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let update = worker; update < UPDATES; update += WORKERS) await work(update);
    }),
  );
}

function countLines(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file, "utf8").split("one more\n").length - 1, 0);
}

function expectCount(found: number, expected: number): void {
  if (found !== expected) throw new Error(`Found ${found}, not ${expected}: the comparison compares nothing.`);
}
