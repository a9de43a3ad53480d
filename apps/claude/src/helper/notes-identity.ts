import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type NotesIdentity, projectKey, slugify } from "@notesoup/notes";
import { quote } from "@notesoup/text";
import { notebookSessionId } from "@notesoup/tools";
import type { SessionFacts } from "../transport/request.ts";
import { BadSetting } from "./bad-setting.ts";

/** The agent's name where a person has set none. */
const DEFAULT_AGENT = "claude";
/** The name of a model of whose id nothing can stand in a name. */
const UNKNOWN_MODEL = "unknown";
const SHOWN_CHARS = 80;

/**
 * Whose notes a session's are.
 *
 * @throws BadSetting
 */
export function notesIdentity({ sessionId, baseCwd, model, notesHome, agent }: SessionFacts): NotesIdentity {
  return {
    home: homeOf(notesHome),
    sessionId: notebookSessionId(sessionId),
    projectKey: projectKey(baseCwd),
    agent: agentOf(agent),
    model: slugOr(model, UNKNOWN_MODEL),
  };
}

/** What a person has set, else `$NOTESOUP_HOME`, else `~/.agents/notes`: one home for every host. */
function homeOf(set: string | null): string {
  if (set === null) {
    const fromEnvironment = process.env["NOTESOUP_HOME"] ?? "";
    return fromEnvironment === "" ? join(homedir(), ".agents", "notes") : fromEnvironment;
  }
  const path = set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
  if (isAbsolute(path)) return path;
  throw new BadSetting(
    "invalid_home",
    `the setting notesHome is ${quote(set, SHOWN_CHARS)}; a person has to give a whole path, such as ~/.agents/notes, in /plugin`,
  );
}

function agentOf(set: string | null): string {
  if (set === null) return DEFAULT_AGENT;
  const slug = slugOr(set, undefined);
  if (slug !== undefined) return slug;
  throw new BadSetting(
    "invalid_agent",
    `the setting agent is ${quote(set, SHOWN_CHARS)}, which has no letter of a-z and no digit to make a name of; a person has to give another one in /plugin`,
  );
}

function slugOr<Fallback>(name: string, fallback: Fallback): string | Fallback {
  try {
    return slugify(name);
  } catch {
    return fallback;
  }
}
