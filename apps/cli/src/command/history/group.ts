import type { Command } from "commander";
import { addHelp } from "../help.ts";
import { addList } from "./list.ts";
import { addRead } from "./read.ts";
import { addSearch } from "./search.ts";
import { addSessions } from "./sessions-command.ts";

/** `notesoup history`: what agents did, in every session of every harness. */
export function addHistory(program: Command): void {
  const history = program
    .command("history")
    .description("what was said and done in every session of Pi, Claude Code and dsh");
  addSessions(history);
  addList(history);
  addSearch(history);
  addRead(history);
  addHelp(history, "notesoup history help search");
}
