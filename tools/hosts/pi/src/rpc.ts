import { Lines } from "./lines.ts";
import { end, ended, startPi, type Ending, type PiOptions, type PiProcess } from "./process.ts";
import type { PiSandbox } from "./sandbox.ts";

/** How Pi is run, and how long it is waited for. */
export interface RpcOptions extends PiOptions {
  /** How long each wait may take that names no time of its own; half a minute if absent. */
  readonly timeoutMs?: number;
}

/** A record that Pi wrote: a response, an event of the session, or a request of an extension to the user. */
export interface RpcRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The answer to a command: that it was taken, or why not. */
export interface RpcResponse extends RpcRecord {
  readonly type: "response";
  readonly command: string;
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

/** Where to look for a record, and how long. */
export interface WaitOptions {
  /** The index in `events` to look from: `events.length` for what is still to come; 0 if absent. */
  readonly from?: number;
  readonly timeoutMs?: number;
  /** What is waited for, for the message of an error. */
  readonly what?: string;
}

/** What became of a prompt. */
export interface PromptOutcome {
  /** `started` a run, which has settled; `queued` behind one; or `handled` by a command without a run. */
  readonly disposition: string;
  /** What Pi wrote from the prompt on. */
  readonly events: readonly RpcRecord[];
}

interface Waiter {
  readonly matches: (record: RpcRecord) => boolean;
  readonly resolve: (record: RpcRecord) => void;
  readonly reject: (error: Error) => void;
}

const TIMEOUT_MS = 30_000;
const STDERR_SHOWN = 4000;

/** Starts Pi in RPC mode. It ends when it is closed, and when this process does. */
export async function startPiRpc(sandbox: PiSandbox, options: RpcOptions = {}): Promise<PiRpc> {
  const child = await startPi(sandbox, ["--mode", "rpc", ...(options.args ?? [])], options);
  return new PiRpc(child, options.timeoutMs ?? TIMEOUT_MS);
}

/** A running Pi that is talked to in records of JSON, one a line. */
export class PiRpc implements AsyncDisposable {
  readonly #child: PiProcess;
  readonly #timeoutMs: number;
  readonly #ended: Promise<Ending>;
  readonly #events: RpcRecord[] = [];
  readonly #lines = new Lines();
  readonly #waiters = new Set<Waiter>();
  #stderr = "";
  #commands = 0;
  /** Why nothing can be waited for any more. */
  #over: Error | undefined;

  constructor(child: PiProcess, timeoutMs: number) {
    this.#child = child;
    this.#timeoutMs = timeoutMs;
    child.stderr.on("data", (text: string) => (this.#stderr += text));
    child.stdout.on("data", (text: string) => this.#read(text));
    this.#ended = this.#end();
  }

  /** All records so far, responses included. It grows. */
  get events(): readonly RpcRecord[] {
    return this.#events;
  }

  /** All that Pi wrote beside its records so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Writes a record as it is and waits for nothing: the answer to an extension that asks the user. */
  write(record: RpcRecord): void {
    this.#child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  /** Sends a command, to which it gives an id, and waits for its response, be it a success or not. */
  async send(command: RpcRecord, { timeoutMs }: Pick<WaitOptions, "timeoutMs"> = {}): Promise<RpcResponse> {
    const id = `command-${++this.#commands}`;
    const from = this.#events.length;
    this.write({ ...command, id });
    const isResponse = (record: RpcRecord): boolean => record.type === "response" && record["id"] === id;
    const response = await this.waitFor(isResponse, {
      from,
      what: `the response to ${command.type}`,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return response as RpcResponse;
  }

  /**
   * Sends a prompt, and waits until the run that it starts has settled.
   *
   * @throws Error where Pi refuses the prompt
   */
  async prompt(message: string, options: Pick<WaitOptions, "timeoutMs"> = {}): Promise<PromptOutcome> {
    const from = this.#events.length;
    const response = await this.send({ type: "prompt", message }, options);
    if (!response.success) throw new Error(`Pi refused the prompt: ${response.error}`);
    const disposition = String(response.data?.["disposition"]);
    if (disposition === "started") {
      await this.waitFor((record) => record.type === "agent_settled", {
        ...options,
        from: this.#events.indexOf(response),
        what: "agent_settled",
      });
    }
    return { disposition, events: this.#events.slice(from) };
  }

  /**
   * The first record that matches, of those that have come and those that will.
   *
   * @throws Error where the time is over, the process ends first, or it writes what is no record
   */
  async waitFor(matches: (record: RpcRecord) => boolean, options: WaitOptions = {}): Promise<RpcRecord> {
    const { from = 0, timeoutMs = this.#timeoutMs, what = "a record" } = options;
    const found = this.#events.slice(from).find(matches);
    if (found !== undefined) return found;
    if (this.#over !== undefined) throw this.#failure(`Waited for ${what}: ${this.#over.message}`, this.#over);

    const { promise, resolve, reject } = Promise.withResolvers<RpcRecord>();
    const waiter: Waiter = {
      matches,
      resolve,
      reject: (cause) => reject(this.#failure(`Waited for ${what}: ${cause.message}`, cause)),
    };
    const timer = setTimeout(
      () =>
        waiter.reject(
          new Error(`it did not come within ${timeoutMs} ms. The last record: ${JSON.stringify(this.#events.at(-1))}`),
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
   * Closes Pi's input, which is its orderly end, and resolves with its exit code.
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
      throw this.#failure(`Pi did not end within ${this.#timeoutMs} ms of the end of its input and was killed.`);
    if (ending.code === null) throw this.#failure(`Pi was ended by ${ending.signal}.`);
    return ending.code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #end(): Promise<Ending> {
    const ending = await ended(this.#child);
    if (this.#lines.rest !== "") this.#fail(notRecord(this.#lines.rest));
    this.#fail(new Error(`Pi ended with ${ending.signal ?? `code ${ending.code}`}`));
    return ending;
  }

  #read(text: string): void {
    for (const line of this.#lines.push(text)) {
      const record = parse(line);
      if (record === undefined) {
        this.#fail(notRecord(line));
        continue;
      }
      this.#events.push(record);
      for (const waiter of this.#waiters) offer(waiter, record);
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

function offer({ matches, resolve, reject }: Waiter, record: RpcRecord): void {
  try {
    if (matches(record)) resolve(record);
  } catch (error) {
    reject(error instanceof Error ? error : new Error(String(error)));
  }
}

function parse(line: string): RpcRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
    return isRecord ? (value as RpcRecord) : undefined;
  } catch {
    return undefined;
  }
}

function notRecord(line: string): Error {
  return new Error(`Pi wrote a line that is no record of JSON: ${JSON.stringify(line.slice(0, 500))}`);
}
