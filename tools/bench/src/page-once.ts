// Reads a page of the newest session under a root, once, and says how many megabytes the process had at the most.
import { createHistoryCorpus, listEvents } from "@notesoup/history";

const [root = "", harness = "pi"] = process.argv.slice(2);
const corpus = createHistoryCorpus({ roots: { [harness]: [root] } });
const [ref] = await corpus.sessions();
if (ref === undefined) throw new Error("There is no session.");
await listEvents(await corpus.open(ref), { queries: [], from: "newest", limit: 20, maxChars: 400 });
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
