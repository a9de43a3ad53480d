import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "../src/json.ts";
import { dshWire } from "../src/wire/dsh.ts";
import type { WireItem, WireReading, WireRecord } from "../src/wire/wire.ts";
import { decompressFrame, frameAt } from "../src/zstd-frames.ts";

const folder = new URL("fixtures/dsh/", import.meta.url);

export const samples = readdirSync(folder);

/** The text of a host's file. */
function textOf(name: string): string {
  const bytes = readFileSync(new URL(name, folder));
  if (!name.endsWith(".zstd")) return bytes.toString("utf8");
  const texts: Buffer[] = [];
  for (let at = 0; ;) {
    const frame = frameAt(bytes, at);
    if (typeof frame === "string") return Buffer.concat(texts).toString("utf8");
    texts.push(decompressFrame(bytes.subarray(at, frame.end)) ?? Buffer.alloc(0));
    at = frame.end;
  }
}

export const parse = (line: string): JsonObject => JSON.parse(line) as JsonObject;

export const linesOf = (name: string): string[] =>
  textOf(name)
    .split("\n")
    .filter((line) => line !== "");

export const recordsOf = (name: string): JsonObject[] => linesOf(name).map(parse);

export interface Taken extends WireRecord {
  readonly record: JsonObject;
}

/** A session that was read: what each of its records came to. */
export function read(records: readonly JsonObject[]): {
  readonly reading: WireReading;
  readonly taken: readonly Taken[];
} {
  const reading = dshWire.begin();
  return { reading, taken: records.map((record) => ({ record, ...reading.take(record) })) };
}

/** What an item is, on one line: its role, or its tool, or how it went. */
export function nameOf(item: WireItem | undefined): string {
  switch (item?.kind) {
    case undefined:
      return "said before";
    case "message":
      return item.role;
    case "call":
      return `call ${item.tool}`;
    case "result":
      return item.isError ? "error" : "ok";
    case "nested":
      return `nested ${item.call.name} ${item.call.status}`;
  }
}

export const namesOf = (taken: readonly Taken[]): string[] =>
  taken.flatMap(({ record, items }) => items.map((item) => `${String(record.seq)} ${nameOf(item)}`));

export const itemsOf = (records: readonly JsonObject[]): WireItem[] =>
  read(records).taken.flatMap(({ items }) => items.filter((item) => item !== undefined));

export const seqsWhere = (taken: readonly Taken[], holds: (one: Taken) => boolean | undefined): unknown[] =>
  taken.filter((one) => holds(one) === true).map(({ record }) => record.seq);

/** Calls and the seqs of their results, by pairing them in the order of appending. */
export function pairsOf(taken: readonly Taken[]): string[] {
  const pairs: string[] = [];
  const open = new Map<string, string>();
  for (const { record, items } of taken) {
    for (const item of items) {
      if (item?.kind === "call") open.set(item.callId, `${String(record.seq)} ${item.tool}`);
      if (item?.kind !== "result") continue;
      pairs.push(`${open.get(item.callId) ?? "no call"} = ${String(record.seq)}`);
      open.delete(item.callId);
    }
  }
  return [...pairs, ...[...open.values()].map((call) => `${call} = nothing`)];
}

export function wordsOf(item: WireItem | undefined): string | undefined {
  return item?.kind === "message" ? item.text() : item?.kind === "result" ? item.output() : undefined;
}

export const header: JsonObject = { type: "session", version: 0, id: "s" };

export const event = (seq: number, type: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
  type,
  seq,
  time: 1000 + seq,
  data,
  ...more,
});

export const text = (words: string): JsonObject => ({ type: "text", text: words });

export const append: JsonObject = { surfaceOp: "append" };

export const user = (seq: number, words: string, more: JsonObject = append): JsonObject =>
  event(seq, "user/message", { content: [text(words)], source: { kind: "user" } }, more);

export const answer = (seq: number, content: readonly JsonObject[], more: JsonObject = {}): JsonObject =>
  event(seq, "assistant/message", { turn: 1, step: 1, message: { content }, ...more }, append);

export const block = (id: string): JsonObject => ({ type: "tool-call", id, name: "bash", arguments: "{}" });

export const start = (seq: number, callId: string, step = 1): JsonObject =>
  event(seq, "tool/call", { turn: 1, step, callId, name: "bash", arguments: "{}" });

export const result = (
  seq: number,
  callId: string,
  content: readonly JsonObject[],
  more: JsonObject = append,
): JsonObject =>
  event(seq, "tool/result", { message: { content: [{ type: "tool-result", toolCallId: callId, content }] } }, more);

export const replaced = (from: number, to: number): JsonObject => ({
  surfaceOp: { op: "replace", start: from, end: to },
});

export const checkpoint = (seq: number, from: number, to: number): JsonObject =>
  event(
    seq,
    "user/message",
    { content: [text("before: "), text("all")], source: { kind: "plugin", plugin: "compact", compactionId: "c" } },
    replaced(from, to),
  );
