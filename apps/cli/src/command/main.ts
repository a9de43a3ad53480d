#!/usr/bin/env node
// The command `notesoup`.
import { endWithReader } from "./closed-pipe.ts";
import { createProgram } from "./program.ts";
import { run } from "./run.ts";

endWithReader(process.stdout);
endWithReader(process.stderr);
await run(createProgram(), process.argv.slice(2));
