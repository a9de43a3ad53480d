import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

// An npm script hands its own flags down in its environment. A nested npm in another folder would
// obey them: `npm test -w x` would look for the workspace x there.
const FLAGS_OF_THE_OUTER_NPM =
  /^npm_config_(workspace|workspaces|include_workspace_root|prefix|local_prefix|omit|include|dry_run|json|global)$/i;

const TIMEOUT_MS = 600_000;

/** Told the number of the process as soon as it runs. */
type OnStart = (pid: number) => Promise<void>;

/**
 * Runs npm in `folder` and keeps its words to itself: the machine's npm may run on a Node that it
 * finds too old for a package, and says so about things that work.
 *
 * @throws Error with all that npm wrote, where it fails
 */
export function runNpm(args: readonly string[], folder: string, onStart?: OnStart): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FLAGS_OF_THE_OUTER_NPM.test(name)));
  const quiet = ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier"];
  return runQuietly("npm", [...args, ...quiet], folder, { env, ...(onStart && { onStart }) });
}

/** Runs a program to its end and shows what it wrote only in the error of a failure. */
export async function runQuietly(
  program: string,
  args: readonly string[],
  folder: string,
  { env = process.env, onStart }: { readonly env?: NodeJS.ProcessEnv; readonly onStart?: OnStart } = {},
): Promise<void> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], timeout: TIMEOUT_MS });
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
    child.pid !== undefined && onStart?.(child.pid),
  ]);
  if (code === 0) return;
  const command = [program, ...args].join(" ");
  throw new Error(`\`${command}\` in ${folder} ended with ${signal ?? code}.\n${stdout}${stderr}`);
}
