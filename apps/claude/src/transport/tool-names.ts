import type { HelperTool } from "./request.ts";

/** Says how many tokens are left: answered by the module itself. */
export const REMAINING_TOOL = "get_context_remaining";

/** What the host puts before the name of a tool of the plugin. */
export const TOOL_PREFIX = "mcp__notesoup__";

/** A tool's name as the model knows it. */
export function toolName(tool: HelperTool | typeof REMAINING_TOOL): string {
  return `${TOOL_PREFIX}${tool}`;
}
