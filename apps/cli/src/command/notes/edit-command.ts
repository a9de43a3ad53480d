import type { Command } from "commander";
import { withExample } from "../example.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";

/** `notesoup notes edit`. */
export function addEdit(notes: Command): void {
  const edit = notes
    .command("edit")
    .description("open a note in $VISUAL or $EDITOR, and write it when the editor ends")
    .argument("<address>", "the note; it is made if it does not exist")
    .action(async (address: string, flags: NotesFlags) => {
      requireOwner(address, flags);
      const { editNote } = await import("./edit.ts");
      await editNote(address, flags);
    });
  withExample(withNotesFlags(edit), "EDITOR=true notesoup notes edit @project/decisions.md");
}
