import { execFile } from "node:child_process";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNotesStore } from "@notesoup/notes";
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
      measure: () => longestHold(small),
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

async function longestHold(home: string): Promise<number> {
  const store = createNotesStore(identityIn(home));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let times = 0; times < 5; times++) {
    await store.list({ glob: "**" });
    await store.search([RARE_WORD], { glob: "**" });
  }
  delay.disable();
  return delay.max / 1e6;
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
