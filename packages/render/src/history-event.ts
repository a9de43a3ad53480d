import type { HistoryDamage, HistoryEvent } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

/**
 * The line above an event: its session where one was named, its seq, role and time, then what is
 * known of an execution and the `facts` of the one who asks.
 */
export function eventHeader(event: HistoryEvent, facts: readonly string[] = []): string {
  const { session, seq, role, created_at: time } = event;
  const known = [...executionFacts(event), ...facts];
  const columns = [...sessionColumn(session), `seq ${seq}`, role, time === null ? "no time" : oneLine(time)];
  if (known.length > 0) columns.push(known.join(" · "));
  return columns.join(" | ");
}

/** The session as the first column of a line; none where the call named none. */
export function sessionColumn(session: string | undefined): string[] {
  return session === undefined ? [] : [`session ${oneLine(session)}`];
}

/** What could not be read of the session, on a line of its own. */
export function damageLines(damage: HistoryDamage | undefined): string[] {
  if (damage === undefined) return [];
  return [`damage: ${counted(damage.lines, "line")}, ${counted(damage.bytes, "byte")} could not be read`];
}

/** A number with what it counts. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function executionFacts({
  tool,
  tool_status: status,
  output_truncated: truncated,
  full_output_path: path,
}: HistoryEvent): string[] {
  const run = [tool, status].filter((word) => word !== undefined).join(" ");
  return [
    ...(run === "" ? [] : [oneLine(run)]),
    ...(truncated ? ["output truncated"] : []),
    ...(path === undefined ? [] : [`full output ${oneLine(path)}`]),
  ];
}
