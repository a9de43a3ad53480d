import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { defaultHistoryRoots } from "@notesoup/history";
import { projectKey, slugify } from "@notesoup/notes";
import { runAgent } from "./host.ts";

const { env } = process;
const { OPENAI_BASE_URL: url, OPENAI_MODEL: name, OPENAI_API_KEY: apiKey = "" } = env;
if (url === undefined || name === undefined) throw new Error("Set OPENAI_BASE_URL and OPENAI_MODEL.");

const agent = {
  model: { url, name, apiKey },
  budget: { contextWindow: Number(env["CONTEXT_WINDOW"] ?? 128_000), reserveTokens: 4096 },
  identity: {
    home: env["NOTESOUP_HOME"] ?? join(homedir(), ".agents", "notes"),
    sessionId: randomUUID(),
    projectKey: projectKey(process.cwd()),
    agent: "third-party-host",
    model: slugify(name),
  },
  cwd: process.cwd(),
  roots: defaultHistoryRoots({ home: homedir(), env }),
};
process.stdout.write(`${await runAgent(agent, process.argv.slice(2).join(" "))}\n`);
