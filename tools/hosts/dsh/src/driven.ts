import { once } from "node:events";
import { createInterface } from "node:readline";
import type { DriverAnswer, DriverCommand, TurnOutcome } from "./driver/commands.ts";
import { type DshOptions, type DshProcess, endDsh, endGroup, startDsh } from "./process.ts";
import { type DshSandbox, DRIVEN_PROFILE } from "./sandbox.ts";

const TIMEOUT_MS = 60_000;
const STDERR_SHOWN = 4000;

interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts dsh with a row that is driven for several turns. It ends when it is closed.
 *
 * @throws Error with what dsh wrote, where it does not start
 */
export async function driveDsh(sandbox: DshSandbox, options: DshOptions = {}): Promise<DrivenDsh> {
  const child = await startDsh(sandbox, ["--profile", DRIVEN_PROFILE], options);
  const driven = new DrivenDsh(child, options.timeoutMs ?? TIMEOUT_MS);
  await driven.ready;
  return driven;
}

/** A dsh that runs, and a person at it. */
export class DrivenDsh implements AsyncDisposable {
  readonly #child: DshProcess;
  readonly #timeoutMs: number;
  readonly #waiters = new Map<number, Waiter>();
  readonly #ended: Promise<number | null>;
  /** Settles when the host has loaded all of its rows. */
  readonly ready: Promise<unknown>;
  #count = 0;
  #stderr = "";

  constructor(child: DshProcess, timeoutMs: number) {
    this.#child = child;
    this.#timeoutMs = timeoutMs;
    child.stderr.on("data", (text: string) => (this.#stderr += text));
    createInterface({ input: child.stdout }).on("line", (line) => this.#take(line));
    this.#ended = once(child, "close").then(([code]) => {
      const error = new Error(`dsh ended with ${String(code)}.\nstderr: ${this.#stderr.slice(-STDERR_SHOWN)}`);
      for (const { reject } of this.#waiters.values()) reject(error);
      endGroup(child, "SIGKILL");
      return code as number | null;
    });
    this.ready = this.#answer(0);
  }

  /** All that dsh has written on its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Has something done and waits for its answer.
   *
   * @throws Error where it fails, dsh ends, or the time is over
   */
  send(command: DriverCommand): Promise<unknown> {
    const id = ++this.#count;
    const answer = this.#answer(id);
    this.#child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    return answer;
  }

  /** Says something, and waits until nobody works. */
  async prompt(text: string): Promise<TurnOutcome> {
    return (await this.send({ do: "prompt", text })) as TurnOutcome;
  }

  /** A person's slash command, and what it answers; the work that it brings about is over then. */
  async command(line: string): Promise<{ readonly kind: string; readonly text: string }> {
    return (await this.send({ do: "command", line })) as { kind: string; text: string };
  }

  /** Ends dsh in order, and gives its exit code. */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    const timer = setTimeout(() => void endDsh(this.#child), this.#timeoutMs);
    const code = await this.#ended;
    clearTimeout(timer);
    return code;
  }

  /** Ends dsh as a crash does: nothing is written any more. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endDsh(this.#child);
  }

  #answer(id: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const failure = (): Error =>
      new Error(`No answer in ${this.#timeoutMs} ms.\nstderr: ${this.#stderr.slice(-STDERR_SHOWN)}`);
    const timer = setTimeout(() => reject(failure()), this.#timeoutMs);
    this.#waiters.set(id, { resolve, reject });
    // Who does not wait for an answer is not to fail because dsh was ended.
    promise.catch(() => {});
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(id);
    });
  }

  #take(line: string): void {
    let answer: DriverAnswer;
    try {
      answer = JSON.parse(line) as DriverAnswer;
    } catch {
      this.#stderr += `${line}\n`;
      return;
    }
    const waiter = this.#waiters.get(answer.id);
    if (answer.error === undefined) waiter?.resolve(answer.result);
    else waiter?.reject(new Error(answer.error));
  }
}
