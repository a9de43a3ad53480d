import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Session } from "@notesoup/history";
import type { PiRpc, PiSandbox, RpcRecord, SessionEntry } from "@notesoup/host-pi";
import { type ChatRequest, type ScriptedModel, textOf, type ToolCall } from "@notesoup/scripted-model";
import { expect } from "vitest";
import { corpusIn } from "./history-records.ts";

/** The arguments that load the extension of `reset-spoiler.ts`. */
export const SPOILER = ["-e", fileURLToPath(new URL("reset-spoiler.ts", import.meta.url))];

export const emptyBrain: ToolCall = { name: "empty_brain", args: {} };
export const bash = (command: string): ToolCall => ({ name: "bash", args: { command } });
/** Writes the note that every boot shows. */
export const note = (content: string): ToolCall => ({
  name: "notes_write",
  args: { address: "@project/MAP.md", content },
});

/** Settings with which Pi compacts however little there is. */
export const COMPACTS = { compaction: { keepRecentTokens: 1 } };

/** How a text begins that is a boot, and one that opens a close-out. */
const BOOT = "# Your memory, as of ";
const SUMMARY = "The conversation history before this point was compacted into the following summary:";

/** What was sent to the model in one window. */
type WindowRequests = readonly [ChatRequest, ...ChatRequest[]];

/**
 * The requests of one session, window by window. In each window, everything up to the boot is the
 * same bytes from the first request to the last, and nothing but a reset stands before it.
 */
export function windowsSent(requests: readonly ChatRequest[]): WindowRequests[] {
  const windows: [ChatRequest, ...ChatRequest[]][] = [];
  let prefix = "";
  for (const request of requests) {
    const head = headOf(request);
    if (head === prefix) windows.at(-1)?.push(request);
    else windows.push([request]);
    prefix = head;
  }
  // What Pi itself says, and offers, is the same in all of them.
  expect(new Set(requests.map(({ messages, tools }) => JSON.stringify([messages[0], tools]))).size).toBe(1);
  // No window comes twice: a request that had begun otherwise in between would make another one of it.
  const heads = windows.map(([request]) => headOf(request));
  expect(new Set(heads).size).toBe(heads.length);
  for (const window of windows) expectAppended(window);
  return windows;
}

/** Everything up to the boot of the window. */
function headOf({ messages, tools }: ChatRequest): string {
  const boot = messages.findLastIndex((message) => message.role === "user" && textOf(message).includes(BOOT));
  const head = messages.slice(0, boot + 1);
  expect(head.map(({ role }) => role)).toEqual(["system", ...head.slice(1).map(() => "user")]);
  return JSON.stringify({ head, tools });
}

/** How a close-out is asked for, and what stands in its place once its turn is over. */
const CLOSE_OUT = "this is the last turn in it.";
const WITHDRAWN = "A request to empty this context window stood here.";

/** What was sent once in a window is sent again, unchanged and in the same place; but what opened a close-out is taken back. */
function expectAppended(requests: WindowRequests): void {
  let before: readonly string[] = [];
  for (const { messages } of requests) {
    const texts = messages.map((message) => JSON.stringify(message));
    const again = before.map((was, index) => {
      const now = texts[index] ?? "";
      return was.includes(CLOSE_OUT) && now.includes(WITHDRAWN) ? was : now;
    });
    expect(again).toEqual(before);
    // At most the last close-out asks for anything: one at a time is under way.
    expect(texts.filter((text) => text.includes(CLOSE_OUT)).length).toBeLessThanOrEqual(1);
    before = texts;
  }
}

/** Whether a request asks the model to close its window. */
export function isCloseOut({ messages }: ChatRequest): boolean {
  return messages.some((message) => message.role === "user" && textOf(message).includes(CLOSE_OUT));
}

/** What is said in a request beside the system's prompt: who, and how it begins. */
export function said({ messages }: ChatRequest): string[] {
  return messages.slice(1).map((message) => {
    const text = textOf(message);
    if (text.startsWith(SUMMARY)) return text.includes(BOOT) ? "summary with boot" : "summary";
    if (text.startsWith(BOOT)) return "boot";
    return `${message.role}: ${text === "" ? (message.tool_calls ?? []).map((call) => call.function.name).join(" ") : text}`;
  });
}

/** The text of the boot of a window. */
export function bootOf({ messages }: ChatRequest): string {
  return textOf(messages.findLast((message) => textOf(message).includes(BOOT)) ?? { role: "none" });
}

/** A session as its file has it. */
export interface Filed {
  readonly path: string;
  readonly id: string;
  /** All lines that are whole, the header left out. */
  readonly entries: readonly SessionEntry[];
  readonly session: Session;
  /** What is said in each window, by its events: a line each. */
  readonly windows: readonly string[];
}

/** The sessions of a sandbox, the oldest first. History reads all of every window. */
export async function filed(sandbox: PiSandbox): Promise<Filed[]> {
  const corpus = corpusIn(sandbox);
  const refs = (await corpus.sessions("pi")).toSorted((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
  return Promise.all(
    refs.map(async (ref) => {
      const session = await corpus.open(ref);
      const windows = session.windows.map(({ firstSeq, lastSeq }) =>
        [...session.events]
          .filter(({ seq }) => seq >= firstSeq && seq <= lastSeq)
          .map((event) => `${event.role}: ${session.document(event)}`)
          .join("\n"),
      );
      return { path: ref.path ?? "", id: ref.id, entries: entriesOf(ref.path ?? ""), session, windows };
    }),
  );
}

/** The only session of a sandbox. */
export async function theSession(sandbox: PiSandbox): Promise<Filed> {
  const [only, ...others] = await filed(sandbox);
  expect(others).toEqual([]);
  return only as Filed;
}

/** The lines of a session that are whole, as Pi reads them. */
function entriesOf(path: string): SessionEntry[] {
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as SessionEntry];
    } catch {
      return [];
    }
  });
}

/** The resets of a session: who asked for each, and the window that it begins without its session. */
export function resetsOf({ entries, id }: Pick<Filed, "entries" | "id">): string[] {
  return entries
    .filter(({ type }) => type === "compaction")
    .map(({ details }) => {
      const { by, window } = details as { by: string; window: string };
      return `${by} ${window.replace(`${id}:`, "")}`;
    });
}

/** The windows of which a session has a boot of its own, a message or an entry, in their order. */
export function bootsOf({ entries, id }: Pick<Filed, "entries" | "id">): string[] {
  return entries
    .filter(({ customType }) => customType === "notesoup-boot")
    .map(({ details, data }) => ((details ?? data) as { window: string }).window.replace(`${id}:`, ""));
}

/** Nothing went wrong, and the session is over. */
export async function expectClosed(rpc: PiRpc, model: Pick<ScriptedModel<ChatRequest>, "problems">): Promise<void> {
  expect({ code: await rpc.close(), stderr: rpc.stderr, problems: model.problems }).toEqual({
    code: 0,
    stderr: "",
    problems: [],
  });
}

/** Waits before a gate until the test opens it: nobody polls. */
export const waitAtGate: ToolCall = bash("cat gate");

/** Makes a gate in a sandbox. */
export function makeGate({ cwd }: PiSandbox): void {
  execFileSync("mkfifo", [join(cwd, "gate")]);
}

/** Waits until a tool begins to wait before the gate. */
export async function atGate(rpc: PiRpc, from = 0): Promise<void> {
  const isBash = ({ type, toolName }: RpcRecord): boolean => type === "tool_execution_start" && toolName === "bash";
  await rpc.waitFor(isBash, { from, what: "a tool before the gate" });
}

/** Lets the tool go on that waits before the gate. */
export function openGate({ cwd }: PiSandbox): Promise<void> {
  return writeFile(join(cwd, "gate"), "The gate is open.\n");
}

/** Sends a command of ours while Pi is busy; it is taken when this resolves, and over when what this resolves with does. */
export async function sayWhileBusy(rpc: PiRpc, command: string): Promise<{ readonly over: Promise<unknown> }> {
  const over = rpc.send({ type: "prompt", message: command });
  // Pi reads one record after the other.
  await rpc.send({ type: "get_state" });
  return { over };
}

/** What a person was told on the screen. */
export function notified(events: readonly RpcRecord[]): string[] {
  return events.filter(({ method }) => method === "notify").map(({ message }) => String(message));
}
