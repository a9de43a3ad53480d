import { type Command, Option } from "commander";
import { repeated, wholeNumber } from "../option-values.ts";

/** The flags with which a list and a search select events. */
export interface EventFlags {
  readonly session: string;
  readonly since?: string;
  readonly until?: string;
  readonly role?: readonly string[];
  readonly limit?: number;
  readonly maxChars?: number;
  readonly after?: number;
  readonly before?: number;
  readonly from?: string;
  readonly json?: boolean;
}

const ROLES = ["user", "assistant", "tool", "context"];

/** Gives a command these flags. */
export function withEventFlags(command: Command): Command {
  return command
    .option("--session <session>", "<harness>:<id>, an id or its first 6 or more characters, or pi:*", "*")
    .option("--since <time>", "only events from then on: an ISO 8601 time, or a date")
    .option("--until <time>", "only events before then")
    .option("--role <role>", `only these: ${ROLES.join(", ")}; give it again for a second one`, repeated)
    .option("--limit <count>", "at most so many events, 1 to 200; 20 if absent", wholeNumber)
    .option("--max-chars <count>", "at most so many characters of an event; 400 if absent", wholeNumber)
    .option("--after <seq>", "of one session, only events after this one", wholeNumber)
    .option("--before <seq>", "of one session, only events before this one", wholeNumber)
    .addOption(new Option("--from <end>", "of one session, the end to begin at").choices(["newest", "oldest"]))
    .option("--json", "print the result as JSON, on one line");
}

/** The arguments of `history_list` that these flags are. */
export function eventArguments(flags: EventFlags): Record<string, unknown> {
  const { session, since, until, role: roles, limit, maxChars, after, before, from } = flags;
  return {
    session,
    since,
    until,
    roles,
    limit,
    max_chars_per_item: maxChars,
    after_seq: after,
    before_seq: before,
    from,
  };
}
