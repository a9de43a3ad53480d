import {
  checkArguments,
  dreamBeginTool,
  dreamEndTool,
  historyListTool,
  historyReadTool,
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  type ToolContract,
} from "@notesoup/protocol";
import {
  type Answer,
  historyList,
  historyRead,
  type HistoryToolContext,
  notesList,
  notesRead,
  notesSearch,
  notesUpdate,
  notesWrite,
} from "@notesoup/tools";
import type { Dream } from "./dream.ts";

/** A tool of a dream, as a host offers it. */
export interface DreamTool {
  /** Name, words and schemas. */
  readonly contract: ToolContract;
  /** Calls it. Arguments that are none of the contract's are answered with one line, as `checkArguments` says it. */
  call(args: unknown): Promise<{ readonly text: string; readonly answer?: Answer<unknown> }>;
}

/**
 * Every tool that exists in a dream, and no other: `dream_*`, `notes_*`, and `history_*` where there is
 * a history (the jail). A host offers its model these alone.
 */
export function dreamTools(dream: Dream, history: HistoryToolContext | undefined): readonly DreamTool[] {
  const { context } = dream;
  return [
    toolOf(
      dreamBeginTool,
      (given) => checkArguments(dreamBeginTool, given),
      (args) => dream.begin(args),
    ),
    toolOf(
      notesListTool,
      (given) => checkArguments(notesListTool, given),
      (args) => notesList(context, args),
    ),
    toolOf(
      notesSearchTool,
      (given) => checkArguments(notesSearchTool, given),
      (args) => notesSearch(context, args),
    ),
    toolOf(
      notesReadTool,
      (given) => checkArguments(notesReadTool, given),
      (args) => notesRead(context, args),
    ),
    toolOf(
      notesUpdateTool,
      (given) => checkArguments(notesUpdateTool, given),
      (args) => notesUpdate(context, args),
    ),
    toolOf(
      notesWriteTool,
      (given) => checkArguments(notesWriteTool, given),
      (args) => notesWrite(context, args),
    ),
    ...(history === undefined
      ? []
      : [
          toolOf(
            historyListTool,
            (given) => checkArguments(historyListTool, given),
            (args) => historyList(history, args),
          ),
          toolOf(
            historyReadTool,
            (given) => checkArguments(historyReadTool, given),
            (args) => historyRead(history, args),
          ),
        ]),
    toolOf(
      dreamEndTool,
      (given) => checkArguments(dreamEndTool, given),
      (args) => dream.end(args),
    ),
  ];
}

/** What checking a call's arguments comes to. */
type Checked<Args> = { readonly ok: true; readonly args: Args } | { readonly ok: false; readonly message: string };

function toolOf<Args>(
  contract: ToolContract,
  check: (args: unknown) => Checked<Args>,
  operation: (args: Args) => Promise<Answer<unknown>>,
): DreamTool {
  return {
    contract,
    async call(args) {
      const checked = check(args);
      if (!checked.ok) return { text: checked.message };
      const answer = await operation(checked.args);
      return { text: answer.text, answer };
    },
  };
}
