import type { ReadNote } from "@notesoup/notes";
import type { NotesReadArguments, NotesReadResult } from "@notesoup/protocol";
import { renderNotesRead } from "@notesoup/render";
import { quote } from "@notesoup/text";
import type { Answer } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { largestWindow, requireWindow } from "../read-window.ts";
import { answering, Refused } from "../refused.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { storeOf } from "./dream-marker.ts";
import { wireMetadata } from "./metadata.ts";
import { projectKeyField } from "./project-key-field.ts";

/**
 * `notes_read`: delivers as much of the requested range of a note's body as both forms of the
 * result can hold. Positions count code points of the body.
 *
 * Refuses with the codes of the store's `read`, `not_found`, `invalid_cwd`, `invalid_range`
 * (`limit_chars` below 1, or a number that is not whole), and `output_too_large`.
 */
export function notesRead(context: NotesToolContext, args: NotesReadArguments): Promise<Answer<NotesReadResult>> {
  return answering(async () => {
    const { address, cwd } = args;
    requireWindow(args);
    const identity = await identityForCall(context, cwd);
    const note = await storeOf(context.dream, identity).read(address);
    if (note === undefined)
      throw new Refused(
        "not_found",
        `there is no note at ${quote(address)}; check the address, or write the note first`,
      );
    return fitted(context, note, identity.projectKey, args);
  });
}

function fitted(
  { decorate }: NotesToolContext,
  { address, meta, body }: ReadNote,
  projectKey: string,
  args: NotesReadArguments,
): Answer<NotesReadResult> {
  const identity = { address, ...projectKeyField(address, projectKey), metadata: wireMetadata(meta) };
  const answer = largestWindow(body, args, (window) => deliver({ ...identity, ...window }, renderNotesRead, decorate));
  if (answer === undefined) {
    throw new Refused(
      "output_too_large",
      `${quote(address)} cannot be delivered: its frontmatter, or what the host adds, leaves no room in the output budget for one character of the body; move some of the frontmatter into the body`,
    );
  }
  return answer;
}
