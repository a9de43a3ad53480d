export { renderDreamBegin, renderDreamEnd } from "./dream.ts";
export { renderHistoryList } from "./history-list.ts";
export { renderHistoryRead } from "./history-read.ts";
export { renderNotesList } from "./notes-list.ts";
export { renderNotesRead } from "./notes-read.ts";
export { renderNotesSearch } from "./notes-search.ts";
export { renderNotesUpdate } from "./notes-update.ts";
export { renderNotesWrite } from "./notes-write.ts";
export { renderRefusal } from "./refusal.ts";
