import { execFile } from "node:child_process";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNotesStore, NoteError, type NotesStore } from "@notesoup/notes";
import { identityIn, makeCorpus, RARE_WORD } from "./corpus.ts";
import type { Limit } from "./limit.ts";

/** Figures of the store that have bounds of their own. */
export function notesLimits(folder: string): Limit[] {
  const small = join(folder, "corpus");
  const large = join(folder, "large");
  const makeLarge = once(() => makeCorpus(large, 20_000));
  return [
    {
      name: "the longest hold of the event loop by listing and searching 5000 notes",
      unit: "ms",
      atMost: 50,
      measure: () => longestHold(() => listAndSearch(createNotesStore(identityIn(small)))),
    },
    {
      name: "the longest hold of the event loop by hostile edits and queries",
      unit: "ms",
      atMost: 50,
      measure: () => longestHoldByHostile(join(folder, "hostile")),
    },
    {
      name: "the slowest of hostile globs against a name of 250 letters",
      unit: "ms",
      atMost: 50,
      measure: () => slowestGlob(),
    },
    {
      name: "memory of a process that searches 20,000 notes",
      unit: "MB",
      atMost: 200,
      measure: async () => {
        makeLarge();
        return (await searchIn(large)).megabytes;
      },
    },
    {
      name: "the time for 20,000 notes, by four times that for 5000",
      unit: "times",
      atMost: 1.5,
      measure: async () => {
        makeLarge();
        const [less, more] = [await searchIn(small), await searchIn(large)];
        return more.milliseconds / (4 * less.milliseconds);
      },
    },
  ];
}

async function listAndSearch(store: NotesStore): Promise<void> {
  for (let times = 0; times < 5; times++) {
    await store.list({ glob: "**" });
    await store.search([RARE_WORD], { glob: "**" });
  }
}

async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // A hold is what lies between two ticks: one before the work, and one after.
  await setTimeout(5);
  await work();
  await setTimeout(5);
  delay.disable();
  return delay.max / 1e6;
}

/** What a note, an update or a search may hold at the most, all of it put to its worst use. */
interface Hostile {
  readonly body: string;
  readonly work: (store: NotesStore, address: string) => Promise<unknown>;
}

const MOST = 1_048_000;
const LINE = "a".repeat(MOST);

function hostileEdits(body: string, edits: readonly (readonly [string, string])[], replaceAll: boolean): Hostile {
  const pairs = edits.map(([oldText, newText]) => ({ oldText, newText }));
  return { body, work: (store, address) => store.update(address, pairs, { replaceAll }) };
}

function hostileQueries(body: string, queries: readonly string[]): Hostile {
  return { body, work: (store, address) => store.search(queries, { glob: address }) };
}

function many<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_value, index) => item(index));
}

/** Made one at a time, so that what one needed is no burden to the next. */
const HOSTILE_WORK: readonly (() => Hostile)[] = [
  () =>
    hostileEdits(
      "a".repeat(800_000),
      many(30, (index) => (index % 2 === 0 ? ["a", "b"] : ["b", "a"])),
      true,
    ),
  () => hostileEdits(LINE, [["a", "b"]], true),
  () => hostileEdits(LINE, [["a", "\n"]], true),
  () => hostileEdits(LINE, [["a", "b"]], false),
  () => hostileEdits("a\n".repeat(MOST / 2), [["a", "b"]], false),
  () => hostileEdits("\r\n".repeat(MOST / 2), [["\n", "\n"]], true),
  () => hostileEdits("a\r\n".repeat(MOST / 4), [["a\n", "\n"]], true),
  () => hostileEdits("a\n", [["a", "\r\n\n".repeat(MOST / 4)]], false),
  () => hostileEdits("a\r\na\n".repeat(MOST / 8), [["a\n".repeat(MOST / 4), "b\n".repeat(MOST / 4)]], false),
  () => hostileEdits(LINE, [[`${"a".repeat(MOST / 2)}b`, "b"]], false),
  () => hostileEdits(LINE, [["\u65e5\r\n".repeat(MOST), "b"]], false),
  () => hostileEdits("a", [["a", "\u65e5".repeat(4 * MOST)]], false),
  () => hostileQueries(LINE, [LINE.repeat(4)]),
  () => hostileQueries(LINE, [`${"a".repeat(MOST - 1)}b`]),
  () => hostileQueries(`${"a".repeat(MOST / 2)}c`.repeat(2).slice(0, MOST), ["a".repeat(MOST / 2), "c"]),
  () =>
    hostileQueries(
      "query 19 ".repeat(MOST / 10),
      many(20_000, (index) => `query ${index}`),
    ),
  () =>
    hostileQueries(
      LINE,
      many(150_000, (index) => `a${index}`),
    ),
  () =>
    hostileQueries(
      LINE,
      many(340_000, (index) => `a${String.fromCodePoint(0x2_0000 + index)}`),
    ),
  () =>
    hostileQueries(
      LINE,
      many(MOST, () => "a"),
    ),
  () => hostileQueries("a\n".repeat(MOST / 2), ["a"]),
  () =>
    hostileQueries(
      "\u{10400}".repeat(MOST / 4),
      many(16, (index) => `${"\u{10400}".repeat(31)}${index}`),
    ),
];

async function longestHoldByHostile(home: string): Promise<number> {
  const store = createNotesStore(identityIn(home));
  const holds: number[] = [];
  for (const [index, make] of HOSTILE_WORK.entries()) {
    const { body, work } = make();
    const { address } = await store.write(`@human/hostile-${index}`, body);
    holds.push(await longestHold(() => work(store, address).catch(requireRefusal)));
  }
  return Math.max(...holds);
}

function requireRefusal(error: unknown): void {
  if (!(error instanceof NoteError)) throw error;
}

/** Runs in a process of its own, whose memory nothing else has used. */
async function searchIn(home: string): Promise<{ readonly megabytes: number; readonly milliseconds: number }> {
  const program = fileURLToPath(new URL("search-once.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@notesoup/source", program, home]);
  return JSON.parse(stdout) as { megabytes: number; milliseconds: number };
}

const HOSTILE = [
  "*a".repeat(500),
  `${"*a".repeat(60)}b`,
  `**/${"*/".repeat(12)}**/*a*a*a*ab`,
  "[a-z]*".repeat(150),
  "{a,b}{c,d}{e,f}{g,h}*a*a*a*ab",
  `${"?*".repeat(200)}x`,
];

async function slowestGlob(): Promise<number> {
  const { parseGlob, startState, advance } = await import("../../../packages/notes/src/glob.ts");
  const names = ["topic", "a".repeat(250)];
  const times = HOSTILE.map((glob) => {
    const start = performance.now();
    for (const alternative of parseGlob(glob)) {
      let state = startState(alternative);
      for (const name of names) state = advance(alternative, state, name);
    }
    return performance.now() - start;
  });
  return Math.max(...times);
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
