import type { Command } from "commander";
import { withExample } from "../example.ts";
import { eventArguments, type EventFlags, withEventFlags } from "./flags.ts";

/** `notesoup history list`. */
export function addList(history: Command): void {
  const list = history
    .command("list")
    .description("list the events of a session; without --session, an event of each that tells what it is about")
    .action(async (flags: EventFlags) => {
      const { deliver, list: listEvents } = await import("./operations.ts");
      deliver(await listEvents(eventArguments(flags)), flags);
    });
  withExample(withEventFlags(list), 'notesoup history list --session "pi:*" --since 2026-01-31');
}
