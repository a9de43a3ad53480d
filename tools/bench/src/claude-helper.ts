import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { notesList, notesToolContext } from "@notesoup/tools";
import { type Comparison, median } from "./compare.ts";
import type { Limit } from "./limit.ts";

const HELPER = fileURLToPath(new URL("../../../apps/claude/dist/helper.mjs", import.meta.url));
const CALLS = 200;

/** How long somebody waits for the helper of the plugin for Claude Code, beside a server of tools that does as little. */
export function claudeComparisons(folder: string): Comparison[] {
  const rival = "the same of @modelcontextprotocol/server-filesystem";
  const theirs = (): Promise<void> => askFileServer(folder);
  return [
    {
      name: "from the start of Claude Code's helper to its first answer",
      rival,
      atMost: 0.35,
      ours: () => withHelper(folder, (socket) => askAt(socket, callIn(folder))),
      theirs,
    },
    {
      name: "a helper for one call, from its start to its answer",
      rival,
      atMost: 0.35,
      ours: () => askOnce(folder),
      theirs,
    },
  ];
}

/** What the way to the helper and back adds to a call. */
export function claudeLimits(folder: string): Limit[] {
  return [
    {
      name: "a warm call of Claude Code's helper, beyond the operation",
      unit: "ms",
      atMost: 25,
      measure: async () => {
        let beyond = 0;
        await withHelper(folder, async (socket) => {
          const asked = await medianMs(() => askAt(socket, callIn(folder)));
          beyond = asked - (await medianMs(() => operate(folder)));
        });
        return beyond;
      },
    },
  ];
}

async function medianMs(job: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    await job();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The operation by itself, in this process. */
async function operate(folder: string): Promise<void> {
  const identity = { home: folder, sessionId: "bench", projectKey: "bench", agent: "claude", model: "bench" };
  await notesList(notesToolContext(identity, folder), {});
}

function callIn(folder: string): string {
  const session = {
    sessionId: "bench",
    baseCwd: folder,
    model: "bench",
    transcriptPath: "",
    head: null,
    notesHome: folder,
    agent: null,
  };
  return JSON.stringify({ kind: "call", tool: "notes_list", args: {}, session });
}

/** Its temporary files go with the folder. */
function helper(folder: string, args: readonly string[]): ChildProcess {
  if (!existsSync(HELPER)) throw new Error("apps/claude is not built: run npm run build first.");
  const env = { ...process.env, TMPDIR: folder };
  return spawn(process.execPath, [HELPER, ...args], { env, stdio: ["pipe", "pipe", "inherit"] });
}

async function withHelper(folder: string, work: (socket: string) => Promise<void>): Promise<void> {
  const child = helper(folder, ["serve"]);
  try {
    const { socket } = JSON.parse((await firstLine(child)).slice(1)) as { readonly socket: string };
    await work(socket);
  } finally {
    await ended(child);
  }
}

async function askOnce(folder: string): Promise<void> {
  const child = helper(folder, []);
  child.stdin?.end(callIn(folder));
  await firstLine(child);
  await ended(child);
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of linesOf(child)) return line;
  throw new Error("the child has ended without an answer");
}

function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (stdout === null) throw new Error("the child has no standard output");
  return createInterface(stdout);
}

/** At once: what a child does at its end is no part of its start. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await gone;
}

function askAt(socketPath: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: "POST", path: "/" }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    });
    asked.on("error", reject).end(body);
  });
}

/** Starts the server, shakes hands with it as its protocol asks, and has it list the folder. */
async function askFileServer(folder: string): Promise<void> {
  const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json"));
  const main = join(dirname(manifest), "dist", "index.js");
  const child = spawn(process.execPath, [main, folder], { stdio: ["pipe", "pipe", "ignore"] });
  const say = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  try {
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    say({ id: 1, method: "initialize", params: client });
    for await (const line of linesOf(child)) {
      const { id } = JSON.parse(line) as { readonly id?: number };
      if (id === 2) return;
      if (id !== 1) continue;
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/call", params: { name: "list_directory", arguments: { path: folder } } });
    }
    throw new Error("the server has ended without an answer");
  } finally {
    await ended(child);
  }
}
