import { quote } from "@notesoup/text";
import { Refused } from "../refused.ts";

/** A span of time, in milliseconds since 1970. */
export interface TimeRange {
  /** Inclusive. */
  readonly since: number | undefined;
  /** Exclusive. */
  readonly until: number | undefined;
}

/**
 * The span of time that a call gives (Parameters): each end an ISO 8601 time, or a date, which is its
 * midnight; one without a zone is local.
 *
 * @throws Refused `invalid_time`; `invalid_range` where `until` is not above `since`
 */
export function timeRange(given: { readonly since?: unknown; readonly until?: unknown }): TimeRange {
  const since = timeOf("since", given.since);
  const until = timeOf("until", given.until);
  if (since !== undefined && until !== undefined && until <= since)
    throw new Refused("invalid_range", "until is not later than since, so that nothing lies between them; swap them");
  return { since, until };
}

const TIME =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/u;

function timeOf(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === "string" ? parsed(value) : undefined;
  if (time !== undefined) return time;
  const given = typeof value === "string" ? quote(value, 80) : `a value of type ${typeof value}`;
  throw new Refused(
    "invalid_time",
    `${name} is ${given}; give an ISO 8601 time such as 2026-11-30T19:04:18Z, or a date such as 2026-11-30`,
  );
}

function parsed(text: string): number | undefined {
  const parts = TIME.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const number = (part: string): number => Number(parts[part] ?? 0);
  const [year, month, day] = [number("year"), number("month") - 1, number("day")];
  const [hour, minute, second] = [number("hour"), number("minute"), number("second")];
  const milliseconds = fractionMs(parts["fraction"]);
  // ISO 8601 writes the end of a day as 24:00 too.
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && milliseconds === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59 || !isDate(year, month, day)) return undefined;
  const { zone } = parts;
  const date = new Date(0);
  if (zone === undefined) {
    date.setFullYear(year, month, day);
    date.setHours(hour, minute, second, 0);
    return date.getTime() + milliseconds;
  }
  const offset = zoneMinutes(zone);
  if (offset === undefined) return undefined;
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute - offset, second, 0);
  return date.getTime() + milliseconds;
}

/** A day that a calendar has: a `Date` would make the second of March of the thirtieth of February. */
function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day;
}

/** As exact as it was given: rounded, an end would take in an event beside it, or leave one out. */
function fractionMs(digits = ""): number {
  return Number(`${digits.slice(0, 3).padEnd(3, "0")}.${digits.slice(3)}`);
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
