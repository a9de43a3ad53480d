import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { notesListTool, notesReadTool, notesSearchTool, notesUpdateTool, notesWriteTool } from "@notesoup/protocol";
import { notesList, notesRead, notesSearch, type NotesToolContext, notesUpdate, notesWrite } from "@notesoup/tools";
import { CHANGES, READS, registerTool, type ToolGroup } from "../tool-offer.ts";
import { liveContext } from "./live-context.ts";

const NOTES: ToolGroup<NotesToolContext> = {
  namespace: {
    name: "notes",
    description:
      "Notes that outlive the context window: markdown files of this session, project, person, agent and model.",
  },
  contextOf: liveContext,
};

/** Registers the notes tools. Whose notes they are about is read from the live session at each call. */
export function registerNotesTools(pi: ExtensionAPI): void {
  registerTool(pi, NOTES, {
    contract: notesWriteTool,
    label: "Write note",
    snippet: "Write a note that outlives this context window",
    guideline:
      "Use notes_write for decisions, hard-won facts and commands, and what the next context window must know; say why, not only what.",
    annotations: { ...CHANGES, idempotentHint: true },
    operation: notesWrite,
    subject: ({ address }) => address,
  });
  registerTool(pi, NOTES, {
    contract: notesReadTool,
    label: "Read note",
    snippet: "Read a note of this session, project, person, agent or model",
    guideline:
      "Use notes_read before work that earlier decisions may bear on; go on at next_offset_chars where a note is cut.",
    annotations: READS,
    operation: notesRead,
    subject: ({ address }) => address,
  });
  registerTool(pi, NOTES, {
    contract: notesUpdateTool,
    label: "Update note",
    snippet: "Edit, move or set aside a note",
    guideline:
      "Use notes_update as soon as a note proves wrong or out of date; crumple what is spent, it can be brought back.",
    annotations: CHANGES,
    operation: notesUpdate,
    subject: ({ address, rename_to }) => (rename_to === undefined ? address : `${address} → ${rename_to}`),
  });
  registerTool(pi, NOTES, {
    contract: notesListTool,
    label: "List notes",
    snippet: "List notes by glob, the last changed first",
    guideline: "Use notes_list when a session begins, to see what is known already.",
    annotations: READS,
    operation: notesList,
    subject: ({ glob = "@default" }) => glob,
  });
  registerTool(pi, NOTES, {
    contract: notesSearchTool,
    label: "Search notes",
    snippet: "Search the text of notes",
    guideline: "Use notes_search when a past decision, name or error comes up, before you ask or work it out again.",
    annotations: READS,
    operation: notesSearch,
    subject: ({ query = "", glob }) => `${[query].flat().join(" | ")}${glob === undefined ? "" : ` in ${glob}`}`,
  });
}
