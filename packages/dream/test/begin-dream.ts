// A program: begins a dream in the home that it is given, prints what came of it, and lives on, with the
// lock if it has it, until its standard input ends.
import { once } from "node:events";
import { createDream } from "../src/index.ts";
import { codeOf, placeIn } from "./dream-fixture.ts";

const [home = ""] = process.argv.slice(2);
process.stdout.write(codeOf(await createDream(placeIn(home).options).begin({ force: true })));
process.stdin.resume();
await once(process.stdin, "end");
