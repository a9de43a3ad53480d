import type { NotesListResult, NotesSearchResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

type Listing = NotesListResult | NotesSearchResult;

/** The text of a list or a search: what stands above its notes, the lines of the notes, and what is not among them. */
export function renderListing(listing: Listing, noteLines: readonly string[]): string {
  return [...headLines(listing), ...noteLines, ...omissionLines(listing)].join("\n");
}

/** Which project `@project/` is, said once for all of its notes; or that there is no note. */
function headLines({ files, more }: Listing): string[] {
  if (files.length === 0 && more === 0) return ["no notes found"];
  const keys = new Set(files.flatMap(({ project_key: key }) => key ?? []));
  return [...keys].map((key) => `project ${key}`);
}

/** What was left out, and what could not be read. */
function omissionLines({
  more,
  namespaces_unavailable: namespaces = [],
  notes_unavailable: notes = [],
  more_unavailable: moreUnavailable = 0,
}: Listing): string[] {
  return [
    ...(more === 0 ? [] : [`+${more} more; narrow with glob`]),
    ...namespaces.map((namespace) => `unavailable ${oneLine(namespace)}`),
    ...notes.map(({ address, code }) => `unavailable ${oneLine(address)} · ${oneLine(code)}`),
    ...(moreUnavailable === 0 ? [] : [`+${moreUnavailable} more unavailable`]),
  ];
}
