import type { NoteEdit, NotesIdentity, UpdatedNote } from "@notesoup/notes";
import type { NotesUpdateArguments, NotesUpdateResult } from "@notesoup/protocol";
import { renderNotesUpdate } from "@notesoup/render";
import { type Answer, succeed } from "../answer.ts";
import { answering, Refused } from "../refused.ts";
import { requireBoolean } from "./arguments.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { storeOf } from "./dream-marker.ts";
import { projectKeyField } from "./project-key-field.ts";
import { canBeAddress, longestAddress } from "./receipt-address.ts";
import { requireReceiptFits } from "./receipt.ts";

/** What an update answers: beside outcome and text, what the host's own interface may show of the change. */
export interface UpdateAnswer extends Answer<NotesUpdateResult> {
  /**
   * The body before and after, or the whole file where more than the body has changed. Never on the
   * wire. Absent where nothing has changed.
   */
  readonly change?: { readonly before: string; readonly after: string };
}

/**
 * `notes_update`: edits a note, changes its origin, crumples or uncrumples it and moves it, all in
 * one, and answers with a receipt.
 *
 * Refuses with the codes of the store's `update`, `invalid_cwd`, and `output_too_large`; nothing has
 * changed then.
 */
export function notesUpdate(context: NotesToolContext, args: NotesUpdateArguments): Promise<UpdateAnswer> {
  return answering(async (): Promise<UpdateAnswer> => {
    const { address, origin, crumpled, replace_all: replaceAll, rename_to: renameTo, cwd } = args;
    requireBoolean("crumpled", crumpled);
    requireBoolean("replace_all", replaceAll);
    const edits = storeEdits(args.edits);
    const identity = await identityForCall(context, cwd);
    if (canBeAddress(address) && (renameTo === undefined || canBeAddress(renameTo)))
      requireReceiptFits(longestReceipt(address, renameTo, identity), renderNotesUpdate, context.decorate);
    const updated = await storeOf(context.dream, identity).update(address, edits, {
      origin,
      crumpled,
      replaceAll,
      renameTo,
    });
    const data = receiptOf(updated, identity);
    const answer = succeed(data, context.decorate(renderNotesUpdate(data)));
    const { kind, before, after } = updated.change;
    return kind === "none" ? answer : { ...answer, change: { before, after } };
  });
}

/** The texts of an edit are the store's to judge; an edit that is no object has none. */
function storeEdits(edits: NotesUpdateArguments["edits"] = []): NoteEdit[] {
  if (!Array.isArray(edits))
    throw new Refused(
      "invalid_text",
      `edits is a value of type ${typeof edits}; give a list of { old_text, new_text }`,
    );
  return edits.map((edit: NonNullable<NotesUpdateArguments["edits"]>[number] | null) => ({
    oldText: edit?.old_text as string,
    newText: edit?.new_text as string,
  }));
}

function receiptOf(
  { address, applied, change, meta, movedFrom, replacedCrumpledTarget }: UpdatedNote,
  identity: NotesIdentity,
): NotesUpdateResult {
  return {
    address,
    ...projectKeyField(address, identity.projectKey),
    applied,
    change: change.kind,
    crumpled: meta.crumpledAt !== undefined,
    ...(movedFrom === undefined ? {} : { rename_from: movedFrom }),
    ...(replacedCrumpledTarget ? { replaced_crumpled_target: true } : {}),
    updated_at: meta.updatedAt,
  };
}

/** Every fact that a receipt can have, also those that exclude one another. */
function longestReceipt(given: string, renameTo: string | undefined, identity: NotesIdentity): NotesUpdateResult {
  const source = longestAddress(given);
  const address = renameTo === undefined ? source : longestAddress(renameTo);
  return {
    address,
    ...projectKeyField(address, identity.projectKey),
    applied: Number.MAX_SAFE_INTEGER,
    change: "metadata",
    crumpled: false,
    ...(renameTo === undefined ? {} : { rename_from: source }),
    replaced_crumpled_target: true,
    updated_at: new Date(0).toISOString(),
  };
}
