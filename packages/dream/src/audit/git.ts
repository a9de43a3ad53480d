import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { oneLine } from "@notesoup/text";
import { Refused } from "@notesoup/tools";

/** What git says beyond this of a failure is not shown. */
const SAID_MAX_UNITS = 300;

/** Pieces of git's standard input, in order. */
export type GitInput = Iterable<string | Buffer>;

/**
 * The system's git on one repository, which is named to it: it looks for none, so that a repository
 * around the notes home is never meant. No configuration but the repository's own is read, no hook is
 * run, nothing is asked.
 */
export class Git {
  readonly #gitDir: string;
  readonly #env: Record<string, string | undefined>;

  constructor(gitDir: string, env: Readonly<Record<string, string | undefined>>) {
    this.#gitDir = gitDir;
    this.#env = {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("GIT_"))),
      GIT_DIR: gitDir,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_ATTR_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_REPLACE_OBJECTS: "1",
      LC_ALL: "C",
    };
  }

  /**
   * Runs a command to its end.
   *
   * @returns what it printed
   * @throws Refused `audit_unavailable` where git is not there or fails
   */
  run(args: readonly string[], input: GitInput = []): Promise<Buffer> {
    const all = ["-c", `core.hooksPath=${devNull}`, "-c", "gc.auto=0", "-c", "maintenance.auto=false", ...args];
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const child = spawn("git", all, { env: this.#env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const printed: Buffer[] = [];
    let said = "";
    child.stdout.on("data", (piece: Buffer) => printed.push(piece));
    child.stderr.on("data", (piece: Buffer) => {
      if (said.length < SAID_MAX_UNITS) said += piece.toString("utf8");
    });
    child.on("error", (error: NodeJS.ErrnoException) => reject(notStarted(error)));
    child.on("close", (status, signal) => {
      if (status === 0) resolve(Buffer.concat(printed));
      else reject(this.#failed(args[0] ?? "", status ?? signal, said));
    });
    // Where it ends early, its exit tells why.
    pipeline(Readable.from(input), child.stdin).catch(() => undefined);
    return promise;
  }

  #failed(command: string, status: number | string | null, said: string): Refused {
    const shown = oneLine(said.replaceAll(this.#gitDir, ".git").trim().slice(0, SAID_MAX_UNITS));
    return new Refused("audit_unavailable", `git ${command} failed on the audit (${status}): ${shown}`);
  }
}

function notStarted({ code }: NodeJS.ErrnoException): Refused {
  return new Refused(
    "audit_unavailable",
    code === "ENOENT"
      ? "a dream records what it does with git, and git is not installed or not on the PATH; install it"
      : `git cannot be started (${code})`,
  );
}
