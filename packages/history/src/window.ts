import type { BranchEvents } from "./event.ts";

/** The part of a session between two resets. */
export interface SessionWindow {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** When its first event with a time was recorded, in milliseconds since 1970. */
  readonly startedAt: number | null;
  /** How many events it has. */
  readonly events: number;
}

/** The windows of a branch, oldest first. One that holds no event is none. */
export function windowsOf(events: BranchEvents): SessionWindow[] {
  const starts = events.windowStarts.map((record) => events.indexFromRecord(record));
  const firsts = [...new Set([0, ...starts])].filter((index) => index < events.length);
  return firsts.map((first, place) => windowOf(events, first, firsts[place + 1] ?? events.length));
}

function windowOf(events: BranchEvents, first: number, end: number): SessionWindow {
  return {
    firstSeq: events.at(first)?.seq ?? 0,
    lastSeq: events.at(end - 1)?.seq ?? 0,
    startedAt: firstTime(events, first, end),
    events: end - first,
  };
}

function firstTime(events: BranchEvents, first: number, end: number): number | null {
  for (let index = first; index < end; index++) {
    const time = events.at(index)?.time ?? null;
    if (time !== null) return time;
  }
  return null;
}
