import type { Command } from "commander";
import { withExample } from "../example.ts";
import { uninterrupted } from "../interrupt.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";

/** `notesoup notes crumple`. */
export function addCrumple(notes: Command): void {
  addState(notes, "crumple", "set a note aside: lists and searches leave it out, and it can be brought back", true);
}

/** `notesoup notes uncrumple`. */
export function addUncrumple(notes: Command): void {
  addState(notes, "uncrumple", "bring a crumpled note back", false);
}

function addState(notes: Command, name: string, description: string, crumpled: boolean): void {
  const command = notes
    .command(name)
    .description(description)
    .argument("<address>", "the note")
    .action(async (address: string, flags: NotesFlags) => {
      requireOwner(address, flags);
      const { deliver, operations } = await import("./operations.ts");
      await uninterrupted(async () => deliver(await operations.update({ address, crumpled }, flags), flags));
    });
  withExample(withNotesFlags(command), `notesoup notes ${name} @project/decisions.md`);
}
