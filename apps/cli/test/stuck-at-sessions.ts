// Loaded before a program: it believes to be on a terminal, and no session that it opens ever comes.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { open } = fs.promises;

process.stderr.isTTY = true;
fs.promises.open = (path, flags, mode) => {
  if (!String(path).endsWith(".jsonl")) return open(path, flags, mode);
  setInterval(() => {}, 60_000);
  return new Promise(() => {});
};
syncBuiltinESMExports();
