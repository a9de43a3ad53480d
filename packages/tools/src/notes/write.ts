import type { NotesIdentity } from "@notesoup/notes";
import type { NotesWriteArguments, NotesWriteResult } from "@notesoup/protocol";
import { renderNotesWrite } from "@notesoup/render";
import { utf8Bytes } from "@notesoup/text";
import { type Answer, succeed } from "../answer.ts";
import { answering } from "../refused.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { storeOf } from "./dream-marker.ts";
import { projectKeyField } from "./project-key-field.ts";
import { canBeAddress, longestAddress } from "./receipt-address.ts";
import { requireReceiptFits } from "./receipt.ts";

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
    if (canBeAddress(address))
      requireReceiptFits(longestReceipt(address, identity), renderNotesWrite, context.decorate);
    const written = await storeOf(context.dream, identity).write(address, content, { origin });
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

function longestReceipt(given: string, identity: NotesIdentity): NotesWriteResult {
  const address = longestAddress(given);
  return {
    address,
    ...projectKeyField(address, identity.projectKey),
    outcome: "overwritten",
    bytes: 1_048_576,
    updated_at: new Date(0).toISOString(),
  };
}
