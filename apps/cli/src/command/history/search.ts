import type { Command } from "commander";
import { withExample } from "../example.ts";
import { eventArguments, type EventFlags, withEventFlags } from "./flags.ts";

/** `notesoup history search`. */
export function addSearch(history: Command): void {
  const search = history
    .command("search")
    .description("find the events that hold one of some texts, in all sessions; case does not count")
    .argument("<text...>", "what to search for, literally")
    .action(async (query: readonly string[], flags: EventFlags) => {
      const { deliver, list } = await import("./operations.ts");
      deliver(await list({ ...eventArguments(flags), query }), flags);
    });
  withExample(withEventFlags(search), 'notesoup history search "flaky test" --role user --role assistant');
}
