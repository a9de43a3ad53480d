import { readFileSync } from "node:fs";
import type { JsonObject } from "../src/json.ts";
import { piWire } from "../src/wire/pi.ts";
import type { WireItem, WireReading, WireRecord } from "../src/wire/wire.ts";

export const SAMPLES = [
  "session-clone-child",
  "session-codemode-nested",
  "session-images-models-labels",
  "session-reset-boundary",
  "session-tree-bash-branch-compaction",
] as const;

export type Sample = (typeof SAMPLES)[number];

function linesOf(sample: Sample): Buffer[] {
  const text = readFileSync(new URL(`fixtures/pi/${sample}.jsonl`, import.meta.url), "latin1");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line, "latin1"));
}

export const recordsOf = (sample: Sample): JsonObject[] =>
  linesOf(sample).map((line) => JSON.parse(line.toString("utf8")) as JsonObject);

export interface Taken {
  readonly reading: WireReading;
  readonly records: readonly WireRecord[];
}

export function take(records: readonly JsonObject[]): Taken {
  const reading = piWire.begin();
  return { reading, records: records.map((record) => reading.take(record)) };
}

/** One line an item: where it is, what it is, and how its text begins. */
export function told(records: readonly JsonObject[]): string[] {
  return take(records).records.flatMap(({ items }, record) =>
    items.map((item) => `${record} ${item === undefined ? "repeated" : toldItem(item)}`),
  );
}

export function toldItem(item: WireItem): string {
  switch (item.kind) {
    case "message":
      return `${item.role}: ${begin(item.text())}`;
    case "call":
      return `${item.callId} calls ${item.tool} ${begin(item.args() ?? "")}`;
    case "result":
      return `${item.callId} ${item.isError ? "fails" : "gives"} ${begin(item.output())}`;
    case "nested":
      return "nested";
  }
}

const begin = (text: string): string => JSON.stringify(text.slice(0, 40));

/** So that no two entries have one id, in whichever files they are: no test may go by its value. */
let counter = 0;

/** An entry with a message. */
export const entry = (message: unknown, more: JsonObject = {}): JsonObject => ({
  type: "message",
  id: `e${++counter}`,
  parentId: null,
  timestamp: "2026-11-30T17:00:00.000Z",
  message,
  ...more,
});

export const assistant = (content: unknown, more: JsonObject = {}): JsonObject =>
  entry({ role: "assistant", content, stopReason: "stop", ...more });

export const text = (value: string): JsonObject => ({ type: "text", text: value });

export const call = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: {},
  ...more,
});

/** Everything that an item can be asked for. */
export function wholeText(item: WireItem): string {
  switch (item.kind) {
    case "message":
      return item.text();
    case "call":
      return item.args() ?? "";
    case "result":
      return `${item.output()}${JSON.stringify(item.nested?.calls())}`;
    case "nested":
      return JSON.stringify(item.call);
  }
}
