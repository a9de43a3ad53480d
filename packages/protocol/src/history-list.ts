import { type Static, Type } from "typebox";
import { damageField, HISTORY_ROLES, sessionField } from "./history-fields.ts";
import { ItemSchema, PAGE_ENDS, PageSchema } from "./history-rows.ts";
import { exactly, oneOf, oneWordOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `history_list`. A recipe is merged into the call that it was given to: `{ ...call, ...recipe }`. */
export const historyListTool = defineTool({
  name: "history_list",
  description:
    "List or search what was said and done, in this session with its earlier context windows, or in others. Reach for it before a task that was begun earlier, when something is mentioned that you no longer see, after a reset, and when a surprise may have happened before. For an older or newer page, a folded run, or what is around a hit, repeat the call with what the result gives for it.",
  parameters: exactly({
    session: Type.Optional(
      Type.String({
        description:
          "<harness>:<id>, an id, or the first 6 or more characters of one; this session if absent. * or <harness>:*: all of them; the hits of a query, else one event a session, latest first; no seq bounds.",
      }),
    ),
    query: Type.Optional(
      oneOf([Type.String(), Type.Array(Type.String())], {
        description: "Literal text, case ignored; a list: any of them. Absent or empty: no search.",
      }),
    ),
    roles: Type.Optional(
      Type.Array(oneWordOf(HISTORY_ROLES), {
        description:
          "Only these. tool: calls with their results; context: boot, reminders, summaries. Absent or empty: all, with runs of tool and context folded into a row where there is no query.",
      }),
    ),
    limit: Type.Optional(Type.Integer({ description: "Most rows, 1 to 200; 20 if absent." })),
    max_chars_per_item: Type.Optional(Type.Integer({ description: "Most characters of a row; 400 if absent." })),
    before_seq: Type.Optional(Type.Integer({ description: "Only events before this one." })),
    after_seq: Type.Optional(Type.Integer({ description: "Only events after this one." })),
    since: Type.Optional(
      Type.String({ description: "Only events from then on: an ISO 8601 time, or a date (its midnight, local)." }),
    ),
    until: Type.Optional(Type.String({ description: "Only events before then." })),
    from: Type.Optional(
      oneWordOf(PAGE_ENDS, { description: "Which end of the range limit counts from; newest if absent." }),
    ),
  }),
  success: exactly({
    session: sessionField,
    items: Type.Array(ItemSchema),
    page_older: oneOf([PageSchema, Type.Null()]),
    page_newer: oneOf([PageSchema, Type.Null()]),
    damage: damageField,
    more: Type.Optional(
      exactly({
        sessions: Type.Optional(Type.Integer()),
        hits: Type.Optional(oneOf([Type.Integer(), Type.Literal(true)])),
      }),
    ),
    sessions_unreadable: Type.Optional(Type.Array(exactly({ session: Type.String(), code: Type.String() }))),
    more_unreadable: Type.Optional(Type.Integer()),
  }),
});

/** The arguments of `history_list`. */
export type HistoryListArguments = Static<typeof historyListTool.parameters>;

/**
 * The success of `history_list`. `more` counts what a call for several sessions left out; `hits` is
 * `true` where counting them would mean reading on. `more_unreadable` counts what is not named of
 * the sessions that could not be read.
 */
export type HistoryListResult = Static<typeof historyListTool.success>;
