import type { HistoryReadResult } from "@notesoup/protocol";
import { continuation } from "./continuation.ts";
import { damageLines, eventHeader } from "./history-event.ts";

/**
 * A read event: its line, what of the session could not be read, what is recorded of calls inside
 * it, a blank line, and the delivered part of its document verbatim; where it is incomplete, one
 * line that says where to go on.
 */
export function renderHistoryRead(result: HistoryReadResult): string {
  const { damage, nested_calls: nested, text, next_offset_chars: next } = result;
  const header = [eventHeader(result), ...damageLines(damage), ...nestedLines(nested)];
  return `${header.join("\n")}\n\n${text}${continuation(text, next)}`;
}

function nestedLines(nested: HistoryReadResult["nested_calls"]): string[] {
  if (nested === undefined) return [];
  return [`nested calls ${nested.call_count} · ${nested.complete ? "complete" : "incomplete"}`];
}
