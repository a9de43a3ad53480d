import type { ExtensionAPI, ExtensionContext, ToolNamespace } from "@earendil-works/pi-coding-agent";
import { notesReadTool, notesWriteTool } from "@notesoup/protocol";
import { notesRead, notesWrite } from "@notesoup/tools";
import { toolResult } from "../tool-result.ts";
import { liveContext } from "./live-context.ts";
import { callLook, resultLook } from "./look.ts";

/** The group under which Pi and its code mode list the notes tools. */
const NAMESPACE: ToolNamespace = {
  name: "notes",
  description:
    "Notes that outlive the context window: markdown files of this session, project, person, agent and model.",
};

/** Registers the notes tools. Whose notes they are about is read from the live session at each call. */
export function registerNotesTools(pi: ExtensionAPI): void {
  pi.registerTool({
    ...offer(notesWriteTool),
    label: "Write note",
    promptSnippet: "Write a note that outlives this context window",
    promptGuidelines: [
      "Use notes_write for decisions, hard-won facts and commands, and what the next context window must know; say why, not only what.",
    ],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    execute: async (_id, args, _signal, _onUpdate, ctx: ExtensionContext) =>
      toolResult(await notesWrite(liveContext(pi, ctx), args)),
    renderCall: ({ address }, theme) => callLook(notesWriteTool.name, address, theme),
    renderResult: resultLook,
  });
  pi.registerTool({
    ...offer(notesReadTool),
    label: "Read note",
    promptSnippet: "Read a note of this session, project, person, agent or model",
    promptGuidelines: [
      "Use notes_read before work that earlier decisions may bear on; go on at next_offset_chars where a note is cut.",
    ],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    execute: async (_id, args, _signal, _onUpdate, ctx: ExtensionContext) =>
      toolResult(await notesRead(liveContext(pi, ctx), args)),
    renderCall: ({ address }, theme) => callLook(notesReadTool.name, address, theme),
    renderResult: resultLook,
  });
}

/** What the protocol says of a tool, in Pi's names. */
function offer<Contract extends typeof notesWriteTool | typeof notesReadTool>({
  name,
  description,
  parameters,
  result,
}: Contract) {
  return {
    name,
    description,
    parameters: parameters as Contract["parameters"],
    outputSchema: result,
    namespace: NAMESPACE,
  };
}
