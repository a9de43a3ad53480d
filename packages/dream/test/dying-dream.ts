// A program: a dream in the home that it is given, which ends by SIGKILL before the step of that number.
// Without a number it prints how many steps there are.
import child_process from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [home = "", killAt] = process.argv.slice(2);
let steps = 0;
let isCounting = false;

/** Everything by which a dream changes the disk or starts git. */
const STEPS = [
  "renameSync",
  "rename",
  "linkSync",
  "rmSync",
  "unlink",
  "writeSync",
  "writeFileSync",
  "mkdirSync",
  "symlink",
  "fsyncSync",
  "fchmodSync",
] as const;
const originals = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
for (const name of STEPS) {
  const original = originals[name];
  originals[name] = (...args) => {
    step();
    return original?.(...args);
  };
}
const { spawn } = child_process;
child_process.spawn = ((...args: Parameters<typeof spawn>) => {
  step();
  return spawn(...args);
}) as typeof spawn;
syncBuiltinESMExports();

function step(): void {
  if (!isCounting) return;
  if (String(++steps) === killAt) process.kill(process.pid, "SIGKILL");
}

const { createDream } = await import("../src/index.ts");
const { notesRead, notesUpdate, notesWrite } = await import("@notesoup/tools");
const { placeIn, success } = await import("./dream-fixture.ts");

const { options } = placeIn(home);
isCounting = true;
const dream = createDream(options);
const { run } = success(await dream.begin({ force: true }));
const { context } = dream;
success(await notesRead(context, { address: "@project/n1.md" }));
success(await notesUpdate(context, { address: "@project/n1.md", edits: [{ old_text: "line 1", new_text: "LINE" }] }));
success(await notesUpdate(context, { address: "@project/n2.md", crumpled: true }));
success(await notesUpdate(context, { address: "@project/n3.md", rename_to: "@human/n3.md" }));
success(await notesWrite(context, { address: "@project/new.md", content: "new" }));
success(await dream.end({ run, report: "done" }));
isCounting = false;
process.stdout.write(String(steps));
