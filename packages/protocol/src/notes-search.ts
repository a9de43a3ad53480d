import { type Static, Type } from "typebox";
import { cwdParameter } from "./notes-fields.ts";
import { omissionFields, queryParameters } from "./notes-query.ts";
import { exactly, oneOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `notes_search`. A snapshot, as `notes_list` is. */
export const notesSearchTool = defineTool({
  name: "notes_search",
  description:
    "Find the lines of notes that hold a text. Reach for it before a task, when a past decision, agreement or name is mentioned, and when an error surprises you: before you ask the user or work it out again. Go on with notes_read at offset_chars.",
  parameters: exactly({
    query: Type.Optional(
      oneOf([Type.String(), Type.Array(Type.String())], {
        description: "Literal text, case ignored; a list: any of them. Absent: only which notes there are.",
      }),
    ),
    ...queryParameters,
    cwd: cwdParameter,
  }),
  success: exactly({
    files: Type.Array(
      exactly({
        address: Type.String(),
        project_key: Type.Optional(Type.String()),
        matches: Type.Array(exactly({ line: Type.Integer(), offset_chars: Type.Integer(), text: Type.String() })),
        more_matches: Type.Optional(Type.Integer()),
      }),
    ),
    ...omissionFields,
  }),
});

/** The arguments of `notes_search`. */
export type NotesSearchArguments = Static<typeof notesSearchTool.parameters>;

/**
 * The success of `notes_search`: a match is a line, counted from one, with the position of its first
 * hit in the body; `more_matches` counts the lines of a note that were left out, `more` the notes.
 */
export type NotesSearchResult = Static<typeof notesSearchTool.success>;
