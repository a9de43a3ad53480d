import { oneLine, quote } from "@notesoup/text";

/** Code points of a foreign name before it is cut. */
const NAME_MAX_CHARS = 200;

/** A foreign name on one line, as it can be typed; quoted and cut where it is very long. */
export function clipped(name: string): string {
  const shown = oneLine(name);
  return shown.length <= NAME_MAX_CHARS ? shown : quote(name, NAME_MAX_CHARS);
}

/** A number of things by their name: `1 note`, `2 notes`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Milliseconds since 1970 as ISO 8601 in UTC. */
export function isoTime(milliseconds: number | null): string {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toISOString();
}

const CANONICAL = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d\.\d{3}Z$/u;

/** A time as the store writes it, to the minute. One that is written otherwise stays as it is: to read it could depend on the zone. */
export function toTheMinute(time: string): string {
  const minute = CANONICAL.exec(time)?.[1];
  return minute === undefined ? clipped(time) : `${minute}Z`;
}

/** Arguments of a call, as the agent can give them. */
export function callOf(tool: string, args: Readonly<Record<string, string | number>>): string {
  return `${tool} ${JSON.stringify(args)}`;
}
