import { describe, expect, it } from "vitest";
import { completionScript } from "../src/command/completion.ts";
import { createProgram } from "../src/command/program.ts";

const program = createProgram();

describe("completionScript", () => {
  it.each(["bash", "zsh", "fish"] as const)("%s: knows every command and its options", (shell) => {
    const script = completionScript(program, shell);
    for (const word of ["uncrumple", "--replace-all", "sessions", "--harness", "setup", "--remove", "status"])
      expect(script).toContain(word);
  });

  it("zsh: is a function of compsys", () => {
    expect(completionScript(program, "zsh")).toMatch(/^#compdef notesoup\n/u);
  });

  it("fish: offers the commands of a group until one of them is there", () => {
    expect(completionScript(program, "fish")).toContain(
      "-n '__fish_seen_subcommand_from history; and not __fish_seen_subcommand_from sessions list search read'",
    );
  });
});
