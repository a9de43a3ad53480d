import type { NotesSearchResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";
import { renderListing } from "./listing.ts";

type FoundNote = NotesSearchResult["files"][number];
type Match = FoundNote["matches"][number];

/**
 * What a search found: a line for each note, below it a line for each of its matches, then what was
 * left out and what could not be read. Unlike in a read, text is escaped to stay in its line.
 */
export function renderNotesSearch(result: NotesSearchResult): string {
  return renderListing(result, result.files.flatMap(noteLines));
}

function noteLines({ address, matches, more_matches: more = 0 }: FoundNote): string[] {
  const lines = [oneLine(address), ...matches.map(matchLine)];
  if (more > 0) lines.push(`  +${more} more ${more === 1 ? "match" : "matches"}`);
  return lines;
}

function matchLine({ line, offset_chars, text }: Match): string {
  return `  line ${line} · offset ${offset_chars} · ${oneLine(text)}`;
}
