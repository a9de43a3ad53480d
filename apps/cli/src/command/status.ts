import type { Command } from "commander";
import { withExample } from "./example.ts";
import type { StatusFlags } from "./status-report.ts";

/** `notesoup status`. */
export function addStatus(program: Command): void {
  const status = program
    .command("status")
    .description("say where the notes lie, how many there are, which sessions were found, and versions")
    .option("--json", "print the result as JSON, on one line")
    .option("--cwd <folder>", "whose project @project/ is; the current folder if absent")
    .option("--home <folder>", "where the notes lie; $NOTESOUP_HOME or ~/.agents/notes if absent")
    .action(async (flags: StatusFlags) => {
      const { printStatus } = await import("./status-report.ts");
      await printStatus(flags);
    });
  withExample(status, "notesoup status");
}
