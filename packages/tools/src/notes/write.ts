import { createNotesStore } from "@notesoup/notes";
import type { NotesWriteArguments, NotesWriteResult } from "@notesoup/protocol";
import { renderNotesWrite } from "@notesoup/render";
import { utf8Bytes } from "@notesoup/text";
import { type Answer, succeed } from "../answer.ts";
import { fitsBudget } from "../budget.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { projectKeyField } from "./project-key-field.ts";
import { answering, Refused } from "./refused.ts";

/**
 * `notes_write`: writes a note whole and answers with a receipt.
 *
 * Refuses with the codes of the store's `write`, `invalid_cwd`, and `output_too_large`; nothing has
 * changed then.
 */
export function notesWrite(context: NotesToolContext, args: NotesWriteArguments): Promise<Answer<NotesWriteResult>> {
  return answering(async () => {
    const { address, content, origin, cwd } = args;
    const { decorate = asIs } = context;
    const identity = await identityForCall(context, cwd);
    const answer = (
      written: Pick<NotesWriteResult, "address" | "outcome" | "updated_at">,
    ): { data: NotesWriteResult; text: string } => {
      const data = {
        address: written.address,
        ...projectKeyField(written.address, identity.projectKey),
        outcome: written.outcome,
        bytes: utf8Bytes(content),
        updated_at: written.updated_at,
      };
      return { data, text: decorate(renderNotesWrite(data)) };
    };
    // A receipt cannot shrink, and a write cannot be taken back: whether the receipt will fit is
    // asked of the longest one, before anything is written.
    const longest = answer({
      address: `${address.normalize("NFC")}.md`,
      outcome: "overwritten",
      updated_at: new Date(0).toISOString(),
    });
    if (!fitsBudget(longest.data, longest.text)) {
      throw new Refused(
        "output_too_large",
        "the receipt of this write would not fit the output budget, so nothing was written; use a shorter address",
      );
    }
    const written = await createNotesStore(identity).write(address, content, { origin });
    const { data, text } = answer({
      address: written.address,
      outcome: written.outcome,
      updated_at: written.meta.updatedAt,
    });
    return succeed(data, text);
  });
}

function asIs(text: string): string {
  return text;
}
