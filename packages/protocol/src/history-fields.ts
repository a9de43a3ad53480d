import { type Static, Type } from "typebox";
import { exactly, oneOf, oneWordOf } from "./schema.ts";

/** Whose part in a session an event is. */
export const HISTORY_ROLES = ["user", "assistant", "tool", "context"] as const;

/** Whose part in a session an event is: a person's prompt, the model's words, an execution, or what a host put there. */
export type HistoryRole = (typeof HISTORY_ROLES)[number];

/** An array that has nothing in it. That it is empty no schema says that every host can type. */
export const emptyList = Type.Unsafe<[]>({ type: "array", items: { type: "string" } });

/** The canonical session on the wire. Stands only where a call names a session. */
export const sessionField = Type.Optional(Type.String());

/** What the history tells of an event wherever it shows one. An event may have been recorded without a time. */
export const eventFields = {
  seq: Type.Integer(),
  session: sessionField,
  role: oneWordOf(HISTORY_ROLES),
  created_at: oneOf([Type.String(), Type.Null()]),
  tool: Type.Optional(Type.String()),
  tool_status: Type.Optional(oneWordOf(["ok", "error", "pending", "unfinished", "unpaired"])),
  output_truncated: Type.Optional(Type.Literal(true)),
  full_output_path: Type.Optional(Type.String()),
};

const EventSchema = exactly(eventFields);

/**
 * Which event it is, and the summary of an execution. `pending` is a live turn's call without a
 * result yet, `unfinished` one whose turn is over, `unpaired` a result without its call.
 */
export type HistoryEvent = Static<typeof EventSchema>;

/** How an execution stands: see {@link HistoryEvent}. */
export type HistoryToolStatus = NonNullable<HistoryEvent["tool_status"]>;

const DamageSchema = exactly({ lines: Type.Integer(), bytes: Type.Integer() });

/** The field in which a result says what of a session could not be read. */
export const damageField = Type.Optional(DamageSchema);

/** What of a session could not be read, while the rest of it could. */
export type HistoryDamage = Static<typeof DamageSchema>;
