import { type Static, Type } from "typebox";
import { exactly } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `dream_end`: what a dream may delete is deleted, and what it did is recorded. */
export const dreamEndTool = defineTool({
  name: "dream_end",
  description: "End the dream with a report for the person. Call it last: nothing can be changed afterwards.",
  parameters: exactly({
    run: Type.String({ description: "The run, as dream_begin named it." }),
    report: Type.String({ description: "What was done and why, and what was left open; markdown." }),
  }),
  success: exactly({
    run: Type.String(),
    changed: Type.Integer(),
    crumpled: Type.Integer(),
    purged: Type.Integer(),
    left_open: Type.Integer(),
    report_address: Type.String(),
  }),
});

/** The arguments of `dream_end`. */
export type DreamEndArguments = Static<typeof dreamEndTool.parameters>;

/**
 * The success of `dream_end`, counted from the audit: notes that were made, edited or moved, notes that
 * were crumpled, notes that were deleted by the rule, and notes that had changed since the last dream
 * and that this one neither read nor changed.
 */
export type DreamEndResult = Static<typeof dreamEndTool.success>;
