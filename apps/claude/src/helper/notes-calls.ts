import { notesListTool, notesReadTool, notesSearchTool, notesUpdateTool, notesWriteTool } from "@notesoup/protocol";
import {
  notesList,
  notesRead,
  notesSearch,
  type NotesToolContext,
  notesToolContext,
  notesUpdate,
  notesWrite,
} from "@notesoup/tools";
import type { NotesTool, SessionFacts } from "../transport/request.ts";
import { type Call, checkedCall } from "./checked-call.ts";
import { notesIdentity } from "./notes-identity.ts";

/** The calls of the notes tools. */
export const NOTES_CALLS: Readonly<Record<NotesTool, Call>> = {
  notes_write: checkedCall(notesWriteTool, contextOf, notesWrite),
  notes_read: checkedCall(notesReadTool, contextOf, notesRead),
  notes_update: checkedCall(notesUpdateTool, contextOf, notesUpdate),
  notes_list: checkedCall(notesListTool, contextOf, notesList),
  notes_search: checkedCall(notesSearchTool, contextOf, notesSearch),
};

function contextOf(session: SessionFacts): NotesToolContext {
  return notesToolContext(notesIdentity(session), session.baseCwd);
}
