import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const SESSION = "01a22d64-b699-720f-bcb7-f9bf943aab73";

/** How each shell is started so that it says when it is ready, and what it reads first. */
const SHELLS = {
  bash: { file: ".bashrc", script: "PS1='ready> '\nsource <(notesoup completion bash)", start: "bash -i" },
  zsh: {
    file: ".zshrc",
    script: "PS1='ready> '\nautoload -Uz compinit; compinit -u\nsource <(notesoup completion zsh)",
    start: "zsh -d -i",
  },
  fish: {
    file: ".config/fish/config.fish",
    script: "function fish_prompt; echo 'ready> '; end\nnotesoup completion fish | source",
    start: "fish -i",
  },
} as const;

let made: Promise<Person> | undefined;

/** Somebody with notes and sessions, for all tests: completing changes nothing. */
function person(): Promise<Person> {
  return (made ??= withMemory());
}

async function withMemory(): Promise<Person> {
  const ana = await newPerson(command.folder());
  await ana.session(SESSION, ["Hello from the session."]);
  await ana.session("01b22d64-b699-720f-bcb7-f9bf943aab73", ["Hello."]);
  await ana.run(`notesoup notes write @project/decisions.md "of the project"
    notesoup notes write "@human/with space.md" "with a space"
    notesoup notes write @self/tricks.md x --agent pi
    notesoup notes write todo.md x --session s1
    notesoup notes write @human/old.md x; notesoup notes crumple @human/old.md`);
  await mkdir(join(ana.project, "empty-folder"));
  // Written once: a shell that starts would read a file that is being written.
  await mkdir(join(ana.home, ".config/fish"), { recursive: true });
  for (const { file, script } of Object.values(SHELLS)) await writeFile(join(ana.home, file), script);
  return ana;
}

describe.concurrent("complete", () => {
  it.each([
    ["no", ["notes"]],
    ["notes re", ["read", "rename"]],
    ["notes list --cru", ["--crumpled"]],
    ["setup ''", ["pi", "claude", "dsh", "help"]],
    ["completion ''", ["bash", "zsh", "fish"]],
    ["com", ["completion"]],
    ["notes read ''", ["@human/with space.md", "@project/decisions.md"]],
    ["notes rename @project/decisions.md @p", ["@project/decisions.md"]],
    ["notes read @sel", []],
    ["notes read --agent pi @sel", ["@self/tricks.md"]],
    ["notes read --agent=pi @sel", ["@self/tricks.md"]],
    ["notes read @agents/", ["@agents/pi/tricks.md"]],
    ["notes read --session s1 to", ["todo.md"]],
    ["notes uncrumple @", ["@human/old.md"]],
    ["notes read --cwd .. @", ["@human/with space.md"]],
    ["notes read --home elsewhere @", []],
    ["notes read --home ''", []],
    ["notes list --agent ''", ["pi"]],
    ["notes list --session ''", ["s1"]],
    ["notes write @human/new.md x --origin u", ["user"]],
    [
      "notes search ''",
      ["--glob", "--crumpled", "--limit", "--json", "--cwd", "--home", "--session", "--agent", "--model", "--help"],
    ],
    ["notes read -- -", []],
    ["history list --from ''", ["newest", "oldest"]],
    ["history list --session pi:01a", [`pi:${SESSION}`]],
    ["history read 01a", [SESSION]],
    ["setup pi --from ''", []],
    ["bogus ''", ["notes", "history", "status", "setup", "completion", "help"]],
  ])("offers for %s: %s", async (words, offered) => {
    const ana = await person();
    const { code, stdout, stderr } = await ana.run(`notesoup complete -- ${words}`);
    expect([code, stderr]).toEqual([0, ""]);
    const found = stdout.split("\n").filter((line) => line !== "");
    expect(found.toSorted()).toEqual([...offered].toSorted());
  });

  it("says nothing into the line that is typed where the notes cannot be read", async () => {
    const ana = await person();
    expect(await ana.run("notesoup complete -- notes read @", { env: { NOTESOUP_HOME: "/dev/null" } })).toMatchObject({
      code: 1,
      stdout: "",
    });
  });
});

describe.concurrent.each(["bash", "zsh", "fish"] as const)("%s", (shell) => {
  const isInstalled = ["/bin", "/usr/bin"].some((folder) => existsSync(join(folder, shell)));

  it.skipIf(!isInstalled).each<[typed: [string, string][], last: string, shown: string]>([
    [
      [
        ["notesoup no", "notes"],
        ["rea", "read"],
        ["@project/d", "decisions.md"],
      ],
      "--body\r",
      "of the project",
    ],
    [[["notesoup notes read @human/w", String.raw`with\ space.md`]], "--body\r", "with a space"],
    [[["notesoup history read pi:01a", SESSION]], "0\r", "Hello from the session."],
    [[["notesoup notes list --home empty-f", "empty-folder"]], "\r", "no notes found"],
  ])("completes what is typed: %j", async (typed, last, shown) => {
    const ana = await person();
    const terminal = ana.terminal(SHELLS[shell].start);
    await terminal.shows("ready> ");
    // What is typed while a shell still completes is lost in some of them.
    for (const [keys, completed] of typed) {
      terminal.press(`${keys}\t`);
      await terminal.shows(completed);
    }
    terminal.press(last);
    await terminal.shows(shown);
    await terminal.shows("ready> ");
    terminal.press("\u0004");
    expect(await terminal.ended).toMatchObject({ code: 0 });
  });
});
