import type { ExtensionAPI, ToolAnnotations, ToolNamespace } from "@earendil-works/pi-coding-agent";
import {
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  type ToolContract,
} from "@notesoup/protocol";
import {
  notesList,
  notesRead,
  notesSearch,
  type NotesToolContext,
  notesUpdate,
  notesWrite,
  type UpdateAnswer,
} from "@notesoup/tools";
import type { Answer } from "@notesoup/tools";
import type { Static, TObject } from "typebox";
import { toolResult } from "../tool-result.ts";
import { liveContext } from "./live-context.ts";
import { callLook, resultLook } from "./look.ts";

/** The group under which Pi and its code mode list the notes tools. */
const NAMESPACE: ToolNamespace = {
  name: "notes",
  description:
    "Notes that outlive the context window: markdown files of this session, project, person, agent and model.",
};

/** What Pi is told of a tool beside its contract, and how it is done. */
interface Offer<Parameters extends TObject> {
  readonly contract: ToolContract<Parameters>;
  /** The tool's name on the screen. */
  readonly label: string;
  /** One line in the system prompt's list of tools. */
  readonly snippet: string;
  /** When to reach for it, a bullet in the system prompt. */
  readonly guideline: string;
  readonly annotations: ToolAnnotations;
  readonly operation: (context: NotesToolContext, args: Static<Parameters>) => Promise<Answer<object> | UpdateAnswer>;
  /** What a call is about, as the screen shows it beside the tool's name. A model may still be writing it. */
  readonly subject: (args: Partial<Static<Parameters>>) => unknown;
}

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Registers the notes tools. Whose notes they are about is read from the live session at each call. */
export function registerNotesTools(pi: ExtensionAPI): void {
  register(pi, {
    contract: notesWriteTool,
    label: "Write note",
    snippet: "Write a note that outlives this context window",
    guideline:
      "Use notes_write for decisions, hard-won facts and commands, and what the next context window must know; say why, not only what.",
    annotations: { ...CHANGES, idempotentHint: true },
    operation: notesWrite,
    subject: ({ address }) => address,
  });
  register(pi, {
    contract: notesReadTool,
    label: "Read note",
    snippet: "Read a note of this session, project, person, agent or model",
    guideline:
      "Use notes_read before work that earlier decisions may bear on; go on at next_offset_chars where a note is cut.",
    annotations: READS,
    operation: notesRead,
    subject: ({ address }) => address,
  });
  register(pi, {
    contract: notesUpdateTool,
    label: "Update note",
    snippet: "Edit, move or set aside a note",
    guideline:
      "Use notes_update as soon as a note proves wrong or out of date; crumple what is spent, it can be brought back.",
    annotations: CHANGES,
    operation: notesUpdate,
    subject: ({ address, rename_to }) => (rename_to === undefined ? address : `${address} → ${rename_to}`),
  });
  register(pi, {
    contract: notesListTool,
    label: "List notes",
    snippet: "List notes by glob, the last changed first",
    guideline: "Use notes_list when a session begins, to see what is known already.",
    annotations: READS,
    operation: notesList,
    subject: ({ glob = "@default" }) => glob,
  });
  register(pi, {
    contract: notesSearchTool,
    label: "Search notes",
    snippet: "Search the text of notes",
    guideline: "Use notes_search when a past decision, name or error comes up, before you ask or work it out again.",
    annotations: READS,
    operation: notesSearch,
    subject: ({ query = "", glob }) => `${[query].flat().join(" | ")}${glob === undefined ? "" : ` in ${glob}`}`,
  });
}

function register<Parameters extends TObject>(pi: ExtensionAPI, offer: Offer<Parameters>): void {
  const { name, description, parameters, result } = offer.contract;
  pi.registerTool({
    name,
    description,
    parameters,
    outputSchema: result,
    namespace: NAMESPACE,
    label: offer.label,
    promptSnippet: offer.snippet,
    promptGuidelines: [offer.guideline],
    annotations: offer.annotations,
    execute: async (_id, args, _signal, _onUpdate, ctx) =>
      toolResult(await offer.operation(liveContext(pi, ctx), args)),
    renderCall: (args, theme) => callLook(name, offer.subject(args), theme),
    renderResult: resultLook,
  });
}
