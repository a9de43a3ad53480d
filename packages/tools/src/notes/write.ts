import { createNotesStore } from "@notesoup/notes";
import type { NotesWriteArguments, NotesWriteResult } from "@notesoup/protocol";
import { renderNotesWrite } from "@notesoup/render";
import { quote, utf8Bytes } from "@notesoup/text";
import { type Answer, succeed } from "../answer.ts";
import { fitsBudget } from "../budget.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { projectKeyField } from "./project-key-field.ts";
import { answering, Refused } from "./refused.ts";

/** No canonical address is longer, in bytes: 16 components, a sigil and a name. */
const ADDRESS_MAX_BYTES = 4300;

/**
 * `notes_write`: writes a note whole and answers with a receipt.
 *
 * Refuses with the codes of the store's `write`, `invalid_cwd`, and `output_too_large`; nothing has
 * changed then.
 */
export function notesWrite(context: NotesToolContext, args: NotesWriteArguments): Promise<Answer<NotesWriteResult>> {
  return answering(async () => {
    const { address, content, origin, cwd } = args;
    const identity = await identityForCall(context, cwd);
    requireReceiptFits(context, address, identity.projectKey);
    const written = await createNotesStore(identity).write(address, content, { origin });
    const data: NotesWriteResult = {
      address: written.address,
      ...projectKeyField(written.address, identity.projectKey),
      outcome: written.outcome,
      bytes: utf8Bytes(content),
      updated_at: written.meta.updatedAt,
    };
    return succeed(data, context.decorate(renderNotesWrite(data)));
  });
}

/**
 * A receipt cannot shrink, and a write cannot be taken back: whether the receipt will fit is asked
 * of the longest one that can come, before anything is written.
 */
function requireReceiptFits({ decorate }: NotesToolContext, address: string, projectKey: string): void {
  // An address that is none, or too long to be one, is the store's to refuse.
  if (typeof address !== "string" || utf8Bytes(address) > ADDRESS_MAX_BYTES) return;
  const longest: NotesWriteResult = {
    address: `${address.normalize("NFC")}.md`,
    ...projectKeyField(address, projectKey),
    outcome: "overwritten",
    bytes: 1_048_576,
    updated_at: new Date(0).toISOString(),
  };
  if (fitsBudget(longest, decorate(renderNotesWrite(longest)))) return;
  throw new Refused(
    "output_too_large",
    `the receipt for ${quote(address)} would not fit the output budget with what the host adds to it, so nothing was written; use a shorter address, or make the host add less`,
  );
}
