import type { Command } from "commander";
import { withExample } from "./example.ts";
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
}
