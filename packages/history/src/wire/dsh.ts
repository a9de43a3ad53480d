import { quote } from "@notesoup/text";
import { HistoryError } from "../error.ts";
import { asList, asObject, asText, asTime, jsonText, type JsonObject } from "../json.ts";
import { imageMark } from "../media.ts";
import { Surface } from "./dsh/surface.ts";
import type { SessionHeader, Wire, WireCall, WireItem, WireReading, WireRecord, WireResult } from "./wire.ts";

/**
 * The session logs of DeepSeek Harness, format version 0: a header, and then events that count their
 * seqs from 0, with runs of stream chunks packed into rows. A log has no branches: going back is a
 * fork, which begins with a copy of the parent's events.
 */
export const dshWire: Wire = {
  harness: "dsh",
  begin: () => new DshReading(),
  items: itemsOf,
};

/** The only version there is; the host refuses every other one too. */
const FORMAT_VERSION = 0;
/** Events that the model may see. */
const SURFACE_TYPES: ReadonlySet<unknown> = new Set(["user/message", "assistant/message", "tool/result"]);
/**
 * Events before which every call has had its result: a turn of which the end was not written is over
 * when the next one starts, and a session that was taken up again has closed what it found open.
 */
const TURN_LIMITS: ReadonlySet<unknown> = new Set(["turn/start", "turn/end", "session/end-seed"]);
const NOTHING: WireRecord = { items: [] };

class DshReading implements WireReading {
  #header: SessionHeader | undefined;
  /** How many events are copies of the parent's. */
  #copies = 0;
  /** Of each record, where in the log it stands: its seq, or that of the one before it. */
  readonly #seqs: number[] = [];
  /** Seqs of the events that have told something. */
  readonly #told = new Set<number>();
  readonly #surface = new Surface();
  /** The calls that are known of the step that is read. */
  #calls: { readonly step: string; readonly ids: Set<string> } = { step: "", ids: new Set() };

  get header(): SessionHeader {
    return this.#header ?? {};
  }

  take(record: JsonObject): WireRecord {
    const { type } = record;
    const seq = asSeq(record.seq);
    this.#seqs.push(seq ?? asSeq(record.seq0) ?? this.#seqs.at(-1) ?? -1);
    if (type === "session" && this.#header === undefined) this.#begin(record);
    const isCopy = seq !== undefined && seq < this.#copies;
    if (TURN_LIMITS.has(type)) return { items: [], endsTurn: true, isCopy };
    const items = itemsOf(record);
    const isOnSurface = SURFACE_TYPES.has(type);
    if (items.length === 0 && !isOnSurface) return NOTHING;
    if (seq !== undefined) {
      if (this.#told.has(seq)) return { items: items.map(() => undefined), isCopy };
      this.#told.add(seq);
    }
    const isEmptied = isOnSurface && seq !== undefined && this.#place(seq, record.surfaceOp);
    return { items: this.#new(record, items), startsWindow: isEmptied && isCheckpoint(record), isCopy };
  }

  branch(head?: string | null): (record: number) => boolean {
    if (head === null) return () => false;
    if (head === undefined || !/^\d{1,15}$/u.test(head)) return () => true;
    const last = Number(head);
    return (record) => (this.#seqs[record] ?? Infinity) <= last;
  }

  #begin(record: JsonObject): void {
    const { version } = record;
    if (version !== FORMAT_VERSION) {
      const named = quote(jsonText(version) ?? "none", 40);
      throw new HistoryError(
        "session_unreadable",
        `the session is of format version ${named}; of DeepSeek Harness only version ${FORMAT_VERSION} can be read`,
      );
    }
    const parent = asText(record.parentSession);
    this.#header = {
      id: asText(record.id),
      cwd: asText(record.cwd),
      createdAt: asTime(record.createdAt) ?? undefined,
      parent,
    };
    if (parent !== undefined) this.#copies = asSeq(record.seedLength) ?? 0;
  }

  /** @returns whether nothing is left of what the model saw before */
  #place(seq: number, operation: unknown): boolean {
    const replacement = asObject(operation);
    if (replacement?.op === "replace") {
      return this.#surface.replace(seq, asSeq(replacement.start), asSeq(replacement.end));
    }
    if (replacement === undefined) this.#surface.append(seq);
    return false;
  }

  /** The items without the calls that an earlier record of the step has told: as a block of the answer, or as started. */
  #new(record: JsonObject, items: readonly WireItem[]): readonly (WireItem | undefined)[] {
    if (!items.some(({ kind }) => kind === "call")) return items;
    const { turn, step } = asObject(record.data) ?? {};
    const name = `${asSeq(turn)} ${asSeq(step)}`;
    if (this.#calls.step !== name) this.#calls = { step: name, ids: new Set() };
    const { ids } = this.#calls;
    const told = items.map((item) => (item.kind === "call" && ids.has(item.callId) ? undefined : item));
    for (const item of items) if (item.kind === "call") ids.add(item.callId);
    return told;
  }
}

function itemsOf(record: JsonObject): readonly WireItem[] {
  const data = asObject(record.data);
  if (data === undefined) return [];
  switch (record.type) {
    case "user/message":
      return isCheckpoint(record) || !isModelOnly(record) ? messageOf(record, data) : [];
    case "assistant/message":
      return isModelOnly(record) ? [] : answerOf(record, data);
    case "tool/call":
      return [callOf(record, data.callId, data)];
    case "tool/result":
      return isModelOnly(record) ? [] : [resultOf(record, data)];
    case "tool/code-dispatch-start":
    case "tool/code-dispatch":
      return nestedOf(record, data);
    default:
      return [];
  }
}

/** Whether an event only rewrites, for the model, what others have said: history has those. */
function isModelOnly({ surfaceOp }: JsonObject): boolean {
  return asObject(surfaceOp) !== undefined;
}

/** Whether an event is what a compaction left in the place of others. */
function isCheckpoint(record: JsonObject): boolean {
  const source = asObject(asObject(record.data)?.source);
  return (
    record.type === "user/message" &&
    asObject(record.surfaceOp)?.op === "replace" &&
    source?.kind === "plugin" &&
    source.plugin === "compact"
  );
}

function messageOf(record: JsonObject, data: JsonObject): WireItem[] {
  const parts = partsOf(data.content);
  // Whether all was replaced, only the reading knows; the text is the same.
  if (isCheckpoint(record)) parts.unshift("[compaction]");
  if (!parts.some(isWords)) return [];
  const kind = asObject(data.source)?.kind;
  const role = kind === "user" || kind === "user-rpc" ? "user" : "context";
  return [{ kind: "message", role, time: asTime(record.time), text: () => parts.join("\n") }];
}

function answerOf(record: JsonObject, data: JsonObject): WireItem[] {
  const reasoning: string[] = [];
  const answer: string[] = [];
  const calls: WireItem[] = [];
  const content = asObject(data.message)?.content;
  for (const value of typeof content === "string" ? [{ type: "text", text: content }] : asList(content)) {
    const block = asObject(value);
    if (block?.type === "tool-call") calls.push(callOf(record, block.id, block, calls.length));
    else if (block?.type === "reasoning") reasoning.push(...textsOf(block).filter(isWords));
    else answer.push(...partsOf([block]).filter(isWords));
  }
  if (reasoning.length === 0 && answer.length === 0) return calls;
  const text = (): string => answerText(reasoning.join("\n"), answer.join("\n"), data.interrupted === true);
  return [{ kind: "message", role: "assistant", time: asTime(record.time), text }, ...calls];
}

/** The reasoning, the answer, and that it was interrupted, each where it is there; the answer is marked behind a reasoning. */
function answerText(reasoning: string, answer: string, isInterrupted: boolean): string {
  const parts: string[] = [];
  if (reasoning !== "") parts.push(`[reasoning]\n${reasoning}`);
  if (answer !== "") parts.push(reasoning === "" ? answer : `[answer]\n${answer}`);
  if (isInterrupted) parts.push("[interrupted]");
  return parts.join("\n\n");
}

/** A call, of an answer's block or of its start: both name it in the same way, but for the id. */
function callOf(record: JsonObject, id: unknown, call: JsonObject, position = 0): WireCall {
  return {
    kind: "call",
    time: asTime(record.time),
    callId: asText(id) ?? unnamed(record, position),
    tool: asText(call.name) ?? "unknown tool",
    args: () => argumentsJson(call.arguments),
  };
}

function resultOf(record: JsonObject, data: JsonObject): WireResult {
  const message = asObject(data.message);
  const block = asList(message?.content)
    .map(asObject)
    .find((candidate) => candidate?.type === "tool-result");
  const parts = partsOf(block?.content);
  return {
    kind: "result",
    time: asTime(record.time),
    callId: asText(block?.toolCallId) ?? asText(asObject(message?.source)?.callId) ?? unnamed(record, 0),
    isError: block?.isError === true,
    ...cutOf(parts),
    output: () => parts.join("\n"),
  };
}

/** A call that `run_code` made. The host records what came back too; history never holds that. */
function nestedOf(record: JsonObject, data: JsonObject): WireItem[] {
  const callId = asText(data.rootCallId);
  const id = asText(data.subCallId);
  if (callId === undefined || id === undefined) return [];
  const isEnd = record.type === "tool/code-dispatch";
  const status = !isEnd ? "unfinished" : data.isError === true ? "error" : "ok";
  const call = {
    id,
    name: asText(data.name) ?? "unknown tool",
    get args(): string | undefined {
      return jsonText(data.arguments);
    },
    status,
  } as const;
  return [{ kind: "nested", callId, call, isEnd }];
}

/** An id for what has none, which nothing else has. */
function unnamed({ seq }: JsonObject, position: number): string {
  return `unnamed ${asSeq(seq) ?? "event"}.${position}`;
}

/**
 * Arguments as the model wrote them. JSON of one line stays as it is, for to write it anew would change
 * numbers that a double cannot hold; what is no JSON is told as a text.
 */
function argumentsJson(value: unknown): string | undefined {
  if (typeof value !== "string") return value === null ? undefined : jsonText(value);
  try {
    const parsed: unknown = JSON.parse(value);
    return value.includes("\n") ? (jsonText(parsed) ?? JSON.stringify(value)) : value;
  } catch {
    return JSON.stringify(value);
  }
}

/** How far from the end of an output the host's own lines are looked for. */
const TAIL_UNITS = 4096;
const CUT_BY_TOOL = /^\[output truncated; full output: ([^\n]+)\]$/mu;
const CUT_BY_HOST =
  /^\(Omitted \d+ bytes\. Full formatted result stored at: ([^\n]+)\. Use read with offset\/limit, or /mu;

/**
 * Whether the host has cut an output, and where the whole is: only lines at the end of a block
 * tell. What a tool has cut is whole in the tool's file alone: the host's holds what the tool left of it.
 */
function cutOf(parts: readonly string[]): Pick<WireResult, "outputTruncated" | "fullOutputPath"> {
  const tails = parts.map((part) => part.slice(-TAIL_UNITS));
  for (const pattern of [CUT_BY_TOOL, CUT_BY_HOST]) {
    for (const tail of tails) {
      const path = pattern.exec(tail)?.[1];
      // A copy, for a part of a text keeps the whole of it in memory, and this is kept.
      if (path !== undefined) return { outputTruncated: true, fullOutputPath: Buffer.from(path).toString() };
    }
  }
  return {};
}

/** What the blocks of a content say: texts, and a mark for each image. Blocks that are not known say nothing. */
function partsOf(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return asList(content).flatMap((value) => {
    const block = asObject(value);
    if (block?.type === "text") return textsOf(block);
    if (block?.type === "image") return [imageMark(asText(asObject(block.attachment)?.mediaType), undefined)];
    return [];
  });
}

function textsOf({ text }: JsonObject): string[] {
  return typeof text === "string" && text !== "" ? [text] : [];
}

/** Only white space of ASCII is none: in a text that was read as bytes, nothing else can be told. */
function isWords(text: string): boolean {
  return /[^\t\n\r ]/u.test(text);
}

/** A seq, or a number of seqs. */
function asSeq(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
