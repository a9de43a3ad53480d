import type {
  HistoryListResult,
  HistoryReadResult,
  NotesListResult,
  NotesReadResult,
  NotesSearchResult,
  NotesUpdateResult,
  NotesWriteResult,
} from "@notesoup/protocol";
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
import type { HelperAnswer } from "../transport/answer.ts";
import type { HelperTool } from "../transport/request.ts";

/** What each tool's success is written with. The two sides of the transport are of one build: what comes is what was sent. */
const RENDERERS: Readonly<Record<HelperTool, (data: unknown) => string>> = {
  notes_write: (data) => renderNotesWrite(data as NotesWriteResult),
  notes_read: (data) => renderNotesRead(data as NotesReadResult),
  notes_update: (data) => renderNotesUpdate(data as NotesUpdateResult),
  notes_list: (data) => renderNotesList(data as NotesListResult),
  notes_search: (data) => renderNotesSearch(data as NotesSearchResult),
  history_list: (data) => renderHistoryList(data as HistoryListResult),
  history_read: (data) => renderHistoryRead(data as HistoryReadResult),
};

/** The text of an answer, and whether it is that of an error. */
export function toolText(tool: HelperTool, answer: HelperAnswer): { readonly text: string; readonly isError: boolean } {
  switch (answer.kind) {
    case "outcome": {
      const { outcome } = answer;
      if (outcome.ok) return { text: RENDERERS[tool](outcome.data), isError: false };
      return { text: renderRefusal({ code: outcome.error.code, error: outcome.error.message }), isError: true };
    }
    case "failure":
      return { text: answer.line, isError: true };
    case "boot":
      throw new Error("a call of a tool was answered with a boot");
  }
}
