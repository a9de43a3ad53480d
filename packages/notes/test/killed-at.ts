// Loaded before a program: ends the process by SIGKILL as soon as it comes to the step of a file's
// replacement that KILLED_AT names.
import { promises } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const step = process.env["KILLED_AT"];

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
}

if (step === "rename") promises.rename = die;

// A handle's methods are reached through one that is open.
const folder = await mkdtemp(join(tmpdir(), "notesoup-test-"));
const handle = await promises.open(join(folder, "probe"), "w");
const prototype = Object.getPrototypeOf(handle) as { sync: () => Promise<void>; writeFile: () => Promise<void> };
await handle.close();
await rm(folder, { recursive: true });
if (step === "sync") prototype.sync = die;
if (step === "write") prototype.writeFile = die;
// The temporary file's opening, not the look at the old note before it.
const { open } = promises;
if (step === "open") promises.open = (path, flags, mode) => (flags === "wx" ? die() : open(path, flags, mode));
syncBuiltinESMExports();
