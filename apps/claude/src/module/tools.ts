import { formatTokens, remainingTokens } from "@notesoup/budget";
import { HISTORY_TOOLS, type HelperTool, NOTES_TOOLS } from "../transport/request.ts";
import { REMAINING_TOOL, TOOL_PREFIX } from "../transport/tool-names.ts";
import { ask } from "./helper-link.ts";
import type { AppendedRow, Host, Next, On, ToolAnswer, ToolCall, ToolSpec } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { sessionFacts } from "./session-facts.ts";
import { HELPER_OFFERS } from "./tool-offers.ts";
import { toolText } from "./tool-text.ts";
import { measure } from "./usage.ts";

const REMAINING_OFFER: ToolSpec = {
  name: REMAINING_TOOL,
  description:
    "How many tokens are left in this context window before it is emptied; unknown where nobody knows. Ask before a long task, and when you wonder whether to write notes now.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  isDeferred: false,
};

/** Calls whose result is an error, until their row is kept. */
const refused = new Set<string>();

/** Registers the tools with the host, for the model to see from the first request on. */
export async function offerTools($: Host): Promise<void> {
  for (const offer of [...HELPER_OFFERS, REMAINING_OFFER]) await $.tool.register(offer);
}

/** Answers the calls of the tools. */
export function answerTools(on: On, settings: PluginSettings): void {
  // Notes are the agent's own: where nobody has forbidden it, it need not ask a person for each.
  on("tool.check", { tool: new RegExp(`^${TOOL_PREFIX}`, "u") }, async (_$, event, next) => {
    const verdict = await next(event);
    return verdict.decision === "deny" ? verdict : { decision: "allow" };
  }).catch(() => ({ decision: "deny" }));
  for (const tool of [...NOTES_TOOLS, ...HISTORY_TOOLS]) {
    on("tool.run", { tool: `${TOOL_PREFIX}${tool}` }, ($, call) => runInHelper($, tool, call, settings)).catch(failed);
  }
  on("tool.run", { tool: `${TOOL_PREFIX}${REMAINING_TOOL}` }, ($, call) => tellRemaining($, call)).catch(failed);
  on("session.append", { door: "tool-result" }, (_$, row, next) => next(withErrorMarks(row)));
}

/** A hook that has thrown would leave a call without an answer. */
function failed(_$: Host, _call: ToolCall, next: Next<ToolCall, ToolAnswer>): ToolAnswer {
  return { deny: `error: internal: ${next.error?.message ?? "the plugin has failed"}` };
}

async function runInHelper($: Host, tool: HelperTool, call: ToolCall, settings: PluginSettings): Promise<ToolAnswer> {
  const session = await sessionFacts($, settings);
  const answer = await ask($, { kind: "call", tool, args: argumentsOf(call), session });
  const { text, isError } = toolText(tool, answer);
  return isError ? refuse(call, text) : { result: text };
}

/** It stands outside the result protocol: where nobody knows, it says so. */
async function tellRemaining($: Host, call: ToolCall): Promise<ToolAnswer> {
  const [extra] = Object.keys(argumentsOf(call));
  if (extra !== undefined)
    return refuse(call, `error: invalid_arguments: ${REMAINING_TOOL}: no parameter is named ${JSON.stringify(extra)}`);
  const left = remainingTokens(await measure($));
  return { result: left === null ? "unknown" : `${formatTokens(left)} tokens left` };
}

/** What the host puts beside the arguments of a call. */
const HOST_FIELDS = ["tool", "tool_use_id", "agentId", "requestMeta", "consent", "$shadowed"];

/** What the model gave. What it has named as the host names things of its own arrives apart. */
function argumentsOf(call: ToolCall): object {
  const given = Object.entries(call).filter(([name]) => !HOST_FIELDS.includes(name));
  const { $shadowed: shadowed } = call;
  return { ...Object.fromEntries(given), ...(typeof shadowed === "object" ? shadowed : {}) };
}

/** The host keeps a result without its mark of an error: the row is given it when it is kept. */
function refuse({ tool_use_id: id }: ToolCall, text: string): ToolAnswer {
  refused.add(id);
  return { result: text, isError: true };
}

function withErrorMarks(row: AppendedRow): AppendedRow {
  const { content } = row.message;
  if (!content.some(({ tool_use_id: id }) => id !== undefined && refused.has(id))) return row;
  const marked = content.map((block) =>
    block.tool_use_id !== undefined && refused.delete(block.tool_use_id) ? { ...block, is_error: true } : block,
  );
  return { ...row, message: { ...row.message, content: marked } };
}
