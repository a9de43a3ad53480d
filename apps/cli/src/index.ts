// The curated core: notes, what an agent knows at the begin of a window, the operations with their
// contexts, and the words of the budget. What else a host needs is in the packages themselves.
export { notebookLoader, renderBoot, takeBootSnapshot } from "@notesoup/boot";
export type { BootRequest, BootSnapshot, BootTools, NotebookLoader, RenderBootOptions } from "@notesoup/boot";
export { closeOutText, formatTokens, lastWordText, preResetHint, reminderText } from "@notesoup/budget";
export type { CloseOut, Notice, ResetHint, ResetToolNames } from "@notesoup/budget";
export { createNotesStore, NoteError, projectKey, slugify } from "@notesoup/notes";
export type { NoteErrorCode, NoteMeta, NoteOrigin, NotesIdentity, NotesStore } from "@notesoup/notes";
export { resultOf } from "@notesoup/protocol";
export type { Outcome, Refusal, RefusalCode, Result } from "@notesoup/protocol";
export {
  historyList,
  historyRead,
  historyToolContext,
  notebookSessionId,
  notesList,
  notesRead,
  notesSearch,
  notesToolContext,
  notesUpdate,
  notesWrite,
} from "@notesoup/tools";
export type { Answer, Decorate, HistoryToolContext, NotesToolContext, UpdateAnswer } from "@notesoup/tools";
