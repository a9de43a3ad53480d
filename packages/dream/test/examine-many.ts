// A program: makes 20,000 notes, has the doctor look through them, and prints what it saw. The look
// alone is bounded: a process that takes longer ends itself.
import { examine } from "../src/index.ts";
import { fill, placeIn } from "./dream-fixture.ts";

const [home = ""] = process.argv.slice(2);
const place = placeIn(home);
fill(place, 20_000);
setTimeout(() => process.exit(3), 10_000).unref();
process.stdout.write(JSON.stringify(await examine(place.identity, Date.now())));
