import type { ExtensionAPI, ExtensionContext, ToolAnnotations, ToolNamespace } from "@earendil-works/pi-coding-agent";
import type { ToolContract } from "@notesoup/protocol";
import type { Answer, UpdateAnswer } from "@notesoup/tools";
import type { Static, TObject } from "typebox";
import { callLook, resultLook } from "./look.ts";
import { toolResult } from "./tool-result.ts";

/** Tools that are offered together, and what they have from the live session. */
export interface ToolGroup<Context> {
  /** How Pi and its code mode list them. */
  readonly namespace: ToolNamespace;
  /** Reads the live session, at each call, before anything is awaited. */
  readonly contextOf: (pi: ExtensionAPI, ctx: ExtensionContext) => Context;
}

/** What Pi is told of a tool beside its contract, and how it is done. */
export interface ToolOffer<Context, Parameters extends TObject> {
  readonly contract: ToolContract<Parameters>;
  /** The tool's name on the screen. */
  readonly label: string;
  /** One line in the system prompt's list of tools. */
  readonly snippet: string;
  /** When to reach for it, a bullet in the system prompt. */
  readonly guideline: string;
  readonly annotations: ToolAnnotations;
  readonly operation: (context: Context, args: Static<Parameters>) => Promise<Answer<object> | UpdateAnswer>;
  /** What a call is about, as the screen shows it beside the tool's name. A model may still be writing it. */
  readonly subject: (args: Partial<Static<Parameters>>) => unknown;
}

/** The annotations of a tool that changes nothing. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The annotations of a tool that changes something. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Registers a tool of a group. */
export function registerTool<Context, Parameters extends TObject>(
  pi: ExtensionAPI,
  { namespace, contextOf }: ToolGroup<Context>,
  offer: ToolOffer<Context, Parameters>,
): void {
  const { name, description, parameters, result } = offer.contract;
  pi.registerTool({
    name,
    description,
    parameters,
    outputSchema: result,
    namespace,
    label: offer.label,
    promptSnippet: offer.snippet,
    promptGuidelines: [offer.guideline],
    annotations: offer.annotations,
    execute: async (_id, args, _signal, _onUpdate, ctx) => toolResult(await offer.operation(contextOf(pi, ctx), args)),
    renderCall: (args, theme) => callLook(name, offer.subject(args), theme),
    renderResult: resultLook,
  });
}
