import type { Command } from "commander";
import { withExample } from "../example.ts";
import { wholeNumber } from "../option-values.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { ownGlob } from "./identity.ts";

interface SearchFlags extends NotesFlags {
  readonly glob?: string;
  readonly crumpled?: boolean;
  readonly limit?: number;
}

/** `notesoup notes search`. */
export function addSearch(notes: Command): void {
  const search = notes
    .command("search")
    .description("find the lines of notes that hold one of some texts; case does not count")
    .argument("<text...>", "what to search for, literally")
    .option("--glob <glob>", "in which notes; those of the project and the person if absent")
    .option("--crumpled", "search the crumpled notes, and only them")
    .option("--limit <count>", "find at most so many notes", wholeNumber)
    .action(async (query: readonly string[], { glob, crumpled, limit, ...flags }: SearchFlags) => {
      const { deliver, operations } = await import("./operations.ts");
      deliver(await operations.search({ query, glob: glob ?? ownGlob(flags), crumpled, limit }, flags), flags);
    });
  withExample(withNotesFlags(search), 'notesoup notes search markdown --glob "**"');
}
