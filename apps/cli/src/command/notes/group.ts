import type { Command } from "commander";
import { addHelp } from "../help.ts";
import { addCrumple, addUncrumple } from "./crumple.ts";
import { addEdit } from "./edit-command.ts";
import { addList } from "./list.ts";
import { addRead } from "./read.ts";
import { addRename } from "./rename.ts";
import { addSearch } from "./search.ts";
import { addUpdate } from "./update.ts";
import { addWrite } from "./write.ts";

const ADDRESSES = `Addresses:
  @project/a.md, @human/a.md             notes of the project around the current folder, and of the person
  @self/a.md, @model/a.md, a.md          notes of --agent, of --model and of --session
  @agents/pi/a.md, @sessions/<id>/a.md   notes of one that is named, to read
Globs select notes: "@project/**", "*.md", "**" for every notebook.`;

/** `notesoup notes`: what agents have written down. */
export function addNotes(program: Command): void {
  const notes = program
    .command("notes")
    .description("what agents have written down: see it, correct it")
    .addHelpText("after", `\n${ADDRESSES}`);
  addList(notes);
  addRead(notes);
  addSearch(notes);
  addWrite(notes);
  addUpdate(notes);
  addEdit(notes);
  addRename(notes);
  addCrumple(notes);
  addUncrumple(notes);
  addHelp(notes, "notesoup notes help update");
}
