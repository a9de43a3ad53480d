import { type Static, Type } from "typebox";
import { addressParameter, cwdParameter, NoteMetadataSchema } from "./notes-fields.ts";
import { exactly, oneOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `notes_read`. Positions count code points of the body. */
export const notesReadTool = defineTool({
  name: "notes_read",
  description:
    "Read a note. Reach for it before a task that earlier work may bear on, and when a past decision is mentioned. A long note comes in parts: go on at next_offset_chars.",
  parameters: exactly({
    address: addressParameter,
    offset_chars: Type.Optional(Type.Integer({ description: "First character to deliver; negative: a tail." })),
    limit_chars: Type.Optional(Type.Integer({ description: "Most characters to deliver, at least 1." })),
    cwd: cwdParameter,
  }),
  success: exactly({
    address: Type.String(),
    project_key: Type.Optional(Type.String()),
    metadata: NoteMetadataSchema,
    text: Type.String(),
    total_chars: Type.Integer(),
    next_offset_chars: oneOf([Type.Integer(), Type.Null()]),
  }),
});

/** The arguments of `notes_read`. */
export type NotesReadArguments = Static<typeof notesReadTool.parameters>;

/** The success of `notes_read`. */
export type NotesReadResult = Static<typeof notesReadTool.success>;
