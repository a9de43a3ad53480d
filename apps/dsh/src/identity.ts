import { isAbsolute } from "node:path";
import type { Agent } from "@deepseek-ai/dsh-agent";
import { type NotesIdentity, projectKey, slugify } from "@notesoup/notes";
import { notebookSessionId } from "@notesoup/tools";
import type { DshSettings } from "./settings.ts";

/** The name of an agent where neither a setting nor a preset gives one. */
const DEFAULT_AGENT = "dsh";
/** The name where the session has had no model yet, or one of whose id nothing can stand in a name. */
const UNKNOWN_MODEL = "unknown";
/** Stands for the project of a session without a folder. A real key has a hash behind it. */
const NO_PROJECT = "none";

/**
 * Whose notes a session's agent keeps, read from the live session: plain values, so that nothing of
 * it is touched after the first `await`.
 *
 * @param cwd the folder whose project is meant; none where the session has none
 */
export function identityOf(agent: Agent, settings: DshSettings, cwd: string | undefined): NotesIdentity {
  const { session } = agent;
  return {
    home: settings.home,
    sessionId: notebookSessionId(session.id),
    projectKey: cwd === undefined ? NO_PROJECT : projectKey(cwd),
    agent: settings.agent ?? nameOf(session.header.agentPreset, DEFAULT_AGENT),
    model: nameOf(modelOf(agent), UNKNOWN_MODEL),
  };
}

/** The folder in which a session works, absolute; `undefined` where it has none. */
export function cwdOf({ session }: Agent): string | undefined {
  const { cwd } = session.header;
  return cwd !== undefined && isAbsolute(cwd) ? cwd : undefined;
}

/** The model that a session's requests go to. */
function modelOf({ session, options }: Agent): string | undefined {
  return session.requestHeader()?.config.model ?? options.model;
}

function nameOf(text: string | undefined, otherwise: string): string {
  try {
    return slugify(text ?? otherwise);
  } catch {
    return otherwise;
  }
}
