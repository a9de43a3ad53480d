import type { Harness, SessionRef } from "@notesoup/history";
import { oneLine } from "@notesoup/text";
import { timeRange } from "@notesoup/tools";
import { say, sayJson } from "../output.ts";
import { WrongUse } from "../refused.ts";
import { machineCorpus } from "./corpus.ts";

/** The flags of `notesoup history sessions`. */
export interface SessionsFlags {
  readonly harness?: Harness;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly names?: boolean;
  readonly json?: boolean;
}

/**
 * Prints the sessions of this machine, by the names and times of their files.
 *
 * @throws WrongUse; and what refuses a time, as it does in `history_list`
 */
export async function printSessions({ harness, since, until, limit, names, json }: SessionsFlags): Promise<void> {
  if (limit !== undefined && limit < 1) throw new WrongUse(`--limit is ${limit}; give at least 1`);
  const { since: first = Number.NEGATIVE_INFINITY, until: end = Number.POSITIVE_INFINITY } = timeRange({
    since,
    until,
  });
  const all = await machineCorpus().sessions(harness);
  const found = all.filter(({ lastActivity }) => lastActivity >= first && lastActivity < end);
  const sessions = found.slice(0, limit);
  const more = found.length - sessions.length;
  if (json === true) sayJson({ sessions: sessions.map(wireSession), more });
  else if (names === true) say(sessions.map(({ name }) => oneLine(name)).join("\n"));
  else say([...sessions.map(line), ...(more === 0 ? [] : [`+${more} more`])].join("\n") || "no sessions found");
}

function wireSession({ name, harness, lastActivity, path }: SessionRef): object {
  return { session: name, harness, last_activity: timeOf(lastActivity), path };
}

function line({ name, lastActivity, path }: SessionRef): string {
  return [name, timeOf(lastActivity), path ?? ""].map(oneLine).join(" | ");
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
