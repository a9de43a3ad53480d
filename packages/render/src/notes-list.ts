import type { NotesListResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";
import { renderListing } from "./listing.ts";

type ListedNote = NotesListResult["files"][number];

/** A list of notes: one line a note, then what was left out and what could not be read. */
export function renderNotesList(result: NotesListResult): string {
  return renderListing(result, result.files.map(noteLine));
}

function noteLine({ address, bytes, origin, updated_at, crumpled_at }: ListedNote): string {
  const facts = [
    oneLine(address),
    `${bytes} ${bytes === 1 ? "byte" : "bytes"}`,
    `origin ${origin}`,
    `updated ${updated_at}`,
  ];
  if (crumpled_at !== undefined) facts.push(`crumpled ${crumpled_at}`);
  return facts.join(" · ");
}
