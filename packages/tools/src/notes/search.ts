import type { NoteMatch, NoteSearchRow } from "@notesoup/notes";
import type { NotesSearchArguments, NotesSearchResult } from "@notesoup/protocol";
import { renderNotesSearch } from "@notesoup/render";
import type { Answer } from "../answer.ts";
import { queriesOf } from "../arguments.ts";
import { deliver } from "../delivery.ts";
import type { ListingSize } from "../listing-size.ts";
import { answering } from "../refused.ts";
import { requireBoolean, requireLimit } from "./arguments.ts";
import type { NotesToolContext } from "./context.ts";
import { identityForCall } from "./cwd.ts";
import { storeOf } from "./dream-marker.ts";
import { largestSearch } from "./largest-search.ts";
import { listingTooLarge, mostNotes } from "./listing-size.ts";
import type { Hit } from "./match-turns.ts";
import { projectKeyField } from "./project-key-field.ts";
import { queried, type Unavailable } from "./unavailable.ts";

type FoundNote = NotesSearchResult["files"][number];

/**
 * `notes_search`: delivers as many of the notes in which a text was found, and as many of their
 * matches, as both forms of the result can hold, and counts the others. With nothing to search for
 * it delivers the selected notes without matches.
 *
 * Refuses with the codes of the store's `search`, `invalid_text` (a query that is no text),
 * `invalid_cwd`, `invalid_range` (`limit`), and `output_too_large`.
 */
export function notesSearch(context: NotesToolContext, args: NotesSearchArguments): Promise<Answer<NotesSearchResult>> {
  return answering(async () => {
    const { query, glob, crumpled, limit, cwd } = args;
    const queries = queriesOf(query);
    requireLimit(limit);
    requireBoolean("crumpled", crumpled);
    const identity = await identityForCall(context, cwd);
    const { rows, unavailable } = await queried((onStatus) =>
      storeOf(context.dream, identity).search(queries, { glob, crumpled, onStatus }),
    );
    return fitted(context, rows, limit, unavailable, identity.projectKey);
  });
}

function fitted(
  { decorate }: NotesToolContext,
  rows: readonly NoteSearchRow[],
  limit: number | undefined,
  unavailable: Unavailable,
  projectKey: string,
): Answer<NotesSearchResult> {
  const answerOf = (
    { rows: notes, named }: ListingSize,
    hits: readonly Hit[],
  ): Answer<NotesSearchResult> | undefined => {
    const hitsOf = Map.groupBy(hits, ({ note }) => note);
    const files = rows.slice(0, notes).map((row, note) => foundNote(row, hitsOf.get(note) ?? [], projectKey));
    return deliver({ files, more: rows.length - notes, ...unavailable.fields(named) }, renderNotesSearch, decorate);
  };
  const answer = largestSearch(rows.slice(0, mostNotes(rows.length, limit)), unavailable.nameable, answerOf);
  if (answer === undefined) throw listingTooLarge();
  return answer;
}

function foundNote({ address, matches }: NoteSearchRow, hits: readonly Hit[], projectKey: string): FoundNote {
  const left = matches.length - hits.length;
  return {
    address,
    ...projectKeyField(address, projectKey),
    matches: hits.map(({ match }) => wireMatch(match)).toSorted((a, b) => a.line - b.line),
    ...(left === 0 ? {} : { more_matches: left }),
  };
}

function wireMatch({ line, offsetChars, text }: NoteMatch): FoundNote["matches"][number] {
  return { line, offset_chars: offsetChars, text };
}
