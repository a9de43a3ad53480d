export { OUTPUT_BUDGET_BYTES } from "./budget.ts";
export { checkArguments } from "./check-arguments.ts";
export type { CheckedArguments } from "./check-arguments.ts";
export { dreamBeginTool } from "./dream-begin.ts";
export type { DreamBeginArguments, DreamBeginResult } from "./dream-begin.ts";
export { dreamEndTool } from "./dream-end.ts";
export type { DreamEndArguments, DreamEndResult } from "./dream-end.ts";
export { HISTORY_ROLES } from "./history-fields.ts";
export type { HistoryDamage, HistoryEvent, HistoryRole, HistoryToolStatus } from "./history-fields.ts";
export { historyListTool } from "./history-list.ts";
export type { HistoryListArguments, HistoryListResult } from "./history-list.ts";
export { historyReadTool } from "./history-read.ts";
export type { HistoryReadArguments, HistoryReadResult } from "./history-read.ts";
export type {
  HistoryEventRow,
  HistoryExpand,
  HistoryFoldedRow,
  HistoryItem,
  HistoryNeighborhood,
  HistoryPage,
} from "./history-rows.ts";
export { notesListTool } from "./notes-list.ts";
export type { NotesListArguments, NotesListResult } from "./notes-list.ts";
export { notesReadTool } from "./notes-read.ts";
export type { NotesReadArguments, NotesReadResult } from "./notes-read.ts";
export { notesSearchTool } from "./notes-search.ts";
export type { NotesSearchArguments, NotesSearchResult } from "./notes-search.ts";
export { notesUpdateTool } from "./notes-update.ts";
export type { NotesUpdateArguments, NotesUpdateResult } from "./notes-update.ts";
export { notesWriteTool } from "./notes-write.ts";
export type { NotesWriteArguments, NotesWriteResult } from "./notes-write.ts";
export { resultOf } from "./outcome.ts";
export type { Outcome, Result } from "./outcome.ts";
export { REFUSAL_CODES, RefusalSchema } from "./refusal.ts";
export type { Refusal, RefusalCode } from "./refusal.ts";
export type { ToolContract } from "./tool-contract.ts";
