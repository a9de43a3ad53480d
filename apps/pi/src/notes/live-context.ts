import { homedir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { projectKey, slugify } from "@notesoup/notes";
import { notebookSessionId, notesToolContext, type NotesToolContext } from "@notesoup/tools";
import { currentSettings } from "../settings.ts";

/** Pi has no name for its agent. */
const DEFAULT_AGENT = "pi";
const UNKNOWN_MODEL = "unknown";

/**
 * Whose notes a call is about, read from the live session: it may have changed its model, its
 * folder or itself since the last call. Plain values only, so that nothing of the session is
 * touched after the first `await`.
 */
export function liveContext(pi: ExtensionAPI, ctx: ExtensionContext): NotesToolContext {
  return notesToolContext(
    {
      home: notesHome(process.env["NOTESOUP_HOME"]),
      sessionId: notebookSessionId(ctx.sessionManager.getSessionId()),
      projectKey: projectKey(ctx.cwd),
      agent: slugOr(currentSettings(pi).values.agent, DEFAULT_AGENT),
      model: slugOr(ctx.model?.id, UNKNOWN_MODEL),
    },
    ctx.cwd,
  );
}

/** `$NOTESOUP_HOME`, else `~/.agents/notes`: one home for every host. */
function notesHome(fromEnvironment: string | undefined): string {
  return fromEnvironment === undefined || fromEnvironment === ""
    ? join(homedir(), ".agents", "notes")
    : fromEnvironment;
}

function slugOr(name: string | undefined, fallback: string): string {
  try {
    return slugify(name ?? fallback);
  } catch {
    // Nothing of the name can stand in a slug.
    return fallback;
  }
}
