import { type Command, Option } from "commander";
import { withExample } from "../example.ts";
import { wholeNumber } from "../option-values.ts";
import type { SessionsFlags } from "./sessions.ts";

/** `notesoup history sessions`. */
export function addSessions(history: Command): void {
  const sessions = history
    .command("sessions")
    .description("list all sessions that were found, the last active first")
    .addOption(new Option("--harness <harness>", "only those of one harness").choices(["pi", "claude", "dsh"]))
    .option("--since <time>", "only those that were active from then on: an ISO 8601 time, or a date")
    .option("--until <time>", "only those that were last active before then")
    .option("--limit <count>", "list at most so many", wholeNumber)
    .option("--names", "print their names alone, which --session takes")
    .option("--json", "print the result as JSON, on one line")
    .action(async (flags: SessionsFlags) => {
      const { printSessions } = await import("./sessions.ts");
      await printSessions(flags);
    });
  withExample(sessions, "notesoup history sessions --harness pi --since 2026-01-31 --limit 5");
}
