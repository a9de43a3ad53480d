import { execFile } from "node:child_process";
import { onPath } from "./on-path.ts";

/** The programs of the hosts, by the names that a shell knows. */
const PROGRAMS = ["pi", "claude", "dsh"] as const;

/** Ends a program that does not answer: another one may have the name of a host. */
const DEADLINE_MS = 5000;

/** The version of each host that is on the PATH; `unknown` where it does not tell one. */
export async function hostVersions(path: string | undefined): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(
    PROGRAMS.map(async (program) => {
      const file = await onPath(program, path);
      return file === undefined ? [] : [[program, await versionOf(file)] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

async function versionOf(file: string): Promise<string> {
  const said = await new Promise<string>((resolve) => {
    const options = { timeout: DEADLINE_MS, killSignal: "SIGKILL" } as const;
    const child = execFile(file, ["--version"], options, (_failure, stdout) => resolve(stdout));
    child.stdin?.end();
  });
  return /\d+\.\d+\.\d+(?:-[\w.-]+)?/u.exec(said)?.[0] ?? "unknown";
}
