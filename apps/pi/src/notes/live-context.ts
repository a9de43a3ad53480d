import { homedir } from "node:os";
import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { projectKey, slugify } from "@notesoup/notes";
import { notebookSessionId, notesToolContext, type NotesToolContext } from "@notesoup/tools";
import { currentSettings } from "../settings.ts";

/** The name where Pi has no model, or one of whose id nothing can stand in a name. */
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
      agent: currentSettings(pi).agent,
      model: modelSlug(ctx.model?.id),
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

function modelSlug(id: string | undefined): string {
  try {
    return slugify(id ?? UNKNOWN_MODEL);
  } catch {
    return UNKNOWN_MODEL;
  }
}
