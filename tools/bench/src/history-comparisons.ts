import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createHistoryCorpus, type HistoryCorpus, listAcrossSessions, listEvents } from "@notesoup/history";
import { rgPath } from "@vscode/ripgrep";
import split2 from "split2";
import type { Comparison } from "./compare.ts";
import { makeRoot, type MadeRoot, RARE_WORD } from "./made-sessions.ts";

const MEGABYTE = 1_000_000;
const SIZE = 200 * MEGABYTE;
const FILES = 40;

/** Comparisons of what history does, on sessions in a folder of their own. */
export function historyComparisons(folder: string): Comparison[] {
  const pi = makeRoot(folder, "pi", 1, SIZE);
  const claude = makeRoot(folder, "claude", 1, SIZE);
  const many = makeRoot(folder, "pi", FILES, SIZE / FILES);
  return [page(pi), page(claude), search(many, "rg"), search(many, "split2")];
}

/** A corpus that has read nothing yet. */
function coldCorpus({ harness, root }: MadeRoot): HistoryCorpus {
  return createHistoryCorpus({ roots: { [harness]: [root] } });
}

function page(made: MadeRoot): Comparison {
  return {
    name: `a page of a cold session of 200 MB, of the shape of ${made.harness}'s`,
    rival: "readline, then JSON.parse of every line",
    atMost: 0.7,
    ours: async () => {
      const corpus = coldCorpus(made);
      const [ref] = await corpus.sessions();
      if (ref === undefined) throw new Error("There is no session.");
      const session = await corpus.open(ref);
      const { rows } = await listEvents(session, { queries: [], from: "newest", limit: 20, maxChars: 400 });
      expectSome(rows.length);
    },
    theirs: async () => {
      let records = 0;
      for (const file of made.files) {
        for await (const line of createInterface({ input: createReadStream(file) })) if (isRecord(line)) records++;
      }
      expectSome(records);
    },
  };
}

function search(made: MadeRoot, rival: "rg" | "split2"): Comparison {
  return {
    name: `a rare word in 200 MB of ${FILES} sessions`,
    rival: rival === "rg" ? "rg -F over the same files, its start included" : "split2, then JSON.parse of every line",
    atMost: rival === "rg" ? 8 : 0.15,
    ours: async () => {
      const query = { harness: undefined, queries: [RARE_WORD], limit: 20, maxChars: 400 };
      expectSome((await listAcrossSessions(coldCorpus(made), query)).rows.length);
    },
    theirs: rival === "rg" ? () => searchByRg(made) : () => searchBySplit2(made),
  };
}

async function searchByRg({ root }: MadeRoot): Promise<void> {
  const { stdout } = await promisify(execFile)(rgPath, ["-F", "-c", RARE_WORD, root]);
  expectSome(stdout.trim().split("\n").length);
}

async function searchBySplit2({ files }: MadeRoot): Promise<void> {
  let hits = 0;
  for (const file of files) {
    await pipeline(createReadStream(file), split2(), async (lines: AsyncIterable<string>) => {
      for await (const line of lines) if (isRecord(line) && line.includes(RARE_WORD)) hits++;
    });
  }
  expectSome(hits);
}

function isRecord(line: string): boolean {
  return typeof JSON.parse(line) === "object";
}

function expectSome(found: number): void {
  if (found < 1) throw new Error("Found nothing: the comparison compares nothing.");
}
