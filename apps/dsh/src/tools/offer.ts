import type { Agent } from "@deepseek-ai/dsh-agent";
import type { JsonSchemaNode, ToolDefinition, ToolRunContext } from "@deepseek-ai/dsh-tools";
import { checkArguments, type Refusal, type ToolContract } from "@notesoup/protocol";
import { renderRefusal } from "@notesoup/render";
import { oneLine } from "@notesoup/text";
import type { Answer, UpdateAnswer } from "@notesoup/tools";
import type { Static, TObject } from "typebox";
import { NotesoupRefusal } from "./refusal.ts";

/** What the host is told of a tool beside its contract, and how it is done. */
export interface ToolOffer<Context, Parameters extends TObject, Success extends TObject> {
  readonly contract: ToolContract<Parameters, Success>;
  /** Reads the live session, at each call, before anything is awaited. */
  readonly contextOf: (agent: Agent, args: Static<Parameters>) => Context;
  readonly operation: (context: Context, args: Static<Parameters>) => Promise<Answer<object> | UpdateAnswer>;
  readonly render: (result: Static<Success>) => string;
  /** What a call does, as a screen shows it. */
  readonly kind: "read" | "edit" | "search";
  /** What a call is about, as a screen shows it. A model may have written anything. */
  readonly subject: (args: Partial<Static<Parameters>>) => unknown;
}

/**
 * A tool as the host registers it. A success is its structured result, which a script gets as it is,
 * and a model as the text of it. A refusal of a native call is thrown, so that the host marks it as
 * an error and keeps its code; a script gets it as `{ error, code }`.
 */
export function toolDefinition<Context, Parameters extends TObject, Success extends TObject>(
  offer: ToolOffer<Context, Parameters, Success>,
): ToolDefinition {
  const { contract, operation, contextOf, render, kind, subject } = offer;
  const { name, description } = contract;
  return {
    name,
    description,
    parameters: plainSchema(contract.parameters) as ToolDefinition["parameters"],
    output: {
      schema: plainSchema(contract.result),
      render: (_args, value) => [
        { type: "text", text: isRefusal(value) ? renderRefusal(value) : render(value as Static<Success>) },
      ],
    },
    isConcurrencySafe: () => kind !== "edit",
    async execute(args, exec) {
      const checked = checkArguments(contract, args);
      if (!checked.ok) throw invalidArguments(checked.message);
      const agent = agentOf(exec);
      try {
        const { outcome } = await operation(contextOf(agent, checked.args), checked.args);
        if (outcome.ok) return outcome.data;
        throw new NotesoupRefusal(outcome.error.code, outcome.error.message);
      } catch (error) {
        if (error instanceof NotesoupRefusal && exec.parent !== undefined)
          return { error: error.message, code: error.code };
        throw error;
      }
    },
    finalizeContent,
    presentCall: (args) => ({ card: "generic", title: titleOf(name, subject, args), kind }),
  };
}

/** The text of a refusal, for a native call, in place of the host's own. */
export const finalizeContent: NonNullable<ToolDefinition["finalizeContent"]> = (_exec, result) => {
  if (!result.isError || result.error.info?.name !== NotesoupRefusal.name) return undefined;
  const { message, info } = result.error;
  return [{ type: "text", text: renderRefusal({ code: info.code, error: message }) }];
};

/** @throws NotesoupRefusal `no_session` */
export function agentOf({ agent }: ToolRunContext): Agent {
  if (agent === undefined)
    throw new NotesoupRefusal(
      "no_session",
      "row notesoup: this call belongs to no session, whose notes and history it could mean; call it from one",
    );
  return agent;
}

/** A schema as plain data: the host takes nothing else, and knows no further words than ours. */
function plainSchema(schema: object): JsonSchemaNode {
  return JSON.parse(JSON.stringify(schema)) as JsonSchemaNode;
}

const INVALID = "error: invalid_arguments: ";

function invalidArguments(line: string): NotesoupRefusal {
  return new NotesoupRefusal("invalid_arguments", line.startsWith(INVALID) ? line.slice(INVALID.length) : line);
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "error" in value;
}

/** Arguments are shown while a model is writing them: they may be anything. */
function titleOf(name: string, subject: (args: never) => unknown, args: unknown): string {
  const about = typeof args === "object" && args !== null ? subject(args as never) : undefined;
  return typeof about === "string" && about !== "" ? `${name} ${oneLine(about)}` : name;
}
