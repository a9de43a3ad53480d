import { Lines } from "@notesoup/host-pi";
import { end, ended, startClaude, type ClaudeOptions, type ClaudeProcess, type Ending } from "./process.ts";
import { parseRow, type Row } from "./row.ts";
import type { ClaudeSandbox } from "./sandbox.ts";
import type { ResultRow } from "./stream.ts";

/** How Claude Code is run, and how long it is waited for. */
export interface ConversationOptions extends ClaudeOptions {
  /** How long each wait may take that names no time of its own; half a minute if absent. */
  readonly timeoutMs?: number;
}

/** Where to look for a row, and how long. */
export interface WaitOptions {
  /** The index in `rows` to look from: `rows.length` for what is still to come; 0 if absent. */
  readonly from?: number;
  readonly timeoutMs?: number;
  /** What is waited for, for the message of an error. */
  readonly what?: string;
}

/** What became of a prompt. */
export interface Turn {
  readonly result: ResultRow;
  /** What Claude Code wrote from the prompt on, the result included. */
  readonly rows: readonly Row[];
}

interface Waiter {
  readonly matches: (row: Row) => boolean;
  readonly resolve: (row: Row) => void;
  readonly reject: (error: Error) => void;
}

const TIMEOUT_MS = 30_000;
const STDERR_SHOWN = 4000;

/** Starts Claude Code headless, for several turns. It ends when it is closed, and when this process does. */
export async function startConversation(
  sandbox: ClaudeSandbox,
  options: ConversationOptions = {},
): Promise<Conversation> {
  const stream = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = await startClaude(sandbox, ["-p", ...stream, ...(options.args ?? [])], options);
  return new Conversation(child, options.timeoutMs ?? TIMEOUT_MS);
}

/** A headless Claude Code that is talked to in rows of JSON. */
export class Conversation implements AsyncDisposable {
  readonly #child: ClaudeProcess;
  readonly #timeoutMs: number;
  readonly #ended: Promise<Ending>;
  readonly #rows: Row[] = [];
  readonly #lines = new Lines();
  readonly #waiters = new Set<Waiter>();
  #stderr = "";
  #requests = 0;
  /** Why nothing can be waited for any more. */
  #over: Error | undefined;

  constructor(child: ClaudeProcess, timeoutMs: number) {
    this.#child = child;
    this.#timeoutMs = timeoutMs;
    child.stderr.on("data", (text: string) => (this.#stderr += text));
    child.stdout.on("data", (text: string) => this.#read(text));
    this.#ended = this.#end();
  }

  /** All rows so far. It grows. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** All that Claude Code wrote beside its rows so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The id of the process. */
  get pid(): number {
    return this.#child.pid as number;
  }

  /** Writes a row as it is and waits for nothing. */
  write(row: Row): void {
    this.#child.stdin.write(`${JSON.stringify(row)}\n`);
  }

  /** Says something, or gives a slash command, and waits until the turn is over, however it ends. */
  async prompt(text: string, options: Pick<WaitOptions, "timeoutMs"> = {}): Promise<Turn> {
    const from = this.#rows.length;
    this.write({ type: "user", message: { role: "user", content: text } });
    const result = (await this.waitFor((row) => row.type === "result", {
      ...options,
      from,
      what: `the end of the turn on ${JSON.stringify(text.slice(0, 80))}`,
    })) as ResultRow;
    return { result, rows: this.#rows.slice(from, this.#rows.indexOf(result) + 1) };
  }

  /** Breaks off the turn that runs, as the Escape key does, and waits until the host has taken that. */
  async interrupt(): Promise<void> {
    const request_id = `request-${++this.#requests}`;
    const from = this.#rows.length;
    this.write({ type: "control_request", request_id, request: { subtype: "interrupt" } });
    const isAnswer = (row: Row): boolean =>
      row.type === "control_response" && (row["response"] as { request_id?: string }).request_id === request_id;
    await this.waitFor(isAnswer, { from, what: "the answer to an interrupt" });
  }

  /**
   * The first row that matches, of those that have come and those that will.
   *
   * @throws Error where the time is over, the process ends first, or it writes what is no row
   */
  async waitFor(matches: (row: Row) => boolean, options: WaitOptions = {}): Promise<Row> {
    const { from = 0, timeoutMs = this.#timeoutMs, what = "a row" } = options;
    const found = this.#rows.slice(from).find(matches);
    if (found !== undefined) return found;
    if (this.#over !== undefined) throw this.#failure(`Waited for ${what}: ${this.#over.message}`, this.#over);

    const { promise, resolve, reject } = Promise.withResolvers<Row>();
    const waiter: Waiter = {
      matches,
      resolve,
      reject: (cause) => reject(this.#failure(`Waited for ${what}: ${cause.message}`, cause)),
    };
    const timer = setTimeout(
      () =>
        waiter.reject(
          new Error(`it did not come within ${timeoutMs} ms. The last row: ${JSON.stringify(this.#rows.at(-1))}`),
        ),
      timeoutMs,
    );
    this.#waiters.add(waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    });
  }

  /**
   * Closes Claude Code's input, which is its orderly end, and resolves with its exit code.
   *
   * @throws Error where it had to be killed, or was
   */
  async close(): Promise<number> {
    this.#child.stdin.end();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void end(this.#child);
    }, this.#timeoutMs);
    const ending = await this.#ended;
    clearTimeout(timer);
    if (late)
      throw this.#failure(
        `Claude Code did not end within ${this.#timeoutMs} ms of the end of its input and was killed.`,
      );
    if (ending.code === null) throw this.#failure(`Claude Code was ended by ${ending.signal}.`);
    return ending.code;
  }

  /** Ends Claude Code by a signal; SIGKILL, as a crash does, if none is named. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Ending> {
    this.#child.kill(signal);
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child);
  }

  async #end(): Promise<Ending> {
    const ending = await ended(this.#child);
    if (this.#lines.rest !== "") this.#fail(notRow(this.#lines.rest));
    this.#fail(new Error(`Claude Code ended with ${ending.signal ?? `code ${ending.code}`}`));
    return ending;
  }

  #read(text: string): void {
    for (const line of this.#lines.push(text)) {
      const row = parseRow(line);
      if (row === undefined) {
        this.#fail(notRow(line));
        continue;
      }
      this.#rows.push(row);
      for (const waiter of this.#waiters) offer(waiter, row);
    }
  }

  /** The first reason stands: what follows it follows from it. */
  #fail(reason: Error): void {
    this.#over ??= reason;
    for (const waiter of this.#waiters) waiter.reject(this.#over);
  }

  #failure(message: string, cause?: Error): Error {
    return new Error(`${message}\nstderr: ${this.#stderr.slice(-STDERR_SHOWN)}`, cause && { cause });
  }
}

function offer({ matches, resolve, reject }: Waiter, row: Row): void {
  try {
    if (matches(row)) resolve(row);
  } catch (error) {
    reject(error instanceof Error ? error : new Error(String(error)));
  }
}

function notRow(line: string): Error {
  return new Error(`Claude Code wrote a line that is no row of JSON: ${JSON.stringify(line.slice(0, 500))}`);
}
