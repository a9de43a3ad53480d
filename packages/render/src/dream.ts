import type { DreamBeginResult, DreamEndResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

/** A page of a dream's material: the run, one line a note, and the call for the rest. */
export function renderDreamBegin({ run, rows, next_after: nextAfter, sessions }: DreamBeginResult): string {
  return [
    `dream ${oneLine(run)} · ${counted(sessions, "session")} since the last dream`,
    ...(rows.length === 0 ? ["no notes found"] : rows.map(noteLine)),
    ...(nextAfter === null ? [] : [`[more; continue with after=${JSON.stringify(oneLine(nextAfter))}]`]),
  ].join("\n");
}

function noteLine(row: DreamBeginResult["rows"][number]): string {
  return [
    oneLine(row.address),
    counted(row.bytes, "byte"),
    `${counted(row.age_days, "day")} old`,
    row.last_accessed === null ? "never read" : `read ${row.access_count} times, last ${row.last_accessed}`,
    ...(row.changed ? ["changed"] : []),
  ].join(" · ");
}

/** The end of a dream: what the audit counted, and where the report is. */
export function renderDreamEnd(result: DreamEndResult): string {
  const { run, changed, crumpled, purged, left_open: leftOpen, report_address: address } = result;
  return `dream ${oneLine(run)} ended · ${changed} changed · ${crumpled} crumpled · ${purged} purged · ${leftOpen} left open · report ${oneLine(address)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
