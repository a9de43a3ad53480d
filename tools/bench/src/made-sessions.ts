import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Harness } from "@notesoup/history";

/** A word that one of many sessions holds. */
export const RARE_WORD = "quetzalcoatlus";

const SAMPLES: Readonly<Record<"pi" | "claude", readonly string[]>> = {
  pi: ["pi/session-tree-bash-branch-compaction.jsonl", "pi/session-codemode-nested.jsonl"],
  claude: ["claude/session-parallel-compact-rewind.jsonl", "claude/session-hooks-and-mcp.jsonl"],
};

/** What names a record, or points to one, in a line of either harness. */
const IDS =
  /"(?<key>id|parentId|uuid|parentUuid|logicalParentUuid|firstKeptEntryId|sourceToolAssistantUUID)":"(?<id>[^"]+)"/gu;

/**
 * Writes a session whose lines have the shape of a harness's samples, over and over, each time with
 * ids of their own, so that no line is a repetition.
 *
 * @param rare whether one prompt in the middle of it holds the rare word
 */
function makeSession(path: string, harness: "pi" | "claude", bytes: number, rare = false): void {
  const lines = SAMPLES[harness].flatMap((sample, index) =>
    readFileSync(fileURLToPath(new URL(`../../../packages/history/test/fixtures/${sample}`, import.meta.url)), "utf8")
      .trimEnd()
      .split("\n")
      .filter((line) => index === 0 || !line.startsWith('{"type":"session",')),
  );
  const [header = "", ...entries] = lines;
  const descriptor = openSync(path, "w");
  let written = harness === "pi" ? writeSync(descriptor, `${header}\n`) : 0;
  const rounds = harness === "pi" ? entries : lines;
  let isRare = rare;
  for (let round = 0; written < bytes; round++) {
    written += writeSync(descriptor, rounds.map((line, index) => `${inRound(line, round, index)}\n`).join(""));
    if (!isRare || written < bytes / 2) continue;
    isRare = false;
    written += writeSync(descriptor, `${rarePrompt(harness)}\n`);
  }
  closeSync(descriptor);
}

/** A line with ids of its own; what begins a sample goes on where the one before has ended. */
function inRound(line: string, round: number, index: number): string {
  const tag = round.toString(36).padStart(6, "0");
  const own = line.replace(IDS, (_, key: string, id: string) => `"${key}":"${tag}-${id}"`);
  return index === 0 && round === 0 ? own : own.replace(/"(?<key>parentId|parentUuid)":null/u, '"$<key>":"lost"');
}

function rarePrompt(harness: "pi" | "claude"): string {
  const timestamp = "2026-11-30T12:00:00.000Z";
  const content = `where is the ${RARE_WORD}?`;
  return JSON.stringify(
    harness === "pi"
      ? { type: "message", id: "rare", parentId: "lost", timestamp, message: { role: "user", content } }
      : {
          type: "user",
          uuid: "rare",
          parentUuid: "lost",
          timestamp,
          isSidechain: false,
          message: { role: "user", content },
        },
  );
}

/**
 * Writes a session of a harness whose records are all of one short size: prompts, and turns of calls
 * with their results. Of as many bytes, it has the most of what a reader has to remember.
 */
function makeShortRecords(path: string, harness: MadeRoot["harness"], bytes: number): void {
  const descriptor = openSync(path, "w");
  const head = { type: "session", version: 3, id: "short", timestamp: "2026-11-30T12:00:00.000Z", cwd: "/work" };
  let written = harness === "pi" ? writeSync(descriptor, `${JSON.stringify(head)}\n`) : 0;
  for (let record = 0; written < bytes;) {
    const lines: string[] = [];
    for (let more = 0; more < 1000; more++) lines.push(`${JSON.stringify(shortRecord(harness, record++))}\n`);
    written += writeSync(descriptor, lines.join(""));
  }
  closeSync(descriptor);
}

const SHORT_TEXT = "as many words as a short record has, and not one more ".repeat(25);
/** A prompt, and then calls and results in turn. */
const TURN_RECORDS = 17;

function shortRecord(harness: MadeRoot["harness"], record: number): object {
  const timestamp = new Date(Date.UTC(2026, 10, 30) + record * 1000).toISOString();
  const [id, parent] = [recordId(record), record === 0 ? null : recordId(record - 1)];
  const place = record % TURN_RECORDS;
  const kind = place === 0 ? "prompt" : place % 2 === 1 ? "call" : "result";
  const callId = `toolu_01${recordId(kind === "call" ? record : record - 1)}`;
  const command = { command: SHORT_TEXT };
  if (harness === "pi") {
    const content = [{ type: "text", text: `${SHORT_TEXT}${record}` }];
    const message = {
      prompt: { role: "user", content },
      call: { role: "assistant", content: [{ type: "toolCall", id: callId, name: "bash", arguments: command }] },
      result: { role: "toolResult", toolCallId: callId, toolName: "bash", content, isError: false },
    }[kind];
    return { type: "message", id, parentId: parent, timestamp, message };
  }
  const text = `${SHORT_TEXT}${record}`;
  const message = {
    prompt: { role: "user", content: text },
    call: {
      id: `msg_01${id}`,
      role: "assistant",
      content: [{ type: "tool_use", id: callId, name: "Bash", input: command }],
    },
    result: { role: "user", content: [{ type: "tool_result", tool_use_id: callId, content: text }] },
  }[kind];
  const type = kind === "call" ? "assistant" : "user";
  return {
    parentUuid: parent,
    isSidechain: false,
    type,
    message,
    uuid: id,
    timestamp,
    cwd: "/work",
    sessionId: "short",
  };
}

function recordId(record: number): string {
  return `4e3686cb-9709-4c58-85d1-${record.toString(16).padStart(12, "0")}`;
}

/** Writes a session of short records. */
export function makeShortRoot(folder: string, harness: MadeRoot["harness"], bytes: number): MadeRoot {
  const root = join(folder, `${harness}-short`);
  const project = join(root, "project");
  mkdirSync(project, { recursive: true });
  const file = join(project, fileName(harness, "short-records"));
  makeShortRecords(file, harness, bytes);
  return { harness, root, files: [file] };
}

function fileName(harness: MadeRoot["harness"], id: string): string {
  return harness === "pi" ? `2026-11-30T12-00-00-000Z_${id}.jsonl` : `${id}.jsonl`;
}

/** A root folder of a harness with sessions in one project. */
export interface MadeRoot {
  readonly harness: Extract<Harness, "pi" | "claude">;
  readonly root: string;
  readonly files: readonly string[];
}

/** Writes several sessions of one size each; the one in the middle holds the rare word. */
export function makeRoot(folder: string, harness: MadeRoot["harness"], sessions: number, bytes: number): MadeRoot {
  const root = join(folder, `${harness}-${sessions}`);
  const project = join(root, "project");
  mkdirSync(project, { recursive: true });
  const files = Array.from({ length: sessions }, (_, index) => {
    const id = `session-${index.toString().padStart(4, "0")}`;
    const file = join(project, fileName(harness, id));
    makeSession(file, harness, bytes, index === Math.floor(sessions / 2));
    return file;
  });
  return { harness, root, files };
}
