import { type Static, Type } from "typebox";
import { emptyList, eventFields, sessionField } from "./history-fields.ts";
import { exactly, oneOf, oneWordOf } from "./schema.ts";

/** Which end of a range a page begins at. */
export const PAGE_ENDS = ["newest", "oldest"] as const;

/** The two bounds of a range, both exclusive. */
const bounds = { after_seq: Type.Integer(), before_seq: Type.Integer() };

/** A further page. */
export const PageSchema = exactly({ session: sessionField, from: oneWordOf(PAGE_ENDS), ...bounds });

/** The recipe of a further page: `{ ...call, ...page }` lists it. */
export type HistoryPage = Static<typeof PageSchema>;

const NeighborhoodSchema = exactly({ session: sessionField, ...bounds, query: emptyList, roles: emptyList });

/** The recipe of what stands around a hit: `{ ...call, ...neighborhood }` lists it, without the call's query and roles. */
export type HistoryNeighborhood = Static<typeof NeighborhoodSchema>;

const ExpandSchema = exactly({
  session: sessionField,
  ...bounds,
  roles: Type.Unsafe<["tool", "context"]>({ type: "array", items: oneWordOf(["tool", "context"]) }),
  from: Type.Literal("oldest"),
});

/** The recipe of the events that were folded into one row: `{ ...call, ...expand }` and its further pages list exactly them. */
export type HistoryExpand = Static<typeof ExpandSchema>;

const EventRowSchema = exactly({
  ...eventFields,
  text: Type.String(),
  more_chars: Type.Optional(Type.Integer()),
  match_offset_chars: Type.Optional(Type.Integer()),
  neighborhood: Type.Optional(NeighborhoodSchema),
});

/**
 * A row of one event. `text` is the beginning of its document or, for a hit, what stands around the
 * first match; `more_chars` counts the rest. `match_offset_chars` is a position in the document.
 */
export type HistoryEventRow = Static<typeof EventRowSchema>;

const FoldedRowSchema = exactly({
  folded: exactly({
    from_seq: Type.Integer(),
    to_seq: Type.Integer(),
    events: Type.Integer(),
    // Not every host's schemas can say what the values of an open map are.
    tools: Type.Unsafe<Record<string, number>>({
      type: "object",
      additionalProperties: true,
      description: "Events by tool.",
    }),
  }),
  expand: ExpandSchema,
});

/** A row of consecutive events of tools and context, both seqs inclusive. `tools` counts them by tool. */
export type HistoryFoldedRow = Static<typeof FoldedRowSchema>;

/** A row of the history. */
export const ItemSchema = oneOf([EventRowSchema, FoldedRowSchema]);

/** A row of the history. Tell the two apart with `"folded" in item`. */
export type HistoryItem = Static<typeof ItemSchema>;
