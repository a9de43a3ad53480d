import { spawn } from "@lydell/node-pty";

/** What a program is started with on a terminal. */
export interface TerminalOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Characters of a line; 80 if absent. */
  readonly columns?: number;
}

/** How a program on a terminal ended. */
export interface TerminalEnd {
  readonly code: number;
  /** The number of the signal that ended it; 0 where none did. */
  readonly signal: number;
  /** All that it wrote, on either output, with what the terminal itself made of it: CR LF at the end of a line. */
  readonly output: string;
}

/** A program that runs on a terminal of its own. */
export interface Terminal {
  /** Presses keys: `\u0003` is Ctrl-C, `\t` the tabulator. */
  press(keys: string): void;
  /** Waits until the output holds a text behind what an earlier call waited for. It rejects where the program ends before. */
  shows(text: string): Promise<void>;
  /** Waits for the end of the program and of its output. */
  readonly ended: Promise<TerminalEnd>;
}

const ROWS = 40;

/** Starts a program on a terminal: a real one, a pseudo-terminal of the system. */
export function openTerminal(
  program: string,
  args: readonly string[],
  { cwd, env, columns = 80 }: TerminalOptions,
): Terminal {
  const pty = spawn(program, [...args], { cwd, env: { ...env }, cols: columns, rows: ROWS, name: "xterm-256color" });
  let output = "";
  let seen = 0;
  let hasEnded = false;
  let look = (): void => {};
  pty.onData((text) => {
    output += text;
    look();
  });
  const ended = new Promise<TerminalEnd>((resolve) => {
    pty.onExit(({ exitCode, signal = 0 }) => {
      hasEnded = true;
      look();
      resolve({ code: exitCode, signal, output });
    });
  });
  return {
    press: (keys) => pty.write(keys),
    shows: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const found = output.indexOf(text, seen);
          if (found !== -1) {
            seen = found + text.length;
            look = () => {};
            resolve();
          } else if (hasEnded) reject(new Error(`It ended without showing ${JSON.stringify(text)}: ${output}`));
        };
        look();
      }),
    ended,
  };
}
