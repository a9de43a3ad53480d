import type { BootTools } from "@notesoup/boot";
import type { ResetToolNames } from "@notesoup/budget";
import {
  historyListTool,
  historyReadTool,
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
} from "@notesoup/protocol";

/** Says how many tokens are left. */
export const REMAINING_TOOL = "get_context_remaining";
/** Empties the window. */
export const EMPTY_BRAIN_TOOL = "empty_brain";

/** The tools of which a boot speaks. */
export const BOOT_TOOLS: BootTools = {
  notesRead: notesReadTool.name,
  notesWrite: notesWriteTool.name,
  notesUpdate: notesUpdateTool.name,
  notesList: notesListTool.name,
  notesSearch: notesSearchTool.name,
  historyList: historyListTool.name,
  historyRead: historyReadTool.name,
  remaining: REMAINING_TOOL,
  emptyBrain: EMPTY_BRAIN_TOOL,
};

/** The tools of which reminders speak. */
export const RESET_TOOLS: ResetToolNames = {
  emptyBrain: EMPTY_BRAIN_TOOL,
  remaining: REMAINING_TOOL,
  write: notesWriteTool.name,
  update: notesUpdateTool.name,
};
