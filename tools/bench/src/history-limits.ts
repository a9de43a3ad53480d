import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHistoryCorpus, listEvents, SessionCache } from "@notesoup/history";
import type { Limit } from "./limit.ts";
import { makeRoot } from "./made-sessions.ts";

const MEGABYTE = 1_000_000;

/** Figures of history that have bounds of their own. */
export function historyLimits(folder: string): Limit[] {
  return [
    {
      name: "memory of a process that reads a page of a session of 600 MB",
      unit: "MB",
      atMost: 250,
      measure: async () => {
        const { root } = makeRoot(`${folder}/huge`, "pi", 1, 600 * MEGABYTE);
        const program = fileURLToPath(new URL("page-once.ts", import.meta.url));
        const { stdout } = await promisify(execFile)(process.execPath, [
          "--conditions=@notesoup/source",
          program,
          root,
        ]);
        return Number(stdout);
      },
    },
    {
      name: "a page of a session of 100 MB that has grown by a record, by the first page of it",
      unit: "times",
      atMost: 0.1,
      measure: () => againByFirst(`${folder}/grown`),
    },
  ];
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
