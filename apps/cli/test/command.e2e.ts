import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { exampleOf } from "../src/command/example.ts";
import { createProgram } from "../src/command/program.ts";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const person = (): Promise<Person> => newPerson(command.folder());

/** A command by the words that call it. */
interface Called {
  readonly words: string;
  readonly command: Command;
}

function commandsBelow(parent: Command, words: string): Called[] {
  return parent.commands.flatMap((each) => {
    const called = { words: `${words} ${each.name()}`, command: each };
    return [called, ...commandsBelow(each, called.words)];
  });
}

const all: readonly Called[] = [
  { words: "notesoup", command: createProgram() },
  ...commandsBelow(createProgram(), "notesoup"),
];
const withExamples = all.flatMap(({ words, command: each }) => {
  const example = exampleOf(each);
  return example === undefined ? [] : [[words, example] as const];
});

describe.concurrent("help", () => {
  it("is there for every command, with an example for each that does something", async () => {
    const ana = await person();
    const shown = await Promise.all(all.map(({ words }) => ana.run(`${words} --help`)));
    for (const [index, { code, stdout, stderr }] of shown.entries()) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Usage: ${all[index]?.words}`);
    }
    const doing = all.filter(({ command: each }) => each.commands.length === 0).map(({ words }) => words);
    expect(withExamples.map(([words]) => words)).toEqual(expect.arrayContaining(doing));
  });

  it.each(withExamples)("%s: its example runs as it stands: %s", async (words, example) => {
    const ana = await person();
    for (const program of ["pi", "claude", "dsh", "pnpm"]) await ana.program(program, "exit 1");
    await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", ["Fix the flaky test."]);
    await ana.run('notesoup notes write @project/decisions.md "Notes are plain markdown files."');
    expect((await ana.run(`${words} --help`)).stdout).toContain(`\nExample:\n  ${example}\n`);
    expect(await ana.run(example)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe.concurrent("the command", () => {
  it("says in an empty home what to do next, and later what there is", async () => {
    const ana = await person();
    const first = await ana.run("notesoup");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("notesoup setup pi");
    await ana.run("notesoup notes write @human/a.md x");
    expect((await ana.run("notesoup")).stdout).toContain("There is 1 note in");
  });

  it("tells its version", async () => {
    const ana = await person();
    expect((await ana.run("notesoup --version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it("status: tells home, notebooks, sessions and versions", async () => {
    const ana = await person();
    await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", ["Hello."]);
    await ana.run("notesoup notes write @human/a.md four");
    await ana.run("notesoup notes write todo.md 123 --session s1");
    await ana.run("notesoup notes crumple @human/a.md");
    const { stdout } = await ana.run("notesoup status");
    expect(stdout).toContain(`home: ${ana.notes}\n`);
    expect(stdout).toContain(
      "  @human/ · 0 notes · 1 crumpled · 4 bytes\n  @sessions/*/ · 1 note · 3 bytes · 1 session\n",
    );
    expect(stdout).toMatch(/ {2}pi · 1 session · last active \S+\n {2}claude · not found\n/u);
    const json = JSON.parse((await ana.run("notesoup status --json")).stdout) as object;
    expect(json).toMatchObject({
      home: ana.notes,
      notebooks: [
        { notebook: "@human", notes: 0, crumpled: 1, bytes: 4 },
        { notebook: "@sessions/s1", notes: 1, crumpled: 0, bytes: 3 },
      ],
      unavailable: 0,
      harnesses: [{ harness: "pi", found: true, sessions: 1 }, { harness: "claude" }, { harness: "dsh" }],
      versions: { node: process.versions.node },
    });
  });

  it("status: tells the versions of the hosts on the PATH, whatever their programs do", async () => {
    const ana = await person();
    await ana.program("pi", "echo 1.6.0");
    await ana.program("claude", 'echo "2.1.332 (Claude Code)"; cat; exec 1>&- 2>&-; exit 3');
    await ana.program("dsh", "kill -9 $$");
    const { code, stdout, stderr } = await ana.run("notesoup status");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /\nversions:\n {2}notesoup \S+\n {2}node \S+\n {2}pi 1\.6\.0\n {2}claude 2\.1\.332\n {2}dsh unknown\n$/u,
    );
  });

  it("status: refuses a folder that is none", async () => {
    const ana = await person();
    expect(await ana.run("notesoup status --cwd nowhere")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: 'error: invalid_cwd: --cwd "nowhere" is not an existing folder; give one, or leave it out\n',
    });
  });

  it.each(["notesoup help", "notesoup help notes", "notesoup notes help list", "notesoup help history search"])(
    "%s is the help of what it names",
    async (line) => {
      const ana = await person();
      const { code, stdout, stderr } = await ana.run(line);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toBe((await ana.run(`${line.replace(" help", "")} --help`)).stdout);
    },
  );

  it.each([
    ["notesoup nots", "unknown command 'nots' (Did you mean notes?)"],
    ["notesoup notes serach x", "unknown command 'serach' (Did you mean search?)"],
    ["notesoup help nots", "unknown command 'nots' (Did you mean notes?)"],
    ["notesoup help notes lst", "unknown command 'lst' (Did you mean list?)"],
    ["notesoup help notes list all", "list has no commands, and so no all"],
    ["notesoup notes delete @human/a.md", "unknown command 'delete'; notesoup notes help lists them"],
    ["notesoup notes search -x", "unknown option '-x'; a text that begins with - goes behind --"],
    ["notesoup notes list --jsn", "unknown option '--jsn' (Did you mean --json?)"],
    ["notesoup notes list a b", "too many arguments for 'list'. Expected 1 argument but got 2"],
    ["notesoup notes read", "missing required argument 'address'"],
    ["notesoup notes list --limit 1.5", "Give a whole number."],
    ["notesoup notes write @human/a.md x --origin me", "Allowed choices are self, user, external."],
    ["notesoup notes update @human/a.md --old x", "give them in pairs"],
    ["notesoup notes update @human/a.md --old - --new -", "standard input can be read once"],
    ["notesoup history list --role nobody", 'must be one of "user", "assistant", "tool", "context"'],
    ["notesoup history sessions --limit 0", "give at least 1"],
    ["notesoup completion tcsh", "Allowed choices are bash, zsh, fish."],
  ])("%s is wrong use: %s", async (line, message) => {
    const ana = await person();
    const { code, stdout, stderr } = await ana.run(line);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: invalid_arguments: [^\n]*\n$/u);
    expect(stderr).toContain(message);
  });

  it("a group of commands without one is wrong use, and tells which there are", async () => {
    const ana = await person();
    const { code, stdout, stderr } = await ana.run("notesoup notes");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Usage: notesoup notes");
  });

  it("prints no colours into a pipe", async () => {
    const ana = await person();
    const [help, refusal] = [await ana.run("notesoup --help"), await ana.run("notesoup notes read @human/a.md")];
    expect(`${help.stdout}${refusal.stderr}`).not.toContain("\u001B");
  });
});
