import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createHistoryCorpus,
  type HistoryCorpus,
  HistoryError,
  type LiveSession,
  openLiveSession,
} from "@notesoup/history";
import {
  checkArguments,
  type HistoryEventRow,
  type HistoryFoldedRow,
  type HistoryItem,
  type HistoryListArguments,
  type HistoryListResult,
  historyListTool,
  type HistoryReadArguments,
  type HistoryReadResult,
  historyReadTool,
} from "@notesoup/protocol";
import { temporaryFolder } from "@notesoup/testing";
import fc from "fast-check";
import { historyList, historyRead, historyToolContext, type HistoryToolContext } from "../src/index.ts";
import { success } from "./notes-fixture.ts";

/** When the first entry of a session is made; each further one is a second later. */
export const START = Date.UTC(2026, 0, 1);

/** How an entry differs from what it is by default. */
interface EntryOptions {
  /** `null` for one that was recorded without a time. */
  readonly time?: number | null;
  /** The entry that this one follows, by its id; the one before it if absent. */
  readonly parentId?: string;
}

interface ResultOptions extends EntryOptions {
  readonly tool?: string;
  readonly isError?: boolean;
  readonly fullOutputPath?: string;
  readonly isTruncated?: boolean;
  readonly nestedCalls?: unknown;
}

/** The records of a session of Pi in the making. Each method gives the seq of what it adds. */
export class PiRecords {
  readonly id: string;
  readonly records: object[] = [];
  /** What can be read by its seq: a result that has its call cannot. */
  readonly addresses: number[] = [];
  readonly #waiting = new Set<string>();
  #seqs = 0;

  constructor(id = "live-session") {
    this.id = id;
  }

  get lastId(): string {
    return `entry-${this.records.length}`;
  }

  user(text: string, options?: EntryOptions): number {
    this.#message({ role: "user", content: text }, options);
    return this.#address();
  }

  assistant(text: string, options?: EntryOptions): number {
    this.#message({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" }, options);
    return this.#address();
  }

  context(text: string, options?: EntryOptions): number {
    this.#entry({ type: "custom_message", customType: "test", content: text, display: true }, options);
    return this.#address();
  }

  call(
    callId: string,
    args: object = {},
    { tool = "bash", ...options }: EntryOptions & { tool?: string } = {},
  ): number {
    const content = [{ type: "toolCall", id: callId, name: tool, arguments: args }];
    this.#message({ role: "assistant", content, stopReason: "toolUse" }, options);
    this.#waiting.add(callId);
    return this.#address();
  }

  result(callId: string, output: string, options: ResultOptions = {}): number {
    const { tool = "bash", isError = false, fullOutputPath, isTruncated, nestedCalls, ...entry } = options;
    const details = {
      ...(fullOutputPath === undefined ? {} : { fullOutputPath }),
      ...(isTruncated === undefined ? {} : { truncation: { truncated: isTruncated } }),
    };
    const content = [{ type: "text", text: output }];
    this.#message(
      { role: "toolResult", toolCallId: callId, toolName: tool, content, details, isError, nestedCalls },
      entry,
    );
    return this.#waiting.delete(callId) ? this.#seqs++ : this.#address();
  }

  /** A call with its result. */
  run(callId: string, args: object, output: string, options: ResultOptions = {}): number {
    const seq = this.call(callId, args, options.tool === undefined ? {} : { tool: options.tool });
    this.result(callId, output, options);
    return seq;
  }

  /** The session as its host has it. */
  get live(): LiveSession {
    return { harness: "pi", id: this.id, records: this.records, head: undefined };
  }

  /** The session as its file has it. */
  get file(): string {
    const header = { type: "session", version: 3, id: this.id, timestamp: new Date(START).toISOString(), cwd: "/app" };
    return [header, ...this.records].map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  #message(message: object, options?: EntryOptions): void {
    this.#entry({ type: "message", message }, options);
  }

  #entry(entry: object, { time = START + this.records.length * 1000, parentId }: EntryOptions = {}): void {
    const parent = parentId ?? (this.records.length === 0 ? null : this.lastId);
    const timestamp = time === null ? {} : { timestamp: new Date(time).toISOString() };
    this.records.push({ id: `entry-${this.records.length + 1}`, parentId: parent, ...timestamp, ...entry });
  }

  #address(): number {
    this.addresses.push(this.#seqs);
    return this.#seqs++;
  }
}

/** A context whose live session is this one, opened once. */
export function liveContext(
  session: PiRecords,
  options: Parameters<typeof historyToolContext>[0] = {},
): HistoryToolContext {
  const opened = openLiveSession(session.live);
  return historyToolContext({ live: () => opened, ...options });
}

/** A folder of Pi's sessions of the running test's own. */
export interface HistoryFixture {
  readonly folder: string;
  /** Puts a session there; the later ones were active later. */
  readonly given: (session: PiRecords, file?: string | Uint8Array) => void;
  readonly corpus: (live?: LiveSession) => HistoryCorpus;
  readonly context: HistoryToolContext;
}

export async function historyFixture(): Promise<HistoryFixture> {
  const folder = await temporaryFolder();
  const project = join(folder, "--app--");
  mkdirSync(project);
  let files = 0;
  const corpus = (live?: LiveSession): HistoryCorpus => createHistoryCorpus({ roots: { pi: [folder] }, live });
  return {
    folder,
    given: (session, file = session.file) => {
      const path = join(project, `2026-01-01T00-00-00-000Z_${session.id}.jsonl`);
      writeFileSync(path, file);
      const lastActivity = START / 1000 + files++;
      utimesSync(path, lastActivity, lastActivity);
    },
    corpus,
    context: historyToolContext({ corpus: () => corpus() }),
  };
}

/** A corpus of which some sessions cannot be read. */
export function withUnreadable(corpus: HistoryCorpus, isUnreadable: (name: string) => boolean): HistoryCorpus {
  return {
    sessions: (harness) => corpus.sessions(harness),
    select: (selector) => corpus.select(selector),
    mayHold: () => Promise.resolve(true),
    open: async (ref) => {
      if (isUnreadable(ref.name)) throw new HistoryError("session_unreadable", "the test has broken it");
      return corpus.open(ref);
    },
  };
}

/** What a call lists. That the call is one that a host would let through is checked on the way. */
export async function listed(context: HistoryToolContext, args: HistoryListArguments): Promise<HistoryListResult> {
  const checked = checkArguments(historyListTool, args);
  if (!checked.ok) throw new Error(checked.message);
  return success(await historyList(context, args));
}

/** What a call reads. */
export async function read(context: HistoryToolContext, args: HistoryReadArguments): Promise<HistoryReadResult> {
  const checked = checkArguments(historyReadTool, args);
  if (!checked.ok) throw new Error(checked.message);
  return success(await historyRead(context, args));
}

/** The pages of a call, each by the recipe of the one before it merged into its call. */
export async function* pagesOf(
  context: HistoryToolContext,
  call: HistoryListArguments,
): AsyncGenerator<{ readonly call: HistoryListArguments; readonly page: HistoryListResult }> {
  for (let next: HistoryListArguments | undefined = call; next !== undefined;) {
    const page: HistoryListResult = await listed(context, next);
    yield { call: next, page };
    if (page.page_older !== null && page.page_newer !== null) throw new Error("a page goes on in both directions");
    const recipe = page.page_older ?? page.page_newer;
    next = recipe === null ? undefined : { ...next, ...recipe };
  }
}

/** Every seq that a call and its further pages list, folds expanded by their recipes, in the order of the session. */
export async function visited(context: HistoryToolContext, call: HistoryListArguments): Promise<number[]> {
  const seqs: number[][] = [];
  for await (const { call: of, page } of pagesOf(context, call)) {
    const here: number[] = [];
    for (const item of page.items) {
      if (isFolded(item)) here.push(...(await visited(context, { ...of, ...item.expand })));
      else here.push(item.seq);
    }
    seqs.push(here);
  }
  return (call.from === "oldest" ? seqs : seqs.toReversed()).flat();
}

export const isFolded = (item: HistoryItem): item is HistoryFoldedRow => "folded" in item;

/** The rows of events, of which all have to be. */
export function eventRows({ items }: HistoryListResult): HistoryEventRow[] {
  return items.map((item) => {
    if (isFolded(item)) throw new Error("a folded row");
    return item;
  });
}

/** Texts that take more bytes than letters, in one form or in both. */
export const awkwardTexts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom("a", "界", '"', "\\", "\u0000", "\n", "\r\n", "é", "\u2028", "😀", "\u202e", "\ud800", "\t"), {
    minLength: 1,
    maxLength: 30,
  })
  .map((characters) => characters.join(""));

/** What happens in a session. */
export type Step = readonly ["user" | "assistant" | "context" | "run" | "call" | "orphan", string, number | null];

/** Small sessions of everything that can happen, some of it without a time or with the clock set back. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom("user", "assistant", "context", "run", "run", "call", "orphan"),
    awkwardTexts,
    fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 20 }) }, { weight: 1, arbitrary: fc.constant(null) }),
  ),
  { maxLength: 40 },
);

/** The session in which these steps happen. */
export function sessionOf(happening: readonly Step[]): PiRecords {
  const session = new PiRecords();
  for (const [index, [what, text, second]] of happening.entries()) {
    const options = { time: second === null ? null : START + second * 1000 };
    const id = `call-${index}`;
    if (what === "run") {
      session.call(id, { text }, options);
      session.result(id, text, options);
    } else if (what === "call") session.call(id, { text }, options);
    else if (what === "orphan") session.result(id, text, options);
    else session[what](text, options);
  }
  return session;
}

/** The seqs of a page's rows; of a folded one the first and the last. */
export const seqsOf = (page: HistoryListResult): (number | string)[] =>
  page.items.map((item) => (isFolded(item) ? `${item.folded.from_seq}–${item.folded.to_seq}` : item.seq));

/** A session of so many prompts, `prompt 0` and so on. */
export function prompts(count: number, id?: string): PiRecords {
  const made = new PiRecords(id);
  for (let index = 0; index < count; index++) made.user(`prompt ${index}`);
  return made;
}
