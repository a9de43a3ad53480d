// A program: reads a hundred lines of a file that is too large to be edited, tries to edit it, and tells what that took.
import { argv, memoryUsage, stdout } from "node:process";
import { failureText, openIde } from "../src/index.ts";

const [, , root = "", name = ""] = argv;
const ide = openIde({ owner: { session: "s1", root } });
await ide.call("read", { path: "." });
const before = memoryUsage().rss;
const { id, text } = await ide.call("read", { path: name, offset: 1_000, limit: 100 });
const failures = await Promise.all(
  [
    { path: id, text: "x" },
    { path: name, find: "line 1", text: "x" },
  ].map((args) => ide.run("replace", args).then(() => "none", failureText)),
);
stdout.write(JSON.stringify({ lines: text.split("\n").length - 2, grown: memoryUsage().rss - before, failures }));
