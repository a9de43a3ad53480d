import { readFileSync } from "node:fs";
import type { JsonObject } from "../src/json.ts";
import { claudeWire } from "../src/wire/claude.ts";
import type { WireItem, WireReading, WireRecord } from "../src/wire/wire.ts";

/** Sessions that a host has written; only its own long texts, and paths, were replaced. */
export const SESSIONS = [
  "session-after-clear",
  "session-auto-compact",
  "session-before-clear",
  "session-fork",
  "session-hooks-and-mcp",
  "session-interactive-rewind",
  "session-parallel-compact-rewind",
  "session-plugin-results",
  "session-slash-command",
] as const;
export type Sample = (typeof SESSIONS)[number] | "subagent";

export function linesOf(sample: Sample, encoding: "latin1" | "utf8" = "utf8"): string[] {
  const text = readFileSync(new URL(`fixtures/claude/${sample}.jsonl`, import.meta.url), encoding);
  return text.split("\n").filter((line) => line !== "");
}

export const recordsOf = (sample: Sample, encoding: "latin1" | "utf8" = "utf8"): JsonObject[] =>
  linesOf(sample, encoding).map((line) => JSON.parse(line) as JsonObject);

export interface Taken {
  readonly reading: WireReading;
  readonly records: readonly WireRecord[];
}

export function take(records: readonly JsonObject[]): Taken {
  const reading = claudeWire.begin();
  return { reading, records: records.map((record) => reading.take(record)) };
}

/** One line an item: the line of the file that it is in, counted from 1, what it is, and how its text begins. */
export function told(records: readonly JsonObject[]): string[] {
  return take(records).records.flatMap(({ items }, record) =>
    items.map((item) => `${record + 1} ${item === undefined ? "dropped" : toldItem(item)}`),
  );
}

export function toldItem(item: WireItem): string {
  switch (item.kind) {
    case "message":
      return `${item.role}: ${begin(item.text())}`;
    case "call":
      return `${item.callId} calls ${item.tool} ${begin(item.args() ?? "nothing")}`;
    case "result":
      return `${item.callId} ${item.isError ? "fails" : "gives"} ${begin(item.output())}`;
    case "nested":
      return "nested";
  }
}

const begin = (text: string): string => text.slice(0, 24).replaceAll("\n", "⏎");

/** The lines of the file, counted from 1, that are rows and not on the branch. */
export function inactiveLines(records: readonly JsonObject[], head?: string | null): number[] {
  const isActive = take(records).reading.branch(head);
  return records.flatMap((record, index) => (record.uuid !== undefined && !isActive(index) ? [index + 1] : []));
}

/** The ids of the rows that are on the branch, in the order of appending. */
export function activeIds(records: readonly JsonObject[], head?: string | null): unknown[] {
  const isActive = take(records).reading.branch(head);
  return records.flatMap(({ uuid }, index) => (isActive(index) ? [uuid] : []));
}

/** A row of the conversation. */
export const row = (uuid: string, parentUuid: string | null, more: JsonObject): JsonObject => ({
  parentUuid,
  isSidechain: false,
  uuid,
  timestamp: "2026-11-30T17:00:00.000Z",
  sessionId: "s",
  cwd: "/home/dev/project",
  ...more,
});

export const user = (uuid: string, parentUuid: string | null, content: unknown, more: JsonObject = {}): JsonObject =>
  row(uuid, parentUuid, { type: "user", message: { role: "user", content }, ...more });

/** A row of a message of the API with an id; `undefined` is none. */
export const assistant = (
  uuid: string,
  parentUuid: string | null,
  id: string | undefined,
  content: unknown,
  more: JsonObject = {},
): JsonObject =>
  row(uuid, parentUuid, { type: "assistant", message: { ...(id === undefined ? {} : { id }), content }, ...more });

export const attachment = (
  uuid: string,
  parentUuid: string | null,
  value: unknown,
  more: JsonObject = {},
): JsonObject => row(uuid, parentUuid, { type: "attachment", attachment: value, ...more });

export const boundary = (uuid: string, logicalParentUuid: string | undefined, more: JsonObject = {}): JsonObject =>
  row(uuid, null, {
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    compactMetadata: { trigger: "auto" },
    ...(logicalParentUuid === undefined ? {} : { logicalParentUuid }),
    ...more,
  });

export const text = (value: string): JsonObject => ({ type: "text", text: value });
export const thinking = (value: string): JsonObject => ({ type: "thinking", thinking: value, signature: "c2ln" });
export const toolUse = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: {},
  ...more,
});
export const toolResult = (id: string, content: unknown, more: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
