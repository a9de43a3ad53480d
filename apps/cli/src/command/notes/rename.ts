import type { Command } from "commander";
import { withExample } from "../example.ts";
import { uninterrupted } from "../interrupt.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";

/** `notesoup notes rename`. */
export function addRename(notes: Command): void {
  const rename = notes
    .command("rename")
    .description("move a note to another address, where no note is")
    .argument("<from>", "the note")
    .argument("<to>", "its new address")
    .action(async (from: string, to: string, flags: NotesFlags) => {
      requireOwner(from, flags);
      requireOwner(to, flags);
      const { deliver, operations } = await import("./operations.ts");
      await uninterrupted(async () => deliver(await operations.update({ address: from, rename_to: to }, flags), flags));
    });
  withExample(withNotesFlags(rename), "notesoup notes rename @project/decisions.md @project/decisions/format.md");
}
