import { type Static, Type } from "typebox";
import { cwdParameter, NOTE_ORIGINS } from "./notes-fields.ts";
import { omissionFields, queryParameters } from "./notes-query.ts";
import { exactly, oneWordOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `notes_list`. A snapshot: what does not fit is counted in `more`, and a narrower glob finds it. */
export const notesListTool = defineTool({
  name: "notes_list",
  description:
    "List notes, latest change first, without their bodies. Reach for it before a task, and when a session or context window begins, to see what is known already.",
  parameters: exactly({ ...queryParameters, cwd: cwdParameter }),
  success: exactly({
    files: Type.Array(
      exactly({
        address: Type.String(),
        project_key: Type.Optional(Type.String()),
        bytes: Type.Integer(),
        origin: oneWordOf(NOTE_ORIGINS),
        updated_at: Type.String(),
        crumpled_at: Type.Optional(Type.String()),
      }),
    ),
    ...omissionFields,
  }),
});

/** The arguments of `notes_list`. */
export type NotesListArguments = Static<typeof notesListTool.parameters>;

/**
 * The success of `notes_list`: `bytes` are those of the body, `more` counts the notes that were left
 * out, `more_unavailable` what is not named of the unavailable.
 */
export type NotesListResult = Static<typeof notesListTool.success>;
