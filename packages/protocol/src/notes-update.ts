import { type Static, Type } from "typebox";
import { addressParameter, cwdParameter, NOTE_ORIGINS } from "./notes-fields.ts";
import { exactly, oneWordOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `notes_update`. Everything is checked before anything changes: all of a call is done, or nothing. */
export const notesUpdateTool = defineTool({
  name: "notes_update",
  description:
    "Change a note in place: replace text in it, move it, or crumple it. Reach for it as soon as a note proves wrong or out of date, when a surprise adds to it, and before the context is emptied. All of a call happens, or none.",
  parameters: exactly({
    address: addressParameter,
    edits: Type.Optional(
      Type.Array(
        exactly({
          old_text: Type.String({ description: "Literal text, in the body once." }),
          new_text: Type.String(),
        }),
        { description: "Replacements, in order, each in what the one before it left." },
      ),
    ),
    replace_all: Type.Optional(Type.Boolean({ description: "Replace every match of each old_text." })),
    origin: Type.Optional(oneWordOf(NOTE_ORIGINS, { description: "Who the content comes from; kept if absent." })),
    crumpled: Type.Optional(Type.Boolean({ description: "true sets the note aside, false brings it back." })),
    rename_to: Type.Optional(Type.String({ description: "Address to move it to, where no live note is." })),
    cwd: cwdParameter,
  }),
  success: exactly({
    address: Type.String(),
    project_key: Type.Optional(Type.String()),
    applied: Type.Integer(),
    change: oneWordOf(["body", "metadata", "none"]),
    crumpled: Type.Boolean(),
    rename_from: Type.Optional(Type.String()),
    replaced_crumpled_target: Type.Optional(Type.Literal(true)),
    updated_at: Type.String(),
  }),
});

/** The arguments of `notes_update`. */
export type NotesUpdateArguments = Static<typeof notesUpdateTool.parameters>;

/**
 * The success of `notes_update`: `address` is the destination of a move and `rename_from` its
 * source, `applied` counts replacements, `crumpled` is the state afterwards.
 */
export type NotesUpdateResult = Static<typeof notesUpdateTool.success>;
