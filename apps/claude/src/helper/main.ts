import { enableCompileCache } from "node:module";
import { failure } from "../transport/answer.ts";
import { jsonRecord } from "../transport/json-sequence.ts";

// Nothing else is loaded before it is known that this Node can read it.
const OLDEST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const found = `the node on the PATH of Claude Code is ${process.versions.node}`;
  const answer = failure("node_too_old", `${found}, and notesoup needs ${OLDEST.join(".")} or newer; install that one`);
  process.stdout.write(jsonRecord(answer));
} else {
  // A helper is started with each session: the machine code of the last one is half of its start.
  enableCompileCache();
  const { run } = await import("./run.ts");
  await run(process.argv[2] === "serve" ? "serve" : "once");
}
