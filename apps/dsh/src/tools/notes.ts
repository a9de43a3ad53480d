import { isAbsolute } from "node:path";
import type { Agent } from "@deepseek-ai/dsh-agent";
import type { ToolDefinition } from "@deepseek-ai/dsh-tools";
import { notesListTool, notesReadTool, notesSearchTool, notesUpdateTool, notesWriteTool } from "@notesoup/protocol";
import {
  renderNotesList,
  renderNotesRead,
  renderNotesSearch,
  renderNotesUpdate,
  renderNotesWrite,
} from "@notesoup/render";
import {
  notesList,
  notesRead,
  notesSearch,
  notesToolContext,
  type NotesToolContext,
  notesUpdate,
  notesWrite,
} from "@notesoup/tools";
import { cwdOf, identityOf } from "../identity.ts";
import type { DshSettings } from "../settings.ts";
import { toolDefinition } from "./offer.ts";
import { NotesoupRefusal } from "./refusal.ts";

/** The notes tools. Whose notes they are about is read from the live session at each call. */
export function notesTools(settings: DshSettings): readonly ToolDefinition[] {
  const contextOf = (agent: Agent, { cwd }: { cwd?: string }): NotesToolContext => contextIn(agent, settings, cwd);
  return [
    toolDefinition({
      contract: notesWriteTool,
      contextOf,
      operation: notesWrite,
      render: renderNotesWrite,
      kind: "edit",
      subject: ({ address }) => address,
    }),
    toolDefinition({
      contract: notesReadTool,
      contextOf,
      operation: notesRead,
      render: renderNotesRead,
      kind: "read",
      subject: ({ address }) => address,
    }),
    toolDefinition({
      contract: notesUpdateTool,
      contextOf,
      operation: notesUpdate,
      render: renderNotesUpdate,
      kind: "edit",
      subject: ({ address, rename_to }) => (rename_to === undefined ? address : `${address} → ${rename_to}`),
    }),
    toolDefinition({
      contract: notesListTool,
      contextOf,
      operation: notesList,
      render: renderNotesList,
      kind: "search",
      subject: ({ glob = "@default" }) => glob,
    }),
    toolDefinition({
      contract: notesSearchTool,
      contextOf,
      operation: notesSearch,
      render: renderNotesSearch,
      kind: "search",
      subject: ({ query = "", glob }) => `${[query].flat().join(" | ")}${glob === undefined ? "" : ` in ${glob}`}`,
    }),
  ];
}

/**
 * A session without a folder has no project that could be meant, and nothing that a relative `cwd`
 * could begin with: there, a call has to name a folder itself.
 *
 * @throws NotesoupRefusal `invalid_cwd`
 */
function contextIn(agent: Agent, settings: DshSettings, given: string | undefined): NotesToolContext {
  const base = cwdOf(agent) ?? (given !== undefined && isAbsolute(given) ? given : undefined);
  if (base === undefined)
    throw new NotesoupRefusal(
      "invalid_cwd",
      "row notesoup: this session has no working directory; name an absolute cwd in the call, or start the session in a folder",
    );
  return notesToolContext(identityOf(agent, settings, base), base);
}
