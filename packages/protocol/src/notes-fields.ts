import { Type } from "typebox";
import { exactly, oneWordOf } from "./schema.ts";

/** Who a note's content comes from. */
export const NOTE_ORIGINS = ["self", "user", "external"] as const;

/** The `address` parameter of the notes tools. */
export const addressParameter = Type.String({
  description:
    "Note address: @project/… (this project), @human/… (the person), @self/… (you, everywhere), @model/… (your model), or a bare path (this session). .md may be left out.",
});

/** The `cwd` parameter of the notes tools. */
export const cwdParameter = Type.Optional(
  Type.String({ description: "Directory whose project @project means; the session's own if absent." }),
);

/** The `origin` parameter of the notes tools. */
export const originParameter = Type.Optional(
  oneWordOf(NOTE_ORIGINS, {
    description:
      "Who the content comes from: you (self, the default for a new note), the user, or elsewhere (external).",
  }),
);

/**
 * A note's metadata on the wire. Access counts and times of access are not among them: they are
 * for a dream alone. `extra` is the note's own frontmatter, an open map.
 */
export const NoteMetadataSchema = exactly({
  origin: oneWordOf(NOTE_ORIGINS),
  created_at: Type.String(),
  updated_at: Type.String(),
  crumpled_at: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  extra: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: "object" })),
});
