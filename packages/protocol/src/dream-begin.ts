import { type Static, Type } from "typebox";
import { exactly, oneOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `dream_begin`: takes the dream's lock, and gives the notes that it is about, page by page. */
export const dreamBeginTool = defineTool({
  name: "dream_begin",
  description:
    "Begin the dream, or get the next page of its notes: one row a note with its size, age, last access, and whether it changed since the last dream. Call it first, then again with after until next_after is null.",
  parameters: exactly({
    scope: Type.Optional(
      Type.String({ description: "Glob of the notes that may be changed; every notebook if absent." }),
    ),
    after: Type.Optional(Type.String({ description: "next_after of the page before." })),
    force: Type.Optional(Type.Boolean({ description: "Begin although little has changed or little time has passed." })),
  }),
  success: exactly({
    run: Type.String(),
    rows: Type.Array(
      exactly({
        address: Type.String(),
        bytes: Type.Integer(),
        updated_at: Type.String(),
        last_accessed: oneOf([Type.String(), Type.Null()]),
        access_count: Type.Integer(),
        age_days: Type.Integer(),
        changed: Type.Boolean(),
      }),
    ),
    next_after: oneOf([Type.String(), Type.Null()]),
    sessions: Type.Integer(),
  }),
});

/** The arguments of `dream_begin`. */
export type DreamBeginArguments = Static<typeof dreamBeginTool.parameters>;

/**
 * The success of `dream_begin`: live notes by address, `bytes` those of the body, `age_days` whole days
 * since the note was updated, `changed` whether that was since the last dream, `sessions` how many
 * were active since then that were no dreams.
 */
export type DreamBeginResult = Static<typeof dreamBeginTool.success>;
