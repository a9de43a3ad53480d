import type { Agent } from "@deepseek-ai/dsh-agent";
import type { ToolDefinition } from "@deepseek-ai/dsh-tools";
import { EMPTY_BRAIN_TOOL } from "../tool-names.ts";
import { agentOf, finalizeContent } from "./offer.ts";
import { NotesoupRefusal } from "./refusal.ts";

const DONE = "The window is emptied before your next step; the next one begins with your notes.";

/**
 * The tool with which the model empties its own window, once all calls beside it are done. Not for
 * scripts: it ends the context of the turn, which a script cannot foresee. It stands outside the
 * result protocol.
 *
 * @param ask asks for the reset; what it answers keeps it from being done
 */
export function emptyBrainTool(ask: (agent: Agent) => string | undefined): ToolDefinition {
  return {
    name: EMPTY_BRAIN_TOOL,
    description:
      "Empty your context window once the calls beside this one are done, and go on in a new one that begins with your notes. Write down what must survive first: the rest is only in history. Reach for it when a piece of work is done, and when you are reminded that little is left.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    output: {
      schema: { type: "string" },
      render: () => [{ type: "text", text: DONE }],
    },
    execute(_args, exec) {
      if (exec.parent !== undefined)
        throw new NotesoupRefusal("not_for_scripts", `${EMPTY_BRAIN_TOOL} is not for scripts; call it by itself`);
      const refusal = ask(agentOf(exec));
      if (refusal !== undefined) throw new NotesoupRefusal("no_reset", refusal);
      return Promise.resolve(DONE);
    },
    finalizeContent,
    presentCall: () => ({ card: "generic", title: EMPTY_BRAIN_TOOL, kind: "other" }),
  };
}
