// A program: works on the files of a folder as tools do, and then tells what of it is left in memory.
import { readdirSync } from "node:fs";
import { argv, memoryUsage, stdout } from "node:process";
import { setImmediate as turn } from "node:timers/promises";
import { writeHeapSnapshot } from "node:v8";
import { type Handle, labelLine, openRegistry, span } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";

const [, , root = "", snapshotFile = "", hoard = ""] = argv;
const RESULTS = 10_000;

declare const gc: () => void;

const owner = { session: "s1", root };
const { store, results } = openRegistry(nodeDisk());
const kept: string[] = [];

async function collected(): Promise<number> {
  await turn();
  gc();
  return memoryUsage().heapUsed;
}

/** Every way in which the text of a file goes through the registry. */
async function work(): Promise<void> {
  const names = readdirSync(root);
  const handles: Handle[] = [];
  for (const name of names) {
    const captured = await store.capture(name, root, owner);
    if (hoard !== "") kept.push(captured.text);
    const whole = store.hold(owner, [{ ...captured, spans: [span(0, captured.text.length)] }], { complete: true });
    const line = await store.pick(whole, owner, { lines: [1, 1] });
    const { parts } = await store.use(line, owner);
    handles.push(store.derive([line], parts));
    const { text } = results.issue({ owner, kind: "read", body: captured.text, ok: true, handle: whole, label });
    results.resolve(text, owner);
  }
  const batch = store.batch(owner);
  const [source, to] = handles;
  if (source !== undefined && to !== undefined) await batch.accept({ kind: "transfer", source, to, remove: true });
  await batch.close("commit");
  const together = store.batch(owner, { keepsBase: true });
  const captured = await store.capture(names[2] ?? "", root, owner);
  const target = store.hold(owner, [{ ...captured, spans: [span(0, 1)] }], { complete: true });
  await together.accept({ kind: "splice", target, text: "x" });
  await together.close("commit");
}

const label = (id: Parameters<typeof labelLine>[0]): string => labelLine(id, { tool: "read" });

/** What many results weigh. */
async function issueMany(): Promise<void> {
  const captured = await store.capture(readdirSync(root)[0] ?? "", root, owner);
  for (let count = results.size; count < RESULTS; count++) {
    const handle = store.hold(owner, [{ ...captured, spans: [span(0, 1)] }], { complete: true });
    results.issue({ owner, kind: "read", body: captured.text.slice(0, 100), ok: true, handle, label });
  }
}

await work();
await collected();
writeHeapSnapshot(snapshotFile);
const before = await collected();
await issueMany();
const after = await collected();
stdout.write(JSON.stringify({ results: results.size, bytes: after - before, kept: kept.length }));
