import { failure, type HelperAnswer, readAnswer } from "../transport/answer.ts";
import { jsonRecords } from "../transport/json-sequence.ts";
import type { HelperRequest } from "../transport/request.ts";
import type { Host } from "./host.ts";

/** How long a request may take, in milliseconds. */
const REQUEST_MS = 120_000;
/** How long a helper that is to stay may take to say where it is, in milliseconds. */
const START_MS = 10_000;
/** So often a helper that does not come up is started for a session. */
const STARTS_MAX = 3;

let starting: Promise<string | undefined> | undefined;
let startsLeft = STARTS_MAX;

/** Starts the helper that stays for the session, if there is none; a call need not wait for its start then. */
export function startHelper($: Host): void {
  void socketOf($);
}

/** Asks the helper that stays, or one for this request alone where there can be no such. Never throws. */
export async function ask($: Host, request: HelperRequest): Promise<HelperAnswer> {
  const body = JSON.stringify(request);
  const socket = await socketOf($);
  if (socket === undefined) return askOnce($, body);
  const answer = await askAt($, socket, body);
  if (answer !== undefined) return answer;
  starting = undefined;
  if (isRepeatable(request)) return askOnce($, body);
  return failure(
    "helper_ended",
    "the helper of notesoup ended in the middle of this call, and may have done it or not; read the note, and call again where it was not done",
  );
}

/** Where the helper that stays listens; `undefined` where there is none. */
function socketOf($: Host): Promise<string | undefined> {
  starting ??= start($);
  return starting;
}

async function start($: Host): Promise<string | undefined> {
  // The host's sockets are those of Unix.
  if (startsLeft === 0 || (await $.session.info()).platform === "windows") return undefined;
  startsLeft--;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  void follow($, resolve);
  return within(START_MS, promise);
}

/** What comes within so many milliseconds; `undefined` where nothing does. */
async function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  try {
    return await Promise.race([value, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads what the helper prints as long as it lives: that keeps it alive. */
async function follow($: Host, ready: (socket: string | undefined) => void): Promise<void> {
  let printed = "";
  let isReady = false;
  try {
    const helper = $.process.spawn({ argv: ["node", `${$.plugin.root}/dist/helper.mjs`, "serve"], cwd: $.plugin.root });
    for await (const { stream, text } of helper) {
      if (stream !== "stdout" || isReady) continue;
      printed += text;
      const socket = jsonRecords(printed)
        .map(socketIn)
        .find((found) => found !== undefined);
      if (socket === undefined) continue;
      isReady = true;
      startsLeft = STARTS_MAX;
      ready(socket);
    }
  } catch {
    // It could not be started: each request has a helper of its own, which says why.
  }
  ready(undefined);
  // The next request starts another one.
  if (isReady) starting = undefined;
}

function socketIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("socket" in value)) return undefined;
  return typeof value.socket === "string" ? value.socket : undefined;
}

async function askAt($: Host, socketPath: string, body: string): Promise<HelperAnswer | undefined> {
  const headers = { "content-type": "application/json" };
  try {
    const asked = $.http.fetch("http://localhost/", { method: "POST", socketPath, headers, body });
    // One that hangs is taken for one that has ended.
    const response = await within(REQUEST_MS, asked);
    return response === undefined ? undefined : readAnswer(JSON.parse(response.text));
  } catch {
    return undefined;
  }
}

async function askOnce($: Host, stdin: string): Promise<HelperAnswer> {
  try {
    const argv = ["node", `${$.plugin.root}/dist/helper.mjs`];
    const { stdout, stderr, exitCode } = await $.process.run(argv, {
      stdin,
      cwd: $.plugin.root,
      timeoutMs: REQUEST_MS,
    });
    const answer = jsonRecords(stdout)
      .map(readAnswer)
      .findLast((found) => found !== undefined);
    return answer ?? failure("helper_failed", `the helper of notesoup ended with ${exitCode}: ${causeIn(stderr)}`);
  } catch (error) {
    if (!(await hasNode($))) return failure("node_not_found", NO_NODE);
    return failure(
      "helper_failed",
      `the helper of notesoup: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** What is done twice is done once: all but a change. */
function isRepeatable(request: HelperRequest): boolean {
  return request.kind !== "call" || (request.tool !== "notes_write" && request.tool !== "notes_update");
}

/** What a process has said of its end: Node's last line is its version. */
function causeIn(stderr: string): string {
  const lines = stderr.trim().split("\n");
  return lines.find((line) => /^\w*Error\b/u.test(line)) ?? lines.at(-1) ?? "";
}

/** What a person is told who has no Node. */
export const NO_NODE =
  "there is no node on the PATH of Claude Code, and notesoup needs Node.js 22.19 or newer; install it from https://nodejs.org and start Claude Code again";

/** Whether there is a Node on the host's PATH. */
export async function hasNode($: Host): Promise<boolean> {
  return (await $.session.machine()).runtimes.includes("node");
}
