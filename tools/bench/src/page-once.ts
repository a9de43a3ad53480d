// Reads a page of the newest session under a root, once, and says how many megabytes the process had at the most.
import { createHistoryCorpus, listEvents } from "@notesoup/history";

const corpus = createHistoryCorpus({ roots: { pi: [process.argv[2] ?? ""] } });
const [ref] = await corpus.sessions();
if (ref === undefined) throw new Error("There is no session.");
await listEvents(await corpus.open(ref), { queries: [], from: "newest", limit: 20, maxChars: 400 });
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
