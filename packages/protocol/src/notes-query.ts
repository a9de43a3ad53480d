import { Type } from "typebox";
import { exactly } from "./schema.ts";

/** The parameters that `notes_list` and `notes_search` share. */
export const queryParameters = {
  glob: Type.Optional(
    Type.String({
      description:
        "Which notes, by address: @project/**, @human/**, @self/**, @model/**, or **/todo*.md. Absent: your five current notebooks. **: every notebook, other sessions, projects, agents and models included.",
    }),
  ),
  crumpled: Type.Optional(Type.Boolean({ description: "true: only crumpled notes; otherwise none of them." })),
  limit: Type.Optional(Type.Integer({ description: "Most notes, 1 to 1000; as many as fit if absent." })),
};

/** The fields in which a query says what it left out and what it could not read. */
export const omissionFields = {
  more: Type.Integer(),
  namespaces_unavailable: Type.Optional(Type.Array(Type.String())),
  notes_unavailable: Type.Optional(Type.Array(exactly({ address: Type.String(), code: Type.String() }))),
  more_unavailable: Type.Optional(Type.Integer()),
};
