import { execFile } from "node:child_process";

/** A saved file, for who processes it. */
export interface PostEditFile {
  /** The absolute path. */
  readonly path: string;
  /** The path relative to the worktree, with slashes. */
  readonly relative: string;
}

/** What one processing came to. */
export interface PostEditOutcome {
  /** What ran, as a receipt names it. */
  readonly name: string;
  /** Why it failed; the saved edit stays. */
  readonly failure?: string;
}

/** Processes files after they were saved, with formatters above all. */
export interface PostEdit {
  /** Runs all that applies to a file, one after another. Does not throw. */
  run(file: PostEditFile, root: string, signal?: AbortSignal): Promise<readonly PostEditOutcome[]>;
}

/** A formatter. */
export interface Formatter {
  /** Whether it applies to a file, by the path relative to the worktree. */
  readonly matches: (relative: string) => boolean;
  /** The program and its arguments. `{file}` stands for the file's path, which is the last argument where it stands nowhere. */
  readonly command: readonly string[];
}

/** How long a formatter may take, in milliseconds. */
const MAX_MS = 10_000;

/** Runs formatters in the worktree, without a shell, each for ten seconds at the most. */
export function runFormatters(
  formatters: readonly Formatter[],
  { maxMs = MAX_MS }: { readonly maxMs?: number } = {},
): PostEdit {
  return {
    async run({ path, relative }, root, signal) {
      const outcomes: PostEditOutcome[] = [];
      for (const { matches, command } of formatters) {
        if (matches(relative)) outcomes.push(await runOne(command, { path, root, maxMs, signal }));
      }
      return outcomes;
    },
  };
}

function runOne(
  command: readonly string[],
  { path, root, maxMs, signal }: { path: string; root: string; maxMs: number; signal: AbortSignal | undefined },
): Promise<PostEditOutcome> {
  const [program = "", ...rest] = command;
  const args = rest.includes("{file}")
    ? rest.map((argument) => (argument === "{file}" ? path : argument))
    : [...rest, path];
  const name = [program, ...rest].join(" ").slice(0, 60);
  const options = {
    cwd: root,
    timeout: maxMs,
    killSignal: "SIGKILL",
    ...(signal === undefined ? {} : { signal }),
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error) => {
      if (error === null) resolve({ name });
      else if (signal?.aborted === true) resolve({ name, failure: "cancelled" });
      else if (error.killed === true) resolve({ name, failure: `took longer than ${maxMs} ms` });
      else if (typeof error.code === "number") resolve({ name, failure: `ended with ${error.code}` });
      else resolve({ name, failure: `could not be run (${error.code ?? "unknown"})` });
    });
  });
}
