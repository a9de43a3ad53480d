import { spawn, type IPty } from "@lydell/node-pty";
import { installClaude } from "./install.ts";
import type { ClaudeOptions } from "./process.ts";
import type { ClaudeSandbox } from "./sandbox.ts";

/** How Claude Code is run on a terminal, and how long it is waited for. */
export interface TerminalOptions extends ClaudeOptions {
  /** How long each wait may take; half a minute if absent. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const SHOWN = 4000;
const GRACE_MS = 3000;

// Wide, so that what is waited for is not broken in two.
const COLUMNS = 200;
const ROWS = 50;

// What a terminal is told beside text: sequences that begin with CSI (but for a movement to the
// right, which is the space between two words), OSC, DCS or APC, and those of two characters.
const TOLD =
  // eslint-disable-next-line no-control-regex -- they begin with control characters
  /\u001B(?:\[(?!\d*C)[0-?]*[ -/]*[@-~]|[\]P_^].*?(?:\u0007|\u001B\\)|[ -/]*[0-OQ-Z\\`-~])|[\u0000-\u0008\u000B-\u001A]/gsu;
const MOVED_RIGHT =
  // eslint-disable-next-line no-control-regex -- as above
  /\u001B\[\d*C|[^\S\n]+/gu;

/** Starts Claude Code on a terminal of its own, as a person does, in the plain form that it has for screen readers. */
export async function openTerminal(sandbox: ClaudeSandbox, options: TerminalOptions = {}): Promise<ClaudeTerminal> {
  const binary = options.binary ?? (await installClaude()).binary;
  const pty = spawn(binary, ["--ax-screen-reader", ...(options.args ?? [])], {
    cwd: options.cwd ?? sandbox.cwd,
    env: { ...sandbox.env, TERM: "xterm-256color", ...options.env },
    cols: COLUMNS,
    rows: ROWS,
    name: "xterm-256color",
  });
  return new ClaudeTerminal(pty, options.timeoutMs ?? TIMEOUT_MS);
}

/** Claude Code on a terminal, and a person at it. */
export class ClaudeTerminal implements AsyncDisposable {
  readonly #pty: IPty;
  readonly #timeoutMs: number;
  /** The exit code, once it has ended. */
  readonly #ended: Promise<number>;
  #output = "";
  #seen = 0;
  #hasEnded = false;
  #look = (): void => {};

  constructor(pty: IPty, timeoutMs: number) {
    this.#pty = pty;
    this.#timeoutMs = timeoutMs;
    pty.onData((text) => {
      this.#output += text;
      this.#look();
    });
    this.#ended = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        this.#hasEnded = true;
        this.#look();
        resolve(exitCode);
      });
    });
  }

  /** The id of the process. */
  get pid(): number {
    return this.#pty.pid;
  }

  /** All that was shown so far, as plain text: without colours and movements, one space where there are several. */
  get text(): string {
    return this.#output.replaceAll(TOLD, "").replaceAll(MOVED_RIGHT, " ");
  }

  /** Presses keys: `\r` is Enter, `\u001B` Escape, `\u0003` Ctrl-C. */
  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Types a line, and presses Enter as soon as it is shown: before that, it is not taken. */
  async enter(line: string): Promise<void> {
    this.press(line);
    await this.shows(line);
    this.press("\r");
  }

  /**
   * Waits until a text is shown behind what an earlier call waited for.
   *
   * @throws Error with what was shown, where that does not come in time, or the program ends first
   */
  async shows(wanted: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string): void =>
      reject(new Error(`${JSON.stringify(wanted)} was not shown: ${why}.\n${this.text.slice(-SHOWN)}`));
    this.#look = () => {
      const found = this.text.indexOf(wanted, this.#seen);
      if (found !== -1) {
        this.#seen = found + wanted.length;
        resolve();
      } else if (this.#hasEnded) fail("Claude Code has ended");
    };
    const timer = setTimeout(() => fail(`${this.#timeoutMs} ms are over`), this.#timeoutMs);
    this.#look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#look = () => {};
    }
  }

  /**
   * Waits for its end, which a person has asked for, and gives the exit code.
   *
   * @throws Error where it does not end in time, and was killed
   */
  async ended(): Promise<number> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#pty.kill("SIGKILL");
    }, this.#timeoutMs);
    const code = await this.#ended;
    clearTimeout(timer);
    if (late) throw new Error(`Claude Code did not end within ${this.#timeoutMs} ms.\n${this.text.slice(-SHOWN)}`);
    return code;
  }

  /** Ends it by a signal: the terminal hangs up, if none is named, as when a window is closed. */
  async kill(signal: NodeJS.Signals = "SIGHUP"): Promise<void> {
    this.#pty.kill(signal);
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const force = setTimeout(() => this.#pty.kill("SIGKILL"), GRACE_MS);
    await this.kill("SIGTERM");
    clearTimeout(force);
  }
}
