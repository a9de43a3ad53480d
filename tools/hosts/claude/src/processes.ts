import { readdir, readFile } from "node:fs/promises";

/** A process that runs. */
export interface RunningProcess {
  readonly pid: number;
  /** Its command line, the arguments with a blank between them. */
  readonly command: string;
}

/**
 * What runs in a sandbox: every process whose home is the sandbox's, however far it has gone from
 * the host that started it. It needs Linux's `/proc`; elsewhere it finds nothing.
 */
export async function processesIn({ home }: { readonly home: string }): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/u.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [environment, command] = await Promise.all([partsOf(pid, "environ"), partsOf(pid, "cmdline")]);
      // One that has ended and is only not yet asked how has neither.
      return environment.includes(`HOME=${home}`) ? [{ pid: Number(pid), command: command.join(" ") }] : [];
    }),
  );
  return found.flat();
}

/** Nothing where the process has ended meanwhile, or is another user's. */
async function partsOf(pid: string, file: "environ" | "cmdline"): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  return text.split("\0").filter((part) => part !== "");
}

/**
 * Ends processes at once, each by its own id.
 *
 * @throws Error where this process is among them: then others may be that are nobody's to end, and none is ended
 */
export function endProcesses(processes: readonly RunningProcess[]): void {
  if (processes.some(({ pid }) => pid === process.pid))
    throw new Error("The process that tests was taken for one of a sandbox: nothing was ended.");
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
