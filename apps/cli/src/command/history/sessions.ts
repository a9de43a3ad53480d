import type { Harness, SessionRef } from "@notesoup/history";
import { oneLine } from "@notesoup/text";
import { say, sayJson } from "../output.ts";
import { WrongUse } from "../refused.ts";
import { machineCorpus } from "./corpus.ts";

/** The flags of `notesoup history sessions`. */
export interface SessionsFlags {
  readonly harness?: Harness;
  readonly limit?: number;
  readonly names?: boolean;
  readonly json?: boolean;
}

/** Prints the sessions of this machine, by the names and times of their files. */
export async function printSessions({ harness, limit, names, json }: SessionsFlags): Promise<void> {
  if (limit !== undefined && limit < 1) throw new WrongUse(`--limit is ${limit}; give at least 1`);
  const found = await machineCorpus().sessions(harness);
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
