import type { EventRow, FoldedRow, HistoryRow, Session, SessionEvent } from "@notesoup/history";
import type { HistoryDamage, HistoryEvent, HistoryEventRow, HistoryFoldedRow, HistoryItem } from "@notesoup/protocol";
import { expandRecipe, neighborhoodRecipe, sessionField } from "./recipes.ts";

/** A row on the wire. */
export function wireRow(row: HistoryRow, name: string | undefined): HistoryItem {
  return row.kind === "folded" ? foldedRow(row, name) : eventRow(row, name);
}

function foldedRow(row: FoldedRow, name: string | undefined): HistoryFoldedRow {
  const { fromSeq, toSeq, events, tools } = row;
  return { folded: { from_seq: fromSeq, to_seq: toSeq, events, tools }, expand: expandRecipe(name, row) };
}

function eventRow({ event, text, moreChars, matchOffsetChars }: EventRow, name: string | undefined): HistoryEventRow {
  return {
    ...eventFields(event, name),
    text,
    ...(moreChars === 0 ? {} : { more_chars: moreChars }),
    ...(matchOffsetChars === undefined
      ? {}
      : { match_offset_chars: matchOffsetChars, neighborhood: neighborhoodRecipe(name, event.seq) }),
  };
}

/** Which event it is, and the summary of an execution. */
export function eventFields({ seq, role, time, tool }: SessionEvent, name: string | undefined): HistoryEvent {
  return {
    seq,
    ...sessionField(name),
    role,
    created_at: time === null ? null : new Date(time).toISOString(),
    ...(tool === undefined ? {} : toolFields(tool)),
  };
}

function toolFields({
  tool,
  status,
  outputTruncated,
  fullOutputPath,
}: NonNullable<SessionEvent["tool"]>): Partial<HistoryEvent> {
  return {
    tool,
    tool_status: status,
    ...(outputTruncated ? { output_truncated: true } : {}),
    ...(fullOutputPath === undefined ? {} : { full_output_path: fullOutputPath }),
  };
}

/** What of the session could not be read, where there is any. */
export function damageField({ damage: { lines, bytes } }: Session): { readonly damage?: HistoryDamage } {
  return lines === 0 && bytes === 0 ? {} : { damage: { lines, bytes } };
}
