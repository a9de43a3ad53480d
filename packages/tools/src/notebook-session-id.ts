import { createHash } from "node:crypto";
import { createNotesStore, NoteError, slugify } from "@notesoup/notes";

/**
 * The name under which a host's session keeps its notes: the host's own session id where it can
 * name a directory, else `<slug>-<8 hexadecimal digits>` of it. History keeps the real id.
 */
export function notebookSessionId(hostSessionId: string): string {
  if (isSafe(hostSessionId)) return hostSessionId;
  // UTF-8 cannot say a lone surrogate: of an id that holds one, the UTF-16 is taken.
  const bytes = Buffer.from(hostSessionId, hostSessionId.isWellFormed() ? "utf8" : "utf16le");
  const digits = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return `${slugOr(hostSessionId, "session")}-${digits}`;
}

/** The store is the judge of what is safe; making one touches no disk. */
function isSafe(sessionId: string): boolean {
  try {
    createNotesStore({ home: ".", sessionId, projectKey: "any", agent: "any", model: "any" });
    return true;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}

function slugOr(value: string, fallback: string): string {
  try {
    return slugify(value);
  } catch {
    return fallback;
  }
}
