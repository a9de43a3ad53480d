import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderBoot, takeBootSnapshot } from "@notesoup/boot";
import { identityIn, makeCorpus } from "./corpus.ts";
import type { Limit } from "./limit.ts";

/** In eight notebooks, five of which a boot shows. */
const WRITTEN = 800;
const NOTES = 500;
const BY_NOTEBOOK = 100;
const ROUNDS = 5;

/** Figures of the boot that have bounds of their own. */
export function bootLimits(folder: string): Limit[] {
  return [
    {
      name: `the boot of ${NOTES} notes, beyond the reading of their files`,
      unit: "ms",
      atMost: 150,
      measure: async () => {
        const home = join(folder, "boot");
        makeCorpus(home, WRITTEN);
        const files = shownFiles(home);
        const times: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const reading = await timeOf(() => Promise.all(files.map((file) => readFile(file))));
          times.push((await timeOf(() => boot(home))) - reading);
        }
        return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
      },
    },
  ];
}

/** The files of the notes that the boot shows. */
function shownFiles(home: string): string[] {
  const files = readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("other"))
    .map((file) => join(home, file));
  if (files.length !== NOTES) throw new Error(`There are ${files.length} notes.`);
  return files;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const TOOLS = {
  notesRead: "notes_read",
  notesWrite: "notes_write",
  notesUpdate: "notes_update",
  notesList: "notes_list",
  notesSearch: "notes_search",
  historyList: "history_list",
  historyRead: "history_read",
};

async function boot(home: string): Promise<void> {
  const snapshot = await takeBootSnapshot({ identity: identityIn(home), capturedAt: Date.now() });
  const counts = renderBoot(snapshot, { tools: TOOLS }).matchAll(/ · (\d+) notes/gu);
  const isWhole = [...counts].filter(([, count]) => Number(count) === BY_NOTEBOOK).length * BY_NOTEBOOK === NOTES;
  if (!isWhole) throw new Error("The boot does not know all notes.");
}
