import { execFile } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHistoryCorpus, listEvents, SessionCache } from "@notesoup/history";
import type { Limit } from "./limit.ts";
import { type MadeRoot, makeRoot, makeShortRoot } from "./made-sessions.ts";

const MEGABYTE = 1_000_000;
const HUGE = 600 * MEGABYTE;

/** Figures of history that have bounds of their own. */
export function historyLimits(folder: string): Limit[] {
  return [
    memoryOfPage("a session of 600 MB", () => makeRoot(`${folder}/huge`, "pi", 1, HUGE)),
    memoryOfPage("a session of 600 MB in records of 1.5 KB", () => makeShortRoot(`${folder}/huge`, "pi", HUGE)),
    memoryOfPage("a session of 600 MB in records of 1.5 KB, of the shape of claude's", () =>
      makeShortRoot(`${folder}/huge`, "claude", HUGE),
    ),
    {
      name: "a page of a session of 100 MB that has grown by a record, by the first page of it",
      unit: "times",
      atMost: 0.1,
      measure: () => againByFirst(`${folder}/grown`),
    },
  ];
}

function memoryOfPage(session: string, make: () => MadeRoot): Limit {
  return {
    name: `memory of a process that reads a page of ${session}`,
    unit: "MB",
    atMost: 250,
    measure: async () => {
      const { root, harness, files } = make();
      const program = fileURLToPath(new URL("page-once.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--conditions=@notesoup/source",
        program,
        root,
        harness,
      ]);
      for (const file of files) rmSync(file);
      return Number(stdout);
    },
  };
}

async function againByFirst(folder: string): Promise<number> {
  const { root, files } = makeRoot(folder, "pi", 1, 100 * MEGABYTE);
  const cache = new SessionCache();
  const timed = async (): Promise<number> => {
    const start = performance.now();
    const corpus = createHistoryCorpus({ roots: { pi: [root] }, cache });
    const [ref] = await corpus.sessions();
    if (ref === undefined) throw new Error("There is no session.");
    await listEvents(await corpus.open(ref), { queries: [], from: "newest", limit: 20, maxChars: 400 });
    return performance.now() - start;
  };
  const first = await timed();
  for (const file of files)
    appendFileSync(file, '{"type":"custom","customType":"more","id":"more","parentId":"lost"}\n');
  return (await timed()) / first;
}
