// Searches a home once and says how long that took and how much memory the process has used: a
// program, so that the figures are of nothing else.
import { createNotesStore } from "@notesoup/notes";
import { identityIn, RARE_WORD } from "./corpus.ts";

const start = performance.now();
await createNotesStore(identityIn(process.argv[2] ?? "")).search([RARE_WORD], { glob: "**" });
const milliseconds = performance.now() - start;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ milliseconds, megabytes }));
