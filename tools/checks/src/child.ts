import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

/** What a child process came to. */
export interface ChildResult {
  /** Its exit status; 1 where a signal ended it. */
  readonly status: number;
  /** Its standard output and standard error, in the order of their arrival. */
  readonly output: string;
  /** Its standard output alone. */
  readonly stdout: string;
}

/**
 * Runs a program to its end, without a terminal and without what npm and Vitest tell their own
 * children: a check has to give the same answer wherever it is started from.
 *
 * @param workspaceRoot whose installed programs come first on the PATH
 */
export async function runChild(
  workspaceRoot: string,
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ChildResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !isOfARunner(name));
  const path = [dirname(process.execPath), join(workspaceRoot, "node_modules", ".bin"), process.env["PATH"] ?? ""];
  const child = spawn(command, args, {
    cwd: options.cwd ?? workspaceRoot,
    env: {
      ...Object.fromEntries(inherited),
      PATH: path.join(delimiter),
      NO_COLOR: "1",
      NX_DAEMON: "false",
      NX_TUI: "false",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });

  let output = "";
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, output, stdout }));
  });
}

/** Settings of npm that a person may have made stay: which registry, which cache, which file of settings. */
function isOfARunner(name: string): boolean {
  if (/^npm_config_(registry|cache|userconfig)$/i.test(name)) return false;
  return /^(npm_|VITEST|NX_|TEST$|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|INIT_CWD$)/i.test(name);
}
