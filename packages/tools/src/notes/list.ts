import type { NoteRow } from "@notesoup/notes";
import type { NotesListArguments, NotesListResult } from "@notesoup/protocol";
import { renderNotesList } from "@notesoup/render";
import type { Answer } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { largestListing, type ListingSize } from "../listing-size.ts";
import { answering } from "../refused.ts";
import { requireBoolean, requireLimit } from "./arguments.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { storeOf } from "./dream-marker.ts";
import { listingTooLarge, mostNotes } from "./listing-size.ts";
import { projectKeyField } from "./project-key-field.ts";
import { queried, type Unavailable } from "./unavailable.ts";

type ListedNote = NotesListResult["files"][number];

/**
 * `notes_list`: delivers as many of the selected notes as both forms of the result can hold, those
 * last updated first, and counts the others.
 *
 * Refuses with the codes of the store's `list`, `invalid_cwd`, `invalid_range` (`limit`), and
 * `output_too_large`.
 */
export function notesList(context: NotesToolContext, args: NotesListArguments): Promise<Answer<NotesListResult>> {
  return answering(async () => {
    const { glob, crumpled, limit, cwd } = args;
    requireLimit(limit);
    requireBoolean("crumpled", crumpled);
    const identity = await identityForCall(context, cwd);
    const { rows, unavailable } = await queried((onStatus) =>
      storeOf(context.dream, identity).list({ glob, crumpled, onStatus }),
    );
    return fitted(context, rows, limit, unavailable, identity.projectKey);
  });
}

function fitted(
  { decorate }: NotesToolContext,
  rows: readonly NoteRow[],
  limit: number | undefined,
  unavailable: Unavailable,
  projectKey: string,
): Answer<NotesListResult> {
  const most: ListingSize = { rows: mostNotes(rows.length, limit), named: unavailable.nameable };
  const files = rows.slice(0, most.rows).map((row) => listedNote(row, projectKey));
  const answerOf = ({ rows: notes, named }: ListingSize): Answer<NotesListResult> | undefined => {
    const data = { files: files.slice(0, notes), more: rows.length - notes, ...unavailable.fields(named) };
    return deliver(data, renderNotesList, decorate);
  };
  const size = largestListing(most, (candidate) => answerOf(candidate) !== undefined);
  const answer = size && answerOf(size);
  if (answer === undefined) throw listingTooLarge();
  return answer;
}

function listedNote({ address, bytes, meta }: NoteRow, projectKey: string): ListedNote {
  return {
    address,
    ...projectKeyField(address, projectKey),
    bytes,
    origin: meta.origin,
    updated_at: meta.updatedAt,
    ...(meta.crumpledAt === undefined ? {} : { crumpled_at: meta.crumpledAt }),
  };
}
