import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHistoryCorpus, defaultHistoryRoots, type HistoryCorpus, type Session } from "@notesoup/history";
import type { PiSandbox, SessionEntry, SessionFile } from "@notesoup/host-pi";
import { BRANCHES } from "./history-driver.ts";

/** The arguments that load the extension of `history-driver.ts`. */
export const DRIVER = ["-e", fileURLToPath(new URL("history-driver.ts", import.meta.url))];

/** Sessions of every harness, a folder each. */
export const FIXTURES = new URL("../../../packages/history/test/fixtures/", import.meta.url);

/** All sessions that are to be found in a sandbox, as their files have them. */
export function corpusIn({ home, env }: PiSandbox): HistoryCorpus {
  return createHistoryCorpus({ roots: defaultHistoryRoots({ home, env }) });
}

/** A session as its file has it. */
export async function filedSession(sandbox: PiSandbox, selector: string): Promise<Session> {
  const corpus = corpusIn(sandbox);
  const ref = await corpus.select(selector);
  if ("kind" in ref) throw new Error(`${selector} names several sessions`);
  return corpus.open(ref);
}

/** The active branch of a session by the ids of its entries, as Pi had it when it last closed the session. */
export function branchOfPi({ cwd }: PiSandbox, session: string): readonly string[] {
  const lines = readFileSync(join(cwd, BRANCHES), "utf8").trimEnd().split("\n");
  const closed = lines.map((line) => JSON.parse(line) as { readonly session: string; readonly branch: string[] });
  return closed.findLast((line) => line.session === session)?.branch ?? [];
}

/** How much of a document a test is shown. */
const SHOWN_CHARS = 60;

/** A session's events, a line each: seq, role, what is known of an execution, and how the document begins. */
export function told(session: Session | undefined): string[] {
  return [...(session?.events ?? [])].map((event) => {
    const { seq, role, tool, isCopy } = event;
    const execution =
      tool === undefined ? [] : [tool.tool, tool.status, ...(tool.outputTruncated ? ["truncated"] : [])];
    const document = session?.document(event) ?? "";
    const begin = document.length > SHOWN_CHARS ? `${document.slice(0, SHOWN_CHARS)}…` : document;
    return [seq, role, ...(isCopy ? ["copy"] : []), ...execution, JSON.stringify(begin)].join(" ");
  });
}

/** The seqs of a session's events with their roles. */
export const seqsOf = (session: Session): string[] => [...session.events].map(({ seq, role }) => `${seq} ${role}`);

/** What takes a seq. */
interface Slot {
  readonly role: string;
  readonly calls?: string;
  readonly answers?: string;
}

/**
 * The seqs that the events of a branch have, worked out from Pi's own entries in the plainest way:
 * every item of every entry takes one, and a result that has its call on the branch is no event.
 */
export function seqsOnBranch({ entries }: Pick<SessionFile, "entries">, branch: readonly string[]): string[] {
  const events: string[] = [];
  const called = new Set<string>();
  let next = 0;
  for (const entry of entries) {
    for (const { role, calls, answers } of slotsOf(entry)) {
      const seq = next++;
      if (!branch.includes(entry.id)) continue;
      if (calls !== undefined) called.add(calls);
      if (answers === undefined || !called.has(answers)) events.push(`${seq} ${role}`);
    }
  }
  return events;
}

/** A message of Pi's, as far as it matters here. */
interface Message {
  readonly role: string;
  readonly toolCallId?: string;
  readonly stopReason?: string;
  readonly content?: readonly { readonly type: string; readonly id: string }[];
}

function slotsOf({ type, id, message }: SessionEntry): Slot[] {
  if (["compaction", "branch_summary", "custom", "custom_message"].includes(type)) return [{ role: "context" }];
  if (type !== "message") return [];
  const { role, toolCallId, stopReason, content = [] } = message as Message;
  switch (role) {
    case "user":
      return [{ role: "user" }];
    case "bashExecution":
      return [
        { role: "tool", calls: id },
        { role: "tool", answers: id },
      ];
    case "toolResult":
      return [{ role: "tool", ...(toolCallId === undefined ? {} : { answers: toolCallId }) }];
    case "assistant":
      return [
        ...(stopReason === "aborted" || content.some((block) => block.type === "text") ? [{ role: "assistant" }] : []),
        ...content.flatMap((block) => (block.type === "toolCall" ? [{ role: "tool", calls: block.id }] : [])),
      ];
    default:
      return [];
  }
}
