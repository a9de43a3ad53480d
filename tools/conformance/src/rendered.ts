import {
  renderHistoryList,
  renderHistoryRead,
  renderNotesList,
  renderNotesRead,
  renderNotesSearch,
  renderNotesUpdate,
  renderNotesWrite,
  renderRefusal,
} from "@notesoup/render";
import type { Tool } from "./row.ts";

const RENDERERS: Readonly<Record<Tool, (result: never) => string>> = {
  notes_write: renderNotesWrite,
  notes_read: renderNotesRead,
  notes_update: renderNotesUpdate,
  notes_list: renderNotesList,
  notes_search: renderNotesSearch,
  history_list: renderHistoryList,
  history_read: renderHistoryRead,
};

/** The text that belongs to a structured result. */
export function rendered(tool: Tool, structured: object): string {
  return "error" in structured ? renderRefusal(structured as never) : RENDERERS[tool](structured as never);
}
