import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Refusal } from "@notesoup/ide-registry";

/** A match, as ripgrep tells of it. Offsets count bytes, a byte order mark included. */
export interface RipgrepMatch {
  /** The path as it was found, from the folder that was searched. */
  readonly path: string;
  readonly start: number;
  readonly bytes: Buffer;
}

/** What a search of files came to. */
export interface RipgrepResult {
  readonly matches: readonly RipgrepMatch[];
  /** Whether the end was reached, and every file could be read. */
  readonly complete: boolean;
}

interface RipgrepRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly maxMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Where the program lies. @throws Refusal `engine_missing` */
async function programPath(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch (cause) {
    throw new Refusal("engine_missing", "ripgrep is not installed for this platform", "install @vscode/ripgrep", {
      cause,
    });
  }
}

/** Settings that hold for every run: no configuration of the user's, bytes as they are, CRLF as one line end. */
const ALWAYS = ["--no-config", "--no-messages", "--encoding", "none", "--crlf"] as const;

/**
 * Searches files. Time is linear in their size.
 *
 * @throws Refusal `engine_missing`, `syntax_error`, `cancelled`
 */
export async function ripgrepMatches(
  args: readonly string[],
  options: Omit<RipgrepRequest, "args"> & { readonly maxMatches: number },
): Promise<RipgrepResult> {
  const matches: RipgrepMatch[] = [];
  let isFull = false;
  const end = await run({ ...options, args: [...ALWAYS, "--json", ...args] }, (line) => {
    const found = matchesOf(line);
    if (matches.length + found.length > options.maxMatches) isFull = true;
    matches.push(...found.slice(0, options.maxMatches - matches.length));
    return !isFull;
  });
  return { matches, complete: end.complete && !isFull };
}

/** The files of a folder, as a search would look at them. */
export async function ripgrepFiles(
  args: readonly string[],
  options: Omit<RipgrepRequest, "args"> & { readonly maxFiles: number },
): Promise<{ readonly files: readonly string[]; readonly complete: boolean }> {
  const files: string[] = [];
  const end = await run({ ...options, args: ["--no-config", "--no-messages", "--files", ...args] }, (line) => {
    if (files.length === options.maxFiles) return false;
    files.push(line);
    return true;
  });
  return { files, complete: end.complete };
}

/** Runs ripgrep line by line, as long as `take` wants more. */
async function run(
  { args, cwd, maxMs, signal }: RipgrepRequest,
  take: (line: string) => boolean,
): Promise<{ readonly complete: boolean }> {
  const program = await programPath();
  requireWanted(signal);
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(stop, maxMs);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, 2_000);
    });
    const ended = endOf(child);
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (!isStopped && !take(line)) stop();
    }
    const code = await ended;
    requireWanted(signal);
    if (!isStopped && code === 2 && /regex parse error|error parsing glob|invalid|unrecognized/u.test(complaint)) {
      const reason = complaint.trim().split("\n").at(-1) ?? "";
      throw new Refusal(
        "syntax_error",
        `the pattern is not understood: ${reason.slice(0, 200)}`,
        "correct it, or search for literal text",
      );
    }
    return { complete: !isStopped && code !== 2 };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new Refusal("engine_missing", "ripgrep cannot be run", "install @vscode/ripgrep anew", { cause })),
    );
    child.once("close", resolve);
  });
}

function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Refusal("cancelled", "the search was cancelled", "search again");
}

/** Text, or, where it is not UTF-8, its bytes. */
interface Data {
  readonly text?: string;
  readonly bytes?: string;
}

interface Message {
  readonly type: string;
  readonly data: {
    readonly path: Data;
    readonly absolute_offset: number;
    readonly submatches: readonly { readonly match: Data; readonly start: number }[];
  };
}

function matchesOf(line: string): readonly RipgrepMatch[] {
  const { type, data } = JSON.parse(line) as Message;
  // A path that is not UTF-8 cannot be named by any later call.
  if (type !== "match" || data.path.text === undefined) return [];
  const path = data.path.text;
  return data.submatches.map(({ match, start }) => ({
    path,
    start: data.absolute_offset + start,
    bytes: bytesOf(match),
  }));
}

function bytesOf({ text, bytes }: Data): Buffer {
  return text === undefined ? Buffer.from(bytes ?? "", "base64") : Buffer.from(text);
}
