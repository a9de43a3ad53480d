import type { Command } from "commander";
import { withExample } from "../example.ts";
import { wholeNumber } from "../option-values.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { ownGlob } from "./identity.ts";

interface ListFlags extends NotesFlags {
  readonly crumpled?: boolean;
  readonly limit?: number;
}

/** `notesoup notes list`. */
export function addList(notes: Command): void {
  const list = notes
    .command("list")
    .description("list notes, the last updated first")
    .argument("[glob]", "which notes; those of the project and the person if absent")
    .option("--crumpled", "list the crumpled notes, and only them")
    .option("--limit <count>", "list at most so many", wholeNumber)
    .action(async (glob: string | undefined, { crumpled, limit, ...flags }: ListFlags) => {
      const { deliver, operations } = await import("./operations.ts");
      deliver(await operations.list({ glob: glob ?? ownGlob(flags), crumpled, limit }, flags), flags);
    });
  withExample(withNotesFlags(list), 'notesoup notes list "@project/**"');
}
