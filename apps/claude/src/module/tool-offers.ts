import {
  historyListTool,
  historyReadTool,
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  type ToolContract,
} from "@notesoup/protocol";
import type { ToolSpec } from "./host.ts";

// The build puts the value of this into the bundle, and not what makes it: the module has no schemas
// to make, and checks no arguments.

/** The tools that the helper does, as the host offers them to the model. */
export const HELPER_OFFERS: readonly ToolSpec[] = [
  notesWriteTool,
  notesReadTool,
  notesUpdateTool,
  notesListTool,
  notesSearchTool,
  historyListTool,
  historyReadTool,
].map(offerOf);

function offerOf({ name, description, parameters }: ToolContract): ToolSpec {
  // Without what a schema has for its own library: JSON has no place for that.
  return { name, description, inputSchema: JSON.parse(JSON.stringify(parameters)) as object, isDeferred: false };
}
