// Searches a home once and says how long that took and how much memory the process has used: a
// program, so that the figures are of nothing else.
import { readFileSync } from "node:fs";
import { createNotesStore } from "@notesoup/notes";
import { identityIn, RARE_WORD } from "./corpus.ts";

const start = performance.now();
await createNotesStore(identityIn(process.argv[2] ?? "")).search([RARE_WORD], { glob: "**" });
const milliseconds = performance.now() - start;
// Not `maxRSS`, which a process inherits from the one that started it.
const peak = /^VmHWM:\s*(?<kilobytes>\d+)/mu.exec(readFileSync("/proc/self/status", "utf8"))?.groups?.["kilobytes"];
const megabytes = Number(peak) / 1024;
process.stdout.write(JSON.stringify({ milliseconds, megabytes }));
