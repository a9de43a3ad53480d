// Loaded before a program: Ctrl-C is pressed when it is about to put a file in its place.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { rename } = fs;

fs.rename = ((from, to, done) => {
  process.kill(process.pid, "SIGINT");
  rename(from, to, done);
}) as typeof rename;
syncBuiltinESMExports();
