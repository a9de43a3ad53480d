import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { openTerminal, type Terminal } from "@notesoup/terminal";

/** How a line in a shell ended, and what it printed. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a line is run with. */
export interface RunOptions {
  /** What comes on standard input; nothing if absent. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a line on a terminal is run with. */
export interface TerminalOptions extends Pick<RunOptions, "env"> {
  /** Characters of a line of the terminal. */
  readonly columns?: number;
}

/** Somebody with a home and a project of their own, who has installed the command. */
export interface Person {
  readonly home: string;
  readonly project: string;
  readonly notes: string;
  /** Runs a line in a shell, in the project. */
  run(line: string, options?: RunOptions): Promise<Ran>;
  /** Starts one. */
  start(line: string, options?: RunOptions): ChildProcessByStdio<Writable, Readable, Readable>;
  /** Opens a terminal, and runs a line in a shell on it. */
  terminal(line: string, options?: TerminalOptions): Terminal;
  /** Puts a program on the PATH. */
  program(name: string, script: string): Promise<string>;
  /** Puts a session of Pi on the disk. */
  session(id: string, prompts: readonly string[]): Promise<string>;
}

/** A person, whose folders lie beside the one in which the command was installed. */
export async function newPerson(installed: string): Promise<Person> {
  const root = await mkdtemp(join(dirname(installed), "person-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  await Promise.all([home, project, bin].map((folder) => mkdir(folder)));
  const path = [bin, join(installed, "node_modules", ".bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":");

  const environment = { HOME: home, PATH: path, TMPDIR: root, LANG: "C.UTF-8", TZ: "UTC" };
  const start: Person["start"] = (line, { env = {} } = {}) =>
    spawn("bash", ["-c", line], {
      cwd: project,
      env: { ...environment, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });

  return {
    home,
    project,
    notes: join(home, ".agents", "notes"),
    start,
    terminal: (line, { env = {}, ...size } = {}) =>
      openTerminal("bash", ["-c", line], { cwd: project, env: { ...environment, ...env }, ...size }),
    async run(line, options = {}) {
      const child = start(line, options);
      // Not every command reads what it is given.
      child.stdin.on("error", () => {});
      child.stdin.end(options.input ?? "");
      const [[code, signal], stdout, stderr] = await Promise.all([
        once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
        buffer(child.stdout),
        buffer(child.stderr),
      ]);
      return { code, signal, stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") };
    },
    async program(name, script) {
      const file = join(bin, name);
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
      return file;
    },
    async session(id, prompts) {
      const folder = join(home, ".pi", "agent", "sessions", "--project--");
      await mkdir(folder, { recursive: true });
      const file = join(folder, `2026-11-30T12-00-00-000Z_${id}.jsonl`);
      await writeFile(file, sessionOf(id, prompts));
      return file;
    },
  };
}

function sessionOf(id: string, prompts: readonly string[]): string {
  const timestamp = "2026-11-30T12:00:00.000Z";
  const records = [
    { type: "session", version: 3, id, timestamp, cwd: "/project" },
    ...prompts.map((prompt, index) => ({
      type: "message",
      id: `m${index}`,
      parentId: index === 0 ? null : `m${index - 1}`,
      timestamp,
      message: { role: "user", content: [{ type: "text", text: prompt }], timestamp: Date.parse(timestamp) },
    })),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** What a note's file holds below its frontmatter. */
export async function bodyOf(file: string): Promise<string> {
  return (await readFile(file, "utf8")).replace(/^---\n[^]*?\n---\n/u, "");
}
