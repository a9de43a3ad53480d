import { oneLine, quote } from "@notesoup/text";
import type { SessionRef } from "./session-ref.ts";
import { HistoryError } from "./error.ts";
import type { Harness } from "./wire/wire.ts";

/** Several sessions: all, or those of one harness. */
export interface Wildcard {
  readonly kind: "wildcard";
  readonly harness: Harness | undefined;
}

/** What one session is called by: its id or how that begins, and its harness where it is named. */
interface Name {
  readonly kind: "name";
  readonly selector: string;
}

/** A selector, read. */
export type Selected = Wildcard | Name;

const WILDCARDS: ReadonlyMap<string, Harness | undefined> = new Map<string, Harness | undefined>([
  ["*", undefined],
  ["pi:*", "pi"],
  ["claude:*", "claude"],
  ["dsh:*", "dsh"],
]);

/** So many characters of a name at least stand for a session: fewer are too soon those of another one. */
const PREFIX_MIN_CHARS = 6;
const CANDIDATES_SHOWN = 5;

/** Reads a selector. */
export function parseSelector(selector: string): Selected {
  return WILDCARDS.has(selector) ? { kind: "wildcard", harness: WILDCARDS.get(selector) } : { kind: "name", selector };
}

/**
 * The one session that a name means. A whole name wins over an id that looks like one, and either over
 * one that only begins so; the newest is never taken because several fit.
 *
 * @param sessions the last active first
 * @param cwdOf where a candidate was begun, for the message
 * @throws HistoryError `session_not_found`, `ambiguous_session`
 */
export async function selectSession(
  { selector }: Name,
  sessions: readonly SessionRef[],
  cwdOf: (ref: SessionRef) => Promise<string | undefined>,
): Promise<SessionRef> {
  const named = sessions.find(({ name }) => name === selector);
  if (named !== undefined) return named;
  const exact = sessions.filter(({ id }) => id === selector);
  const fitting = exact.length > 0 ? exact : sessions.filter((ref) => begins(ref, selector));
  const [found, ...others] = fitting;
  if (found === undefined) throw notFound(selector);
  if (others.length === 0) return found;
  const shown = await Promise.all(
    fitting.slice(0, CANDIDATES_SHOWN).map(async (ref) => candidate(ref, await cwdOf(ref))),
  );
  const more = fitting.length > shown.length ? `; and ${fitting.length - shown.length} more` : "";
  const message = `${quote(selector, 80)} fits ${fitting.length} sessions; name one whole: ${shown.join("; ")}${more}`;
  throw new HistoryError("ambiguous_session", message);
}

function begins({ harness, id }: SessionRef, selector: string): boolean {
  const prefix = selector.startsWith(`${harness}:`) ? selector.slice(harness.length + 1) : selector;
  return !isTooShort(prefix) && id.startsWith(prefix);
}

function candidate({ name, lastActivity }: SessionRef, cwd: string | undefined): string {
  const place = cwd === undefined ? "" : ` in ${quote(cwd)}`;
  return `${oneLine(name)}${place}, last active ${new Date(lastActivity).toISOString()}`;
}

function isTooShort(prefix: string): boolean {
  return prefix.length < PREFIX_MIN_CHARS;
}

function notFound(selector: string): HistoryError {
  const hint = isTooShort(selector.replace(/^(?:pi|claude|dsh):/u, ""))
    ? `the beginning of a name needs at least ${PREFIX_MIN_CHARS} characters`
    : "check the name";
  const message = `there is no session ${quote(selector, 80)}; ${hint}, or list the latest sessions with session "*"`;
  return new HistoryError("session_not_found", message);
}
