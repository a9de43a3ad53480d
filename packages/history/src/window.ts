import type { SessionEvent } from "./event.ts";
import type { PlacedEvent } from "./event.ts";

/** The part of a session between two resets. */
export interface SessionWindow {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** When its first event with a time was recorded, in milliseconds since 1970. */
  readonly startedAt: number | null;
  /** How many events it has. */
  readonly events: number;
}

/**
 * The windows of a branch, oldest first. One that holds no event is none.
 *
 * @param starts records of the branch at which a window begins, ascending
 */
export function windowsOf(events: readonly PlacedEvent[], starts: readonly number[]): SessionWindow[] {
  const windows: SessionEvent[][] = [];
  let next = 0;
  let current: SessionEvent[] = [];
  for (const event of events) {
    const record = recordOf(event);
    let begins = windows.length === 0;
    for (let start = starts[next]; start !== undefined && start <= record; start = starts[++next]) begins = true;
    if (begins) windows.push((current = []));
    current.push(event);
  }
  return windows.map(windowOf);
}

function recordOf({ message, call, result }: PlacedEvent): number {
  return message[0]?.record ?? call?.record ?? result?.record ?? 0;
}

function windowOf(events: readonly SessionEvent[]): SessionWindow {
  return {
    firstSeq: events[0]?.seq ?? 0,
    lastSeq: events.at(-1)?.seq ?? 0,
    startedAt: events.find(({ time }) => time !== null)?.time ?? null,
    events: events.length,
  };
}
