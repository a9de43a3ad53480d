import {
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  type ToolContract,
} from "@notesoup/protocol";
import { renderNotesRead } from "@notesoup/render";
import {
  type Answer,
  notesList,
  notesRead,
  notesSearch,
  type NotesToolContext,
  notesToolContext,
  notesUpdate,
  notesWrite,
} from "@notesoup/tools";
import type { Static, TObject } from "typebox";
import { deliver } from "../answer.ts";
import { checked } from "../checked.ts";
import { wholeText } from "./whole-text.ts";
import type { NotesFlags } from "./flags.ts";
import { identityOf } from "./identity.ts";

// What the commands of notes work with. It is loaded when one of them runs.

type Given = Readonly<Record<string, unknown>>;

function operation<Parameters extends TObject, Result>(
  tool: ToolContract<Parameters>,
  run: (context: NotesToolContext, args: Static<Parameters>) => Promise<Answer<Result>>,
): (given: Given, flags: NotesFlags) => Promise<Answer<Result>> {
  return async (given, flags) =>
    run(notesToolContext(identityOf(flags), process.cwd()), checked(tool, { ...given, cwd: flags.cwd }));
}

/** The operations, each with its arguments as the wire has them and with the flags. */
export const operations = {
  list: operation(notesListTool, notesList),
  read: operation(notesReadTool, notesRead),
  search: operation(notesSearchTool, notesSearch),
  update: operation(notesUpdateTool, notesUpdate),
  write: operation(notesWriteTool, notesWrite),
};

/** A note to its end. */
export function readWhole(address: string, flags: NotesFlags): ReturnType<typeof operations.read> {
  return wholeText(
    (offset) => operations.read({ address, offset_chars: offset }, flags),
    renderNotesRead,
    (a, b) => a.metadata.updated_at === b.metadata.updated_at,
  );
}

export { deliver };
