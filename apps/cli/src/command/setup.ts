import type { Command } from "commander";
import { withExample } from "./example.ts";
import { addHelp } from "./help.ts";
import type { DshSetupFlags } from "./setup-dsh.ts";
import type { SetupFlags } from "./setup-pi.ts";

/** `notesoup setup`: gives a host its memory, with the host's own command. */
export function addSetup(program: Command): void {
  const setup = program.command("setup").description("give a host its memory: its tools, with the host's own command");
  const pi = setup
    .command("pi")
    .description("install the extension for Pi; says what it would do, and does it with --yes")
    .option("--yes", "do it")
    .option("--remove", "take it back; notes and sessions stay")
    .option("--from <package>", "what Pi installs: npm:<package>, or the folder of one", "npm:@notesoup/pi")
    .option("--json", "print the result as JSON, on one line")
    .action(async (flags: SetupFlags) => {
      const { setupPi } = await import("./setup-pi.ts");
      await setupPi(flags);
    });
  withExample(pi, "notesoup setup pi");
  const claude = setup
    .command("claude")
    .description("install the plugin for Claude Code; says what it would do, and does it with --yes")
    .option("--yes", "do it")
    .option("--remove", "take it back; notes and sessions stay")
    .option(
      "--from <package>",
      "what Claude Code installs: npm:<package>, or the folder of one",
      "npm:@notesoup/claude",
    )
    .option("--json", "print the result as JSON, on one line")
    .action(async (flags: SetupFlags) => {
      const { setupClaude } = await import("./setup-claude.ts");
      await setupClaude(flags);
    });
  withExample(claude, "notesoup setup claude");
  addSetupDsh(setup);
  addHelp(setup, "notesoup setup help pi");
}

function addSetupDsh(setup: Command): void {
  const dsh = setup
    .command("dsh")
    .description("add the bundle to a profile of DeepSeek Harness; says what it would do, and does it with --yes")
    .option("--yes", "do it")
    .option("--remove", "take it back; notes and sessions stay")
    .option("--profile <name>", "which profile", "web")
    .option("--from <package>", "what dsh installs: npm:<package>, or a packed one (.tgz)", "npm:@notesoup/dsh")
    .option("--json", "print the result as JSON, on one line")
    .action(async (flags: DshSetupFlags) => {
      const { setupDsh } = await import("./setup-dsh.ts");
      await setupDsh(flags);
    });
  withExample(dsh, "notesoup setup dsh");
}
