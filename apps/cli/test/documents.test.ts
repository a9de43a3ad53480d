import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/command/program.ts";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));
const isRepository = existsSync(join(WORKSPACE, ".git"));

/** Every call of the command in a text: in a block that is to be typed, at a prompt or not, and between backticks. */
function callsIn(text: string): readonly string[] {
  const blocks = Array.from(text.matchAll(/```(?:sh|console)\n(.*?)```/gsu), ([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n"));
  const spans = Array.from(text.replaceAll(/```.*?```/gsu, "").matchAll(/`([^`\n]+)`/gu), ([, span = ""]) => span);
  return [...lines, ...spans].flatMap(
    (line) => /^(?:\$ )?(?:npx )?notesoup(?: [^#\n]*|$)/u.exec(line)?.[0].trim() ?? [],
  );
}

/** The words of a call: quotes hold words together, and what a placeholder stands for is a word. */
function wordsOf(call: string): readonly string[] {
  const words: readonly string[] = call.match(/"[^"]*"|'[^']*'|\S+/gu) ?? [];
  return words.slice(words.indexOf("notesoup") + 1).map((word) => word.replaceAll(/^["']|["']$/gu, ""));
}

/** What is wrong with a call; `undefined` where each of its words is known. It is not carried out. */
async function faultOf(call: string): Promise<string | undefined> {
  const program = createProgram();
  const said: string[] = [];
  disarm(program, said);
  try {
    await program.parseAsync(wordsOf(call), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A document may leave out what a reader fills in.
    const isKnown = /^commander\.(?:missing|help|version)/u.test(error.code);
    return isKnown ? undefined : error.message;
  }
  return undefined;
}

function disarm(command: Command, said: string[]): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: (text) => void said.push(text) });
  if (command.commands.length === 0) command.action(() => {});
  for (const each of command.commands) disarm(each, said);
}

const documents = isRepository
  ? execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
      cwd: WORKSPACE,
      encoding: "utf8",
    })
      .split("\n")
      .filter((path) => path !== "" && !path.startsWith(".changeset/") && existsSync(join(WORKSPACE, path)))
  : [];

describe.skipIf(!isRepository)("documents", () => {
  it("call the command as it can be called", async () => {
    const faults: string[] = [];
    for (const path of documents)
      for (const call of callsIn(readFileSync(join(WORKSPACE, path), "utf8"))) {
        const fault = await faultOf(call);
        if (fault !== undefined) faults.push(`${path}: ${call}: ${fault}`);
      }
    expect(faults).toEqual([]);
  });

  it("would fail on a command, an option or a value that is not there", async () => {
    expect(callsIn("`notesoup notes lst`\n```console\n$ notesoup status --jsn # why\nx\n```\n")).toEqual([
      "$ notesoup status --jsn",
      "notesoup notes lst",
    ]);
    expect(await faultOf("notesoup notes lst")).toContain("unknown command 'lst'");
    expect(await faultOf("$ notesoup status --jsn")).toContain("unknown option '--jsn'");
    expect(await faultOf('notesoup notes write @project/a.md "- x" --origin me')).toContain("is invalid");
  });
});

it("the README has a row for each command, and for no other", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const section = readme.slice(readme.indexOf("## The command"), readme.indexOf("Each has `--help`"));
  const told = Array.from(section.matchAll(/^\| (?<cell>[^|]*) \|/gmu), ({ groups }) => groups?.["cell"] ?? "")
    .flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/gu), ([, span = ""]) => span.replace(/ [[<-].*$/u, "")))
    .filter((words) => !["zsh", "fish"].includes(words))
    .map((words) => words.replace("completion bash", "completion"));
  const leaves = (command: Command, words: string): string[] =>
    command.commands.length === 0
      ? [words.trim()]
      : command
          .createHelp()
          .visibleCommands(command)
          .flatMap((each) => leaves(each, `${words} ${each.name()}`));
  const real = leaves(createProgram(), "").filter((words) => !words.endsWith("help"));
  expect(told.toSorted()).toEqual(real.toSorted());
});
