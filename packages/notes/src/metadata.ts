import { isSafeComponent } from "./identity.ts";
import type { JsonValue, Mapping, MappingEntry } from "./mapping.ts";

/** Who a note's content comes from: the agent, the user, or elsewhere. */
export type NoteOrigin = "self" | "user" | "external";

/** What is known of a note beside its body. Times are ISO 8601 in UTC with milliseconds. */
export interface NoteMeta {
  /** `external` for a file that has not been written by the store. */
  readonly origin: NoteOrigin;
  readonly createdAt: string;
  /** When body or origin last changed, or the note last moved. */
  readonly updatedAt: string;
  readonly lastAccessed?: string;
  readonly accessCount: number;
  /** When the note was crumpled; absent while it is not. */
  readonly crumpledAt?: string;
  /** The project to which a session's note belongs. */
  readonly project?: string;
  /** Every frontmatter entry that is not one of the above, as JSON values. */
  readonly extra: Readonly<Record<string, JsonValue>>;
}

/** The metadata that are lines of the frontmatter, in the order in which new ones are written. */
export const KNOWN_KEYS = [
  "origin",
  "createdAt",
  "updatedAt",
  "lastAccessed",
  "accessCount",
  "crumpledAt",
  "project",
] as const;

/** A key of the frontmatter that the store owns. */
export type KnownKey = (typeof KNOWN_KEYS)[number];

/** Times of the file, for a note that does not tell its own. */
export interface FileTimes {
  readonly birthtime: Date;
  readonly mtime: Date;
}

/** Whether `value` is one of the three origins. */
export function isOrigin(value: unknown): value is NoteOrigin {
  return value === "self" || value === "user" || value === "external";
}

/** The metadata that a block tells. What is absent, or not of its kind, is as in a file without frontmatter. */
export function metaOf(mapping: Mapping | undefined, times: FileTimes): NoteMeta {
  const known = new Map<string, JsonValue>();
  const extra: Record<string, JsonValue> = {};
  for (const entry of mapping?.entries ?? []) {
    if (isKnownKey(entry.key)) known.set(entry.key, entry.value);
    else addExtra(extra, entry);
  }
  const origin = known.get("origin");
  const lastAccessed = timeOf(known.get("lastAccessed"));
  const crumpledAt = timeOf(known.get("crumpledAt"));
  const accessCount = known.get("accessCount");
  const project = known.get("project");
  return {
    origin: isOrigin(origin) ? origin : "external",
    createdAt: timeOf(known.get("createdAt")) ?? fileTime(birthOf(mapping, times)),
    updatedAt: timeOf(known.get("updatedAt")) ?? fileTime(times.mtime),
    ...(lastAccessed === undefined ? {} : { lastAccessed }),
    accessCount:
      typeof accessCount === "number" && Number.isSafeInteger(accessCount) && accessCount >= 0 ? accessCount : 0,
    ...(crumpledAt === undefined ? {} : { crumpledAt }),
    ...(typeof project === "string" && isSafeComponent(project) ? { project } : {}),
    extra,
  };
}

/** Whether the block itself says how old the note is; else its file's time says it, and has to be kept. */
export function tellsAge(mapping: Mapping): boolean {
  const tells = (name: KnownKey): boolean =>
    mapping.entries.some(({ key, value }) => key === name && timeOf(value) !== undefined);
  return tells("createdAt") && tells("updatedAt");
}

/**
 * When a file that does not tell was made. One with frontmatter may have been replaced by counting
 * an access, which gave it a new birth and kept its time of change. A copied or restored file can
 * be younger than its content.
 */
function birthOf(mapping: Mapping | undefined, { birthtime, mtime }: FileTimes): Date {
  return mapping === undefined && birthtime < mtime ? birthtime : mtime;
}

function isKnownKey(key: string): key is KnownKey {
  return (KNOWN_KEYS as readonly string[]).includes(key);
}

/** `__proto__` is a name like any other here: it must not reach the prototype. */
function addExtra(extra: Record<string, JsonValue>, { key, value }: MappingEntry): void {
  Object.defineProperty(extra, key, { value, enumerable: true, configurable: true, writable: true });
}

// A date alone is midnight UTC; a time without a zone would mean another moment on another machine.
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/u;

/** As the store writes a time; the days of a month are the calendar's to know. */
const CANONICAL = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/u;

function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string" || !MOMENT.test(value)) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) return undefined;
  return CANONICAL.test(value) ? value : orderly(new Date(time));
}

/** A moment as text, in years 0 to 9999 of UTC: the form of all others is not in order with theirs. */
function orderly(moment: Date): string | undefined {
  const text = moment.toISOString();
  return text.length === "0000-00-00T00:00:00.000Z".length ? text : undefined;
}

const EPOCH = new Date(0).toISOString();

/** A file can have been given any time at all, also one that no date can hold. */
function fileTime(moment: Date): string {
  return Number.isNaN(moment.getTime()) ? EPOCH : (orderly(moment) ?? EPOCH);
}
