import { createNotesStore, type ReadNote } from "@notesoup/notes";
import type { NotesReadArguments, NotesReadResult } from "@notesoup/protocol";
import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { renderNotesRead } from "@notesoup/render";
import { fitWindow, quote, type TextWindow } from "@notesoup/text";
import type { Answer } from "../answer.ts";
import { deliver } from "../delivery.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { wireMetadata } from "./metadata.ts";
import { projectKeyField } from "./project-key-field.ts";
import { answering, Refused } from "./refused.ts";

/**
 * `notes_read`: delivers as much of the requested range of a note's body as both forms of the
 * result can hold. Positions count code points of the body.
 *
 * Refuses with the codes of the store's `read`, `not_found`, `invalid_cwd`, `invalid_range`
 * (`limit_chars` below 1, or a number that is not whole), and `output_too_large`.
 */
export function notesRead(context: NotesToolContext, args: NotesReadArguments): Promise<Answer<NotesReadResult>> {
  return answering(async () => {
    const { address, offset_chars: offsetChars, limit_chars: limitChars, cwd } = args;
    checkRange(offsetChars, limitChars);
    const identity = await identityForCall(context, cwd);
    const note = await createNotesStore(identity).read(address);
    if (note === undefined)
      throw new Refused(
        "not_found",
        `there is no note at ${quote(address)}; check the address, or write the note first`,
      );
    return fitted(context, note, identity.projectKey, { offsetChars, limitChars });
  });
}

function checkRange(offsetChars: number | undefined, limitChars: number | undefined): void {
  if (offsetChars !== undefined && !Number.isSafeInteger(offsetChars)) {
    throw new Refused(
      "invalid_range",
      `offset_chars is ${String(offsetChars)}; it must be a whole number, negative for a tail`,
    );
  }
  if (limitChars !== undefined && !(Number.isSafeInteger(limitChars) && limitChars >= 1)) {
    throw new Refused("invalid_range", `limit_chars is ${String(limitChars)}; it must be a whole number of at least 1`);
  }
}

function fitted(
  { decorate }: NotesToolContext,
  { address, meta, body }: ReadNote,
  projectKey: string,
  range: { readonly offsetChars: number | undefined; readonly limitChars: number | undefined },
): Answer<NotesReadResult> {
  const metadata = wireMetadata(meta);
  let fitting: Answer<NotesReadResult> | undefined;
  let fittingChars = -1;
  const fits = (window: TextWindow): boolean => {
    const data: NotesReadResult = {
      address,
      ...projectKeyField(address, projectKey),
      metadata,
      text: window.text,
      total_chars: window.totalChars,
      next_offset_chars: window.nextOffsetChars,
    };
    const answer = deliver(data, renderNotesRead, decorate);
    if (answer === undefined) return false;
    // What was measured is what is delivered: the largest window that fitted.
    if (window.text.length > fittingChars) {
      fittingChars = window.text.length;
      fitting = answer;
    }
    return true;
  };
  fitWindow(body, range, { maxBytes: OUTPUT_BUDGET_BYTES, fits });
  if (fitting === undefined) {
    throw new Refused(
      "output_too_large",
      `${quote(address)} cannot be delivered: its frontmatter, or what the host adds, leaves no room in the output budget for one character of the body; move some of the frontmatter into the body`,
    );
  }
  return fitting;
}
