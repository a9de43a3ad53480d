import { type Static, Type } from "typebox";
import { addressParameter, cwdParameter, originParameter } from "./notes-fields.ts";
import { exactly, oneWordOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `notes_write`. */
export const notesWriteTool = defineTool({
  name: "notes_write",
  description:
    "Write a note that outlives this context window. Reach for it when something is decided, when a command or fact took effort to find, when you were surprised, and before the context is emptied. Replaces the whole body if the note exists; its metadata stay.",
  parameters: exactly({
    address: addressParameter,
    content: Type.String({ description: "The whole body, markdown, kept byte for byte." }),
    origin: originParameter,
    cwd: cwdParameter,
  }),
  success: exactly({
    address: Type.String(),
    project_key: Type.Optional(Type.String()),
    outcome: oneWordOf(["created", "overwritten", "uncrumpled"]),
    bytes: Type.Integer(),
    updated_at: Type.String(),
  }),
});

/** The arguments of `notes_write`. */
export type NotesWriteArguments = Static<typeof notesWriteTool.parameters>;

/** The success of `notes_write`; `bytes` are those of the body. */
export type NotesWriteResult = Static<typeof notesWriteTool.success>;
