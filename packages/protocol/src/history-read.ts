import { type Static, Type } from "typebox";
import { damageField, eventFields } from "./history-fields.ts";
import { exactly, oneOf } from "./schema.ts";
import { defineTool } from "./tool-contract.ts";

/** The contract of `history_read`. Positions count code points of the event's document. */
export const historyReadTool = defineTool({
  name: "history_read",
  description:
    "Read one event of the history: a message, or a tool call with its arguments and output. Reach for it when history_list shows part of what you need, instead of running something again. A long event comes in parts: go on at next_offset_chars.",
  parameters: exactly({
    seq: Type.Integer({ description: "Which event, as history_list numbers them." }),
    session: Type.Optional(
      Type.String({
        description: "<harness>:<id>, an id, or the first 6 or more characters of one; this session if absent.",
      }),
    ),
    offset_chars: Type.Optional(Type.Integer({ description: "First character to deliver; negative: a tail." })),
    limit_chars: Type.Optional(Type.Integer({ description: "Most characters to deliver, at least 1." })),
  }),
  success: exactly({
    ...eventFields,
    nested_calls: Type.Optional(exactly({ call_count: Type.Integer(), complete: Type.Boolean() })),
    text: Type.String(),
    total_chars: Type.Integer(),
    next_offset_chars: oneOf([Type.Integer(), Type.Null()]),
    damage: damageField,
  }),
});

/** The arguments of `history_read`. */
export type HistoryReadArguments = Static<typeof historyReadTool.parameters>;

/** The success of `history_read`. `nested_calls` tells what was recorded: `call_count` is the number of records, whatever the text holds of them. */
export type HistoryReadResult = Static<typeof historyReadTool.success>;
