// Searches a home once and says how long that took and how much memory the process has used: a
// program, so that the figures are of nothing else.
import { createNotesStore } from "@notesoup/notes";
import { identityIn, RARE_WORD } from "./corpus.ts";

const start = performance.now();
await createNotesStore(identityIn(process.argv[2] ?? "")).search([RARE_WORD], { glob: "**" });
const milliseconds = performance.now() - start;
// What it holds at the end, which is the most it has held: the peaks that the system keeps can be
// those of the process that started this one.
const megabytes = process.memoryUsage.rss() / 1024 / 1024;
process.stdout.write(JSON.stringify({ milliseconds, megabytes }));
